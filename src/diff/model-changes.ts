import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { servedRepositoryOf } from '../engine/model-setup';
import { findNamedModel } from '../engine/named-model';
import { containerSettingsOf } from '../engine/ports-and-probe-defaults';
import type { Fleet } from '../fleet/fleet';
import { findAnsweringEngine } from '../routing/health-checks';

/** The model that engines load, before and after a change: a repository, a directory, or the address of the files. */
export interface ModelChange {
  readonly before: string;
  readonly after: string;
}

interface DeclaredModel {
  readonly deployment: ModelDeployment | undefined;
  readonly fleet: Pick<Fleet, 'caches'>;
}

/** Compares the models that the engines of a deployment load, however they name them. Undefined: the same, or unknown. */
export function findModelChange(was: DeclaredModel, is: DeclaredModel): ModelChange | undefined {
  const [before, after] = [loadedModelOf(was), loadedModelOf(is)];
  return before === undefined || after === undefined || before === after ? undefined : { before, after };
}

function loadedModelOf({ deployment, fleet }: DeclaredModel): string | undefined {
  if (!deployment) return undefined;
  const settings = containerSettingsOf(deployment, findAnsweringEngine(deployment));
  const { namespace } = deployment.metadata;
  const { name } = deployment.spec.template.spec.modelCacheRef ?? {};
  const cache = fleet.caches.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  const named = findNamedModel(settings)?.value;
  return servedRepositoryOf(settings, cache) ?? (cache ? addressOf(cache) : isLiteral(named) ? named : undefined);
}

/** Whether a value is not that of a variable. */
function isLiteral(value: string | undefined): boolean {
  return value !== undefined && !value.includes('$');
}

function addressOf({ spec: { s3, gcs, oci } }: ModelCache): string | undefined {
  return s3?.uri ?? gcs?.uri ?? oci?.image;
}
