import type { InferenceCluster } from '../../api/inference-cluster';
import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Path, qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { joinNames, pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { isDrainTaint } from '../drains';
import { isLost } from '../../scheduler/lost-clusters';
import { findOvercommitted } from '../../scheduler/overcommitted';
import { groupByDeployment, type Placement, placementKeyOf } from '../../scheduler/placement';

/** Finds clusters that ask for the serving stack of NVIDIA Dynamo, which manifests of the alias group can. */
export function findStackWarnings({ clusters }: Fleet): Diagnostic<ResourcePath>[] {
  return clusters.flatMap((resource) => {
    if (resource.spec.stack !== 'Dynamo') return [];
    const at = { resource, path: ['spec', 'stack'] };
    const what = 'the stack Dynamo is not available: LeaderWorkerSets run gangs, without Grove and ModelExpress';
    const hint = "Set 'stack: Standard', and remove GROVE_* variables and '--load-format modelexpress' from engines";
    return [warningAt('no-dynamo', at, what, hint)];
  });
}

/** The names of the clusters that are declared lost. */
export function listLostClusters({ clusters }: Pick<Fleet, 'clusters'>): ReadonlySet<string> {
  return new Set(clusters.filter(({ spec }) => isLost(spec)).map(({ metadata }) => metadata.name));
}

/** The names of the clusters that a taint drains. */
export function listDrainedClusters({ clusters }: Pick<Fleet, 'clusters'>): ReadonlySet<string> {
  return new Set(clusters.filter(({ spec }) => spec.taints.some(isDrainTaint)).map(({ metadata }) => metadata.name));
}

/**
 * Finds gateways that accept requests on drained clusters: replicas move away, gateways and DNS names do not.
 *
 * @param known the names of drained clusters to leave out. Default: none
 */
export function findDrainedGateways(
  { clusters, gateways }: Fleet,
  known: ReadonlySet<string> = new Set(),
): Diagnostic<ResourcePath>[] {
  const drained = listDrainedClusters({ clusters });
  const lost = listLostClusters({ clusters });
  return gateways.flatMap((resource) => {
    const { metadata, spec } = resource;
    const { clusters: names, hostname } = spec;
    return names.flatMap((name, c) => {
      if (!drained.has(name) || known.has(name)) return [];
      const at = { resource, path: ['spec', 'clusters', c] };
      const isNamed = hostname !== undefined;
      if (lost.has(name)) {
        const address = isNamed ? `Take its address out of the DNS record of ${hostname}, and remove` : 'Remove';
        return [
          warningAt(
            'drained-gateway',
            at,
            `${name} is lost, and the gateway ${metadata.name} lists it`,
            `${address} '${name}' from spec.clusters`,
          ),
        ];
      }
      const what = `${name} is to be drained, but still serves the gateway ${metadata.name}${isNamed ? `, at ${hostname}` : ''}`;
      const first = isNamed ? 'take its address out of DNS, wait for the TTL of the record, and then ' : '';
      const remove = `Before you stop the cluster, ${first}remove '${name}' from spec.clusters, with a new lock and synth`;
      const hint = names.every((other) => drained.has(other)) ? `${remove}, and add a cluster that stays` : remove;
      return [warningAt('drained-gateway', at, what, hint)];
    });
  });
}

/** Finds pools for whose placed replicas a snapshot shows too few nodes. Each pool has one warning. */
export function findOvercommittedPools(
  { clusters }: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { matcher: PodMatcher; placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  return findOvercommitted(model, placements, matcher).flatMap(({ pool, placements: uncovered }) => {
    const resource = byName.get(pool.cluster);
    if (!resource) return [];
    const p = resource.spec.nodePools.findIndex(({ name }) => name === pool.name);
    const names = joinNames(uncovered.map(placementKeyOf));
    const left = pluralize(pool.nodes - pool.lost, 'node');
    const what = `by the snapshot, pool '${pool.name}' has ${left}, too few for ${names}`;
    return [warningAt('uncovered-replicas', { resource, path: ['spec', 'nodePools', p] }, what, UNCOVERED_HINT)];
  });
}

const UNCOVERED_HINT =
  'Replicas that are placed stay, and new ones are not placed there. Bring the nodes back, or lower the size of the pool to move replicas';

/** The CSI driver name of Cloud Storage FUSE (GoogleCloudPlatform/gcs-fuse-csi-driver). */
const GCS_FUSE = 'gcsfuse.csi.storage.gke.io';

/** Finds bucket volumes of pods on clusters where the Cloud Storage FUSE driver is disabled. */
export function findVolumeDriverWarnings(
  { deployments, clusters }: Fleet,
  placements: readonly Placement[],
): Diagnostic<ResourcePath>[] {
  const without = clusters.filter(lacksGcsFuse);
  if (without.length === 0) return [];
  const lines = groupByDeployment(placements);
  return deployments.flatMap((deployment) => {
    const mounts = bucketsOf(deployment);
    if (mounts.length === 0) return [];
    const clusterNames = new Set(lines.get(qualifiedNameOf(deployment))?.map(({ cluster }) => cluster));
    const cluster = without.find(({ metadata }) => clusterNames.has(metadata.name));
    if (!cluster) return [];
    return mounts.map(({ name, path }) => {
      const what = `volume '${name}' needs ${GCS_FUSE}, which ${resourceIdOf(cluster)} does not have`;
      const hint = "Set 'gcsFuse: true' at spec.cluster.gke.addons of the cluster";
      return warningAt('no-volume-driver', { resource: deployment, path }, what, hint);
    });
  });
}

function lacksGcsFuse({ spec: { cluster } }: InferenceCluster): boolean {
  return cluster.source === 'GKE' && cluster.gke?.addons.gcsFuse === false;
}

function bucketsOf({ spec }: ModelDeployment): { readonly name: string; readonly path: Path }[] {
  return spec.template.spec.engines.flatMap(({ members }, e) =>
    members.flatMap(({ template }, m) =>
      (template.spec.volumes ?? []).flatMap(({ name, csi }, v) => {
        const at = ['engines', e, 'members', m, 'template', 'spec', 'volumes', v, 'csi', 'driver'];
        return csi?.driver === GCS_FUSE ? [{ name, path: ['spec', 'template', 'spec', ...at] }] : [];
      }),
    ),
  );
}
