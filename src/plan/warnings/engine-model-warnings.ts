import type { Engine } from '../../api/engine';
import { HUGGING_FACE_ENDPOINT, isAirGapped } from '../../api/image-names';
import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Path, qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { readContainerSettings } from '../../engine/container-settings';
import { ADAPTERS_PATH, addMissingAdapters, engineFilesOf } from '../../engine/model-files';
import { findNamedModel, isRepository } from '../../engine/named-model';
import { containerSettingsOf } from '../../engine/ports-and-probe-defaults';
import { profileOf, servingMemberOf } from '../../engine/runtime-detection';
import type { Fleet } from '../../fleet/fleet';
import type { Placement } from '../../scheduler/placement';

/** Finds engines that fetch a model from Hugging Face on clusters without internet access or a Hugging Face mirror. */
export function findHubWarnings(
  { deployments, clusters }: Fleet,
  placements: readonly Placement[],
): Diagnostic<ResourcePath>[] {
  const unconnected = clusters.filter((one) => isAirGapped(one) && one.spec.mirror.huggingFace === undefined);
  if (unconnected.length === 0) return [];
  return deployments.flatMap((deployment) => {
    const id = qualifiedNameOf(deployment);
    const ownPlacements = placements.filter((one) => one.deployment === id);
    const cluster = unconnected.find(({ metadata }) => ownPlacements.some((one) => one.cluster === metadata.name));
    if (!cluster) return [];
    return deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const fetched = findFetchedModel(deployment, engine);
      if (!fetched) return [];
      const at = { resource: deployment, path: ['spec', 'template', 'spec', 'engines', e, ...fetched.path] };
      const source = `${fetched.repository} from huggingface.co, which ${resourceIdOf(cluster)} does not reach`;
      return [warningAt('hub-out-of-reach', at, `engine '${engine.name}' fetches ${source}`, OUT_OF_REACH_HINT)];
    });
  });
}

const OUT_OF_REACH_HINT =
  'Stage it with modelCacheRef, or set spec.mirror.huggingFace of the cluster to a server with the same API';

export interface FetchedModel {
  readonly repository: string;
  readonly path: Path;
}

/** The flags of llama.cpp that name a repository. Its other model flags name files. */
const REPOSITORY_FLAG = /^--?hf/;

/** Finds the model repository that an engine fetches at startup. The path is relative to the engine. */
export function findFetchedModel(deployment: ModelDeployment, engine: Engine): FetchedModel | undefined {
  const settings = containerSettingsOf(deployment, engine);
  if (settings.variables.has(HUGGING_FACE_ENDPOINT)) return undefined;
  const found = findNamedModel(settings);
  if (found?.value === undefined || !isRepository(found.value)) return undefined;
  if (!settings.profile.model.directory && !REPOSITORY_FLAG.test(found.name)) return undefined;
  const index = engine.members.indexOf(servingMemberOf(engine));
  const container = ['members', index, 'template', 'spec', 'containers', 0];
  return { repository: found.value, path: [...container, ...found.path] };
}

/** Finds engines that a script starts, so that no arguments for their adapters can be added. One warning per engine. */
export function findAdapterWarnings({ deployments, caches }: Fleet): Diagnostic<ResourcePath>[] {
  return deployments.flatMap((deployment) => {
    const { engines } = deployment.spec.template.spec;
    const { adapters } = engineFilesOf(deployment, caches);
    if (adapters.length === 0) return [];
    return engines.flatMap((engine, index) => {
      const { profile } = profileOf(deployment, engine);
      const settings = readContainerSettings(servingMemberOf(engine).template.spec.containers[0], profile);
      if (addMissingAdapters(settings, adapters)) return [];
      const at = { resource: deployment, path: ['spec', 'template', 'spec', 'engines', index] };
      const what = `a script starts engine '${engine.name}', so its adapters are not passed to it`;
      const flags = profile.adapters?.flags.join(' or ') ?? '';
      const hint = `Pass their folders below ${ADAPTERS_PATH} in the script, with ${flags}`;
      return [warningAt('adapters-not-passed', at, what, hint)];
    });
  });
}
