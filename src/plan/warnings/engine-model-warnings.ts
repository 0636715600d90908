import type { Engine } from '../../api/engine';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ModelCache } from '../../api/model-cache';
import { HUGGING_FACE_ENDPOINT, isAirGapped } from '../../api/image-names';
import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Path, qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { isGated } from '../../catalog/models/gated-models';
import { readContainerSettings } from '../../engine/container-settings';
import { ADAPTERS_PATH, addMissingAdapters, engineFilesOf } from '../../engine/model-files';
import { findNamedModel, isRepository } from '../../engine/named-model';
import { containerSettingsOf } from '../../engine/ports-and-probe-defaults';
import { profileOf, servingMemberOf } from '../../engine/runtime-detection';
import type { Fleet } from '../../fleet/fleet';
import { groupByDeployment, type Placement } from '../../scheduler/placement';

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

interface FetchedModel {
  readonly repository: string;
  readonly path: Path;
}

/** The flags of llama.cpp that name a repository. Its other model flags name files. */
const REPOSITORY_FLAG = /^--?hf/;

/** Finds the model repository that an engine fetches at startup. The path is relative to the engine. */
function findFetchedModel(deployment: ModelDeployment, engine: Engine): FetchedModel | undefined {
  const settings = containerSettingsOf(deployment, engine);
  if (settings.variables.has(HUGGING_FACE_ENDPOINT)) return undefined;
  const found = findNamedModel(settings);
  if (found?.value === undefined || !isRepository(found.value)) return undefined;
  if (!settings.profile.model.directory && !REPOSITORY_FLAG.test(found.name)) return undefined;
  const index = engine.members.indexOf(servingMemberOf(engine));
  const container = ['members', index, 'template', 'spec', 'containers', 0];
  return { repository: found.value, path: [...container, ...found.path] };
}

/** Finds engines that fetch a gated model from Hugging Face without a token, and caches that stage one without a Secret. */
export function findGatedModels(
  { deployments, clusters, caches }: Fleet,
  placements: readonly Placement[],
): Diagnostic<ResourcePath>[] {
  if (clusters.length > 0 && clusters.every(isMirrored)) return [];
  const mirrored = new Set(clusters.filter(isMirrored).map(({ metadata }) => metadata.name));
  const lines = groupByDeployment(placements);
  const engines = deployments.flatMap((deployment) => {
    const own = lines.get(qualifiedNameOf(deployment)) ?? [];
    if (own.length > 0 && own.every(({ cluster }) => mirrored.has(cluster))) return [];
    return deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const fetched = findFetchedModel(deployment, engine);
      if (!fetched || !isGated(fetched.repository) || mayHaveToken(deployment, engine)) return [];
      const at = { resource: deployment, path: ['spec', 'template', 'spec', 'engines', e, ...fetched.path] };
      return [warningAt('gated-model', at, describeGated(fetched.repository), TOKEN_HINT)];
    });
  });
  return [...engines, ...caches.flatMap(findGatedCache)];
}

function isMirrored({ spec }: InferenceCluster): boolean {
  return spec.mirror.huggingFace !== undefined;
}

function findGatedCache(cache: ModelCache): Diagnostic<ResourcePath>[] {
  const { huggingFace } = cache.spec;
  if (!huggingFace || huggingFace.authSecret || !isGated(huggingFace.repo)) return [];
  const at = { resource: cache, path: ['spec', 'huggingFace', 'repo'] };
  const hint = `Accept its licence, and add 'authSecret: { name: hugging-face }' to spec.huggingFace: a Secret with the key HF_TOKEN`;
  return [warningAt('gated-model', at, describeGated(huggingFace.repo), hint)];
}

function describeGated(repository: string): string {
  return `Hugging Face serves ${repository} only with a token of an account that accepted its licence`;
}

const TOKEN_HINT =
  "Add to env of the container '- { name: HF_TOKEN, valueFrom: { secretKeyRef: { name: hugging-face, key: HF_TOKEN } } }', or stage it with a ModelCache that has spec.huggingFace.authSecret";

/** The variables from which the client of Hugging Face reads a token (huggingface_hub, constants.py). */
const TOKEN_VARIABLES = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HF_TOKEN_PATH'];

/** Whether the container of an engine has a token, or takes variables from elsewhere, which may have one. */
function mayHaveToken(deployment: ModelDeployment, engine: Engine): boolean {
  const { variables } = containerSettingsOf(deployment, engine);
  const [container] = servingMemberOf(engine).template.spec.containers;
  return TOKEN_VARIABLES.some((name) => variables.has(name)) || (container.envFrom ?? []).length > 0;
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
