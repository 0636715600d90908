import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { modelPathOf } from '../engine/model-files';
import { servedRepositoryOf } from '../engine/model-setup';
import { findNamedModel, isRepository } from '../engine/named-model';
import { containerSettingsOf } from '../engine/ports-and-probe-defaults';
import { servingMemberOf } from '../engine/runtime-detection';
import type { Fleet } from '../fleet/fleet';
import { findAnsweringEngine } from '../routing/health-checks';
import { servedNamesOf } from '../routing/served-models';

/** The model that engines load, before and after a change: a repository, a directory, or the address of the files. */
export interface ModelChange {
  readonly before: string;
  readonly after: string;

  /** The name by which clients request the former model and get the later one. Absent: it changes, or is not known. */
  readonly name?: string;
}

/** A deployment of a fleet, or none. */
export interface DeclaredModel {
  readonly deployment: ModelDeployment | undefined;
  readonly fleet: Pick<Fleet, 'caches'>;
}

/** Compares the models that the engines of a deployment load, however they name them. Undefined: the same, or unknown. */
export function findModelChange(was: DeclaredModel, is: DeclaredModel): ModelChange | undefined {
  const [before, after] = [loadedModelOf(was), loadedModelOf(is)];
  if (before === undefined || after === undefined || before === after) return undefined;
  const [name, later] = [was, is].map(servedNameOf);
  return { before, after, ...(name !== undefined && name === later && { name }) };
}

/**
 * Whether clients get another model by the name that they request, as far as names of repositories tell. The same model
 * in another number format or of another day is no other model. Files in buckets and images have no such names.
 */
export function isSwapped(change: ModelChange): boolean {
  return change.name !== undefined && isOtherModel(change);
}

/** Whether the later model is another one than the former, as far as names of repositories tell. */
export function isOtherModel({ before, after }: Pick<ModelChange, 'before' | 'after'>): boolean {
  return [before, after].every(isRepository) && modelNameOf(before) !== modelNameOf(after);
}

/** What repositories of one model are called alike: without the owner, the format of numbers, and the day. */
function modelNameOf(repository: string): string {
  const [, name = ''] = repository.toLowerCase().split(/[/:]/);
  const words = name
    .replace(FILE_FORMAT, '')
    .split(/[-_]/)
    .filter((word) => !CONVERSION_WORDS.has(word) && !VARIANT_WORD.test(word));
  return words.join('-');
}

/** What llama.cpp calls a format: `q4_k_m`. */
const FILE_FORMAT = /[-_.]i?q\d(?:_[a-z\d]{1,2}){0,2}$/;

/** Words in names of repositories that say how files were converted. */
const CONVERSION_WORDS: ReadonlySet<string> = new Set(
  'awq gptq gguf bnb mlx marlin quantized quant dynamic block hf meta'.split(' '),
);

/** `fp8`, `nvfp4`, `w4a16`, `4bit`, and days such as `0324`, `2507` and `20250324`. */
const VARIANT_WORD = /^(?:(?:bf|fp|nvfp|mxfp|int|nf)\d{1,2}|w\d{1,2}a\d{1,2}|\d{1,2}bits?|\d{4}|\d{6}|\d{8})$/;

/** An adapter that clients select by a name and of which the files come from another place. */
export interface AdapterChange extends Required<ModelChange> {}

/** Lists the adapters that keep their names and are loaded from another repository, directory or image. */
export function listAdapterChanges(was: DeclaredModel, is: DeclaredModel): AdapterChange[] {
  const former = new Map(adaptersOf(was).map(({ name, files }) => [name, files]));
  return adaptersOf(is).flatMap(({ name, files: after }) => {
    const before = former.get(name);
    return before === undefined || after === undefined || before === after ? [] : [{ name, before, after }];
  });
}

function adaptersOf({ deployment, fleet }: DeclaredModel) {
  const { loraAdapters = [] } = deployment?.spec.template.spec ?? {};
  return loraAdapters.map(({ name, modelCacheRef }) => {
    const cache = findCache(fleet, deployment?.metadata.namespace, modelCacheRef.name);
    return { name, files: cache && (cache.spec.huggingFace?.repo ?? addressOf(cache)) };
  });
}

function findCache({ caches }: DeclaredModel['fleet'], namespace: string | undefined, name: string | undefined) {
  return caches.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
}

/** The name by which clients request a model: where none is stated, engines take the path of the files of its cache. */
function servedNameOf({ deployment, fleet }: DeclaredModel): string | undefined {
  if (!deployment) return undefined;
  const stated = servedNamesOf(deployment, fleet.caches).model;
  const { profile } = containerSettingsOf(deployment, findAnsweringEngine(deployment));
  if (stated !== undefined || !profile.servedName || !profile.model.directory) return stated;
  const cache = findCache(fleet, deployment.metadata.namespace, deployment.spec.template.spec.modelCacheRef?.name);
  return cache && modelPathOf(cache);
}

/** The image of the container that answers the requests of a deployment. */
export function answeringImageOf(deployment: ModelDeployment): string {
  return servingMemberOf(findAnsweringEngine(deployment)).template.spec.containers[0].image;
}

/** Finds the model that the engines of a deployment load. Undefined: there is no deployment, or it is not known. */
export function loadedModelOf({ deployment, fleet }: DeclaredModel): string | undefined {
  if (!deployment) return undefined;
  const settings = containerSettingsOf(deployment, findAnsweringEngine(deployment));
  const cache = findCache(fleet, deployment.metadata.namespace, deployment.spec.template.spec.modelCacheRef?.name);
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
