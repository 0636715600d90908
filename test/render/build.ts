import { cacheReferencesOf } from '../../src/api/cache/cache-references';
import type { Engine } from '../../src/api/engine';
import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { Resource } from '../../src/api/kinds';
import type { ModelCache } from '../../src/api/model-cache';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { assemble, type Fleet } from '../../src/fleet/fleet';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { renderCluster } from '../../src/render/cluster';
import { indexCaches, listMountedCaches } from '../../src/replicas/mounted-caches';
import type { ComputedEngine, ComputedReplica } from '../../src/replicas/replica';
import { aCache, aCluster, aDeployment, type Doc } from '../api/build';

export const EMPTY: Fleet = assemble([]);

/** A GKE cluster with one pool. */
export const GKE = aCluster('gke', { source: 'GKE', pools: { h100: 2 } });

interface ReplicaOptions {
  cluster?: InferenceCluster;
  index?: number;
  /** Whether other pods fit next to its pods. */
  small?: boolean;
  deviceClassName?: string;
  here?: number;

  /** Caches that the row declares. Others that the deployment names are from Hugging Face. */
  caches?: ModelCache[];
}

/** A replica whose engines are all on the first pool of the cluster. Each request is bound to one device class. */
export function aReplica(
  deployment: ModelDeployment,
  {
    cluster = GKE,
    index = 0,
    small = false,
    deviceClassName = 'gpu.nvidia.com',
    here = 1,
    caches: given = [],
  }: ReplicaOptions = {},
): ComputedReplica {
  const pool = cluster.spec.nodePools[0]!;
  const engines = deployment.spec.template.spec.engines.map(
    (engine): ComputedEngine => ({ engine, pool, members: bound(engine, deviceClassName, !small) }),
  );
  const declared = cacheReferencesOf(deployment).map(({ name, as }) =>
    aCache(`${deployment.metadata.namespace}/${name}`, { content: as }),
  );
  const others = declared.filter((one) => !given.some((cache) => cache.metadata.name === one.metadata.name));
  const caches = listMountedCaches(deployment, cluster, indexCaches({ caches: [...given, ...others] }));
  const wave = { fleet: index + 1, cluster: index + 1 };
  return { version: 1, deployment, cluster, index, wave, here, engines, caches };
}

function bound({ members }: Engine, deviceClassName: string, takesNode: boolean): ComputedEngine['members'] {
  return members.map((member) => ({
    member,
    takesNode,
    requests: {},
    claims: (member.nodeSelector?.devices ?? []).map(({ name, count, selectors }) => ({
      request: name,
      forms: [{ claimedAs: deviceClassName, count, selectors: selectors.map(({ cel }) => cel) }],
    })),
  }));
}

/** What one replica of a deployment becomes. */
export function manifestsOf(deployment: ModelDeployment, options: ReplicaOptions = {}): Manifest[] {
  const { cluster = GKE } = options;
  return renderCluster(cluster, [aReplica(deployment, options)], { fleet: EMPTY });
}

/** The manifests of a kind. */
export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

/** A deployment of one engine with one member, with what the row says about its container. */
export function withContainer(container: Doc, options: Parameters<typeof aDeployment>[1] = {}): ModelDeployment {
  return aDeployment('ml/qwen3', { engines: [{ name: 'main', members: [aPod(container)] }], ...options });
}

/** A deployment of one gang, with what the row says about the container of both members. */
export function gangWith(container: Doc, options: Parameters<typeof aDeployment>[1] = {}): ModelDeployment {
  const leader = { ...aPod(container), role: 'Leader' };
  const worker = { ...aPod(container), role: 'Worker' };
  return aDeployment('ml/qwen3', { engines: [{ name: 'main', members: [leader, worker] }], ...options });
}

function aPod(container: Doc): Doc {
  const devices = [{ name: 'gpu', selectors: [{ cel: 'true' }] }];
  return {
    nodeSelector: { devices },
    template: { spec: { containers: [{ name: 'engine', image: 'vllm', ...container }] } },
  };
}

/** The pod templates of a deployment, by role. */
export function pods(deployment: ModelDeployment, options: ReplicaOptions = {}): Record<string, Pod> {
  const manifests = manifestsOf(deployment, options);
  const templates = manifests.flatMap(({ spec }) => {
    const { template, leaderWorkerTemplate: gang } = (spec ?? {}) as Doc & { leaderWorkerTemplate?: Doc };
    return [template, gang?.leaderTemplate, gang?.workerTemplate].filter((pod) => pod !== undefined) as Pod[];
  });
  return Object.fromEntries(templates.map((pod) => [pod.metadata.labels['fleetwright.dev/role'], pod]));
}

/** A pod template as tests read it. */
export interface Pod {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: Doc & { containers: [Doc] };
}

/** A resource under another name, however long. */
export function renamed<R extends Resource>(resource: R, name: string): R {
  return { ...resource, metadata: { ...resource.metadata, name } };
}

/** A fleet of these resources. */
export function fleetOf(...resources: Resource[]): Fleet {
  return assemble(resources);
}

/** The fields of a map that a row names. Undefined for those that are absent. */
export function pick(map: Doc, want: Doc): Doc {
  return Object.fromEntries(Object.keys(want).map((key) => [key, map[key]]));
}
