import type { Engine } from '../../api/engine';
import { HUGGING_FACE_ENDPOINT, isAirGapped } from '../../api/image-registry';
import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Path, qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import {
  type ContainerSettings,
  findSetting,
  type GivenValue,
  readContainerSettings,
} from '../../engine/container-settings';
import { ADAPTERS_PATH, addMissingAdapters, engineFilesOf } from '../../engine/model-files';
import { containerSettingsOf } from '../../engine/ports-and-probe-defaults';
import { profileOf, servingMemberOf } from '../../engine/runtime-detection';
import type { Fleet } from '../../fleet/fleet';
import type { Placement } from '../../scheduler/schedule-result';

/** Engines that fetch their model from Hugging Face, on clusters that have a mirror in place of it, but not of that. */
export function findHubWarnings(
  { deployments, clusters }: Fleet,
  placements: readonly Placement[],
): Diagnostic<ResourcePath>[] {
  const cut = clusters.filter((one) => isAirGapped(one) && one.spec.mirror.huggingFace === undefined);
  if (cut.length === 0) return [];
  return deployments.flatMap((deployment) => {
    const id = qualifiedNameOf(deployment);
    const own = placements.filter((one) => one.deployment === id);
    const cluster = cut.find(({ metadata }) => own.some((one) => one.cluster === metadata.name));
    if (!cluster) return [];
    return deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const fetched = findFetchedModel(deployment, engine);
      if (!fetched) return [];
      return [
        warningAt(
          'hub-out-of-reach',
          { resource: deployment, path: ['spec', 'template', 'spec', 'engines', e, ...fetched.path] },
          `engine '${engine.name}' fetches ${fetched.repository} from huggingface.co, which ${resourceIdOf(cluster)} does not reach`,
          'Stage it with modelCacheRef, or name what answers like it at spec.mirror.huggingFace of the cluster',
        ),
      ];
    });
  });
}

interface FetchedModel {
  readonly repository: string;
  readonly path: Path;
}

/** A repository, as engines tell one from a directory; llama.cpp takes a quantization of it too. */
const REPOSITORY = /^[A-Za-z0-9][\w.-]*\/[\w.-]+(:[\w.-]+)?$/;

/** Flags of llama.cpp that name a repository: its others name files. */
const REPOSITORY_FLAG = /^--?hf/;

/** The model that an engine fetches by itself, where its container names one. From the place of the engine. */
function findFetchedModel(deployment: ModelDeployment, engine: Engine): FetchedModel | undefined {
  const reading = containerSettingsOf(deployment, engine);
  if (reading.variables.has(HUGGING_FACE_ENDPOINT)) return undefined;
  const found = findNamedModel(reading);
  if (found?.value === undefined || !REPOSITORY.test(found.value)) return undefined;
  if (!reading.profile.model.directory && !REPOSITORY_FLAG.test(found.name)) return undefined;
  const index = engine.members.indexOf(servingMemberOf(engine));
  const container = ['members', index, 'template', 'spec', 'containers', 0];
  return { repository: found.value, path: [...container, ...found.path] };
}

function findNamedModel(reading: ContainerSettings): GivenValue | undefined {
  const { model } = reading.profile;
  const [first] = reading.positionals;
  return findSetting(reading, model) ?? (first && { name: 'model', value: first.text, path: first.path });
}

/** Adapters that engines find on their disks and are not told of, because a script starts them: one an engine. */
export function findAdapterWarnings({ deployments, caches }: Fleet): Diagnostic<ResourcePath>[] {
  return deployments.flatMap((deployment) => {
    const { engines } = deployment.spec.template.spec;
    const { adapters } = engineFilesOf(deployment, caches);
    if (adapters.length === 0) return [];
    return engines.flatMap((engine, index) => {
      const { profile } = profileOf(deployment, engine);
      const reading = readContainerSettings(servingMemberOf(engine).template.spec.containers[0], profile);
      if (addMissingAdapters(reading, adapters, ADAPTERS_PATH)) return [];
      const flags = profile.adapters?.flags.join(' or ') ?? '';
      return [
        warningAt(
          'adapters-not-passed',
          { resource: deployment, path: ['spec', 'template', 'spec', 'engines', index] },
          `a script starts engine '${engine.name}', so nothing tells it of its adapters`,
          `Name their folders below ${ADAPTERS_PATH} in the script, with ${flags}`,
        ),
      ];
    });
  });
}
