import { cacheReferencesOf } from '../../api/cache/cache-references';
import type { Engine } from '../../api/engine';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ResourcePath } from '../../api/kinds';
import type { ModelCache } from '../../api/model-cache';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { isGated } from '../../catalog/models/gated-models';
import { containerSettingsOf } from '../../engine/ports-and-probe-defaults';
import { servingMemberOf } from '../../engine/runtime-detection';
import type { Fleet } from '../../fleet/fleet';
import { groupByDeployment, type Placement } from '../../scheduler/placement';
import { findFetchedModel } from './engine-model-warnings';

/** A download that Hugging Face refuses, because the repository is gated and nothing declares a token. */
export interface RefusedDownload {
  readonly repository: string;

  /** Where the repository is named. */
  readonly at: ResourcePath;

  /** Whether nothing else can give what downloads a token or the files: a volume, a script, a folder of another name. */
  readonly certain: boolean;
}

/** Finds engines that fetch a gated model from Hugging Face without a token, and caches that stage one without a Secret. */
export function findGatedModels(fleet: Fleet, placements: readonly Placement[]): Diagnostic<ResourcePath>[] {
  if (isMirroredEverywhere(fleet)) return [];
  const mirrored = mirroredClustersOf(fleet);
  const lines = groupByDeployment(placements);
  const engines = fleet.deployments.flatMap((deployment) => {
    return findOwnDownloads(deployment, mirrored, lines.get(qualifiedNameOf(deployment)) ?? []);
  });
  return [
    ...engines.map(({ at, repository }) => warningAt('gated-model', at, describeRefused(repository), TOKEN_HINT)),
    ...fleet.caches.flatMap(findStaging).map(({ at, repository }) => {
      return warningAt('gated-model', at, describeUnstaged(repository), SECRET_HINT);
    }),
  ];
}

/**
 * Finds the downloads, by its engines and of its caches, without which a deployment never serves. Not where something
 * else may give what downloads a token or the files.
 */
export function findRefusedDownloads(
  deployment: ModelDeployment,
  { fleet, schedule }: { readonly fleet: Fleet; readonly schedule: { readonly placements: readonly Placement[] } },
): RefusedDownload[] {
  if (isMirroredEverywhere(fleet)) return [];
  const { namespace } = deployment.metadata;
  const used = new Set(cacheReferencesOf(deployment).map(({ name }) => `${namespace}/${name}`));
  const caches = fleet.caches.filter((one) => used.has(qualifiedNameOf(one)));
  const own = groupByDeployment(schedule.placements).get(qualifiedNameOf(deployment)) ?? [];
  const engines = findOwnDownloads(deployment, mirroredClustersOf(fleet), own).filter(({ certain }) => certain);
  return [...engines, ...caches.flatMap(findStaging)];
}

function isMirroredEverywhere({ clusters }: Fleet): boolean {
  return clusters.length > 0 && clusters.every(isMirrored);
}

function isMirrored({ spec }: InferenceCluster): boolean {
  return spec.mirror.huggingFace !== undefined;
}

/** The names of the clusters that fetch models from a mirror. */
function mirroredClustersOf({ clusters }: Fleet): ReadonlySet<string> {
  return new Set(clusters.filter(isMirrored).map(({ metadata }) => metadata.name));
}

function findOwnDownloads(
  deployment: ModelDeployment,
  mirrored: ReadonlySet<string>,
  placements: readonly Placement[],
): RefusedDownload[] {
  if (placements.length > 0 && placements.every(({ cluster }) => mirrored.has(cluster))) return [];
  return deployment.spec.template.spec.engines.flatMap((engine, e) => {
    const fetched = findFetchedModel(deployment, engine);
    if (!fetched || !isGated(fetched.repository) || mayHaveToken(deployment, engine)) return [];
    const at = { resource: deployment, path: ['spec', 'template', 'spec', 'engines', e, ...fetched.path] };
    return [{ repository: fetched.repository, at, certain: !mayHaveFiles(deployment, engine) }];
  });
}

function findStaging(cache: ModelCache): RefusedDownload[] {
  const { huggingFace } = cache.spec;
  if (!huggingFace || huggingFace.authSecret || !isGated(huggingFace.repo)) return [];
  const at = { resource: cache, path: ['spec', 'huggingFace', 'repo'] };
  return [{ repository: huggingFace.repo, at, certain: true }];
}

function describeRefused(repository: string): string {
  return `the engines do not start: they cannot download ${repository}, which is gated, because they have no HF_TOKEN`;
}

function describeUnstaged(repository: string): string {
  return `the cache is never staged: it cannot download ${repository}, which is gated, because it has no authSecret`;
}

/** What gives engines a token. */
export const TOKEN_HINT =
  "Add to env of the container '- { name: HF_TOKEN, valueFrom: { secretKeyRef: { name: hugging-face, key: HF_TOKEN } } }', a token of an account that accepted the license, or stage it with a ModelCache that has spec.huggingFace.authSecret";

/** What gives a cache a token. */
export const SECRET_HINT =
  "Accept the license of the repository, and add 'authSecret: { name: hugging-face }' to spec.huggingFace: a Secret with the key HF_TOKEN";

/** The variables from which the client of Hugging Face reads a token (huggingface_hub, constants.py). */
const TOKEN_VARIABLES = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HF_TOKEN_PATH'];

/** Whether the container of an engine has a token, or takes variables from elsewhere, which may have one. */
function mayHaveToken(deployment: ModelDeployment, engine: Engine): boolean {
  const { variables } = containerSettingsOf(deployment, engine);
  const [container] = servingMemberOf(engine).template.spec.containers;
  return TOKEN_VARIABLES.some((name) => variables.has(name)) || (container.envFrom ?? []).length > 0;
}

/** The variables that name a folder which may have the files or a token, and those that forbid downloads. */
const FOLDER_VARIABLES = ['HF_HOME', 'HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE', 'XDG_CACHE_HOME', 'HF_HUB_OFFLINE'];

/** Whether an engine may find the files, or a token, in a volume, or by a script that only its container knows. */
function mayHaveFiles(deployment: ModelDeployment, engine: Engine): boolean {
  const { variables, complete } = containerSettingsOf(deployment, engine);
  const { containers, initContainers = [] } = servingMemberOf(engine).template.spec;
  const [{ volumeMounts = [], command = [], args = [] }] = containers;
  const isScript = [...command, ...args].some((word) => /[;\n]|&&/.test(word));
  const isPrepared = isScript || volumeMounts.length + initContainers.length > 0;
  return !complete || isPrepared || FOLDER_VARIABLES.some((name) => variables.has(name));
}
