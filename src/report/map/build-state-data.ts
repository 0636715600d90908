import type { InferenceCluster } from '../../api/inference-cluster';
import { groupBy } from '../../base/order';
import { formatTaint } from '../../base/text';
import type { ClusterCost, Cost } from '../../cost/cost';
import type { PlacedFleet } from '../../plan/decision';
import type { CompiledCluster } from '../../scheduler/compiled-fleet';
import type { Placement } from '../../scheduler/schedule-result';
import { buildCostData, createReplicaCostText } from './build-cost-data';
import { buildPoolData, type OwnedPods, replicaPodsOf } from './build-pool-data';
import { type ClusterData, MARKS, type ReplicaData, type StateData } from './map-data';
import type { ReferenceTables } from './reference-tables';
import type { ReplicaStatusLookup } from './replica-status';

/** A fleet at one point of its history, as it was decided there. */
export interface MappedState {
  readonly name: string;
  readonly decision: PlacedFleet;
  readonly cost: Cost;
  readonly standingOf: ReplicaStatusLookup;
}

/** The clusters of a state, with all that stands on them. */
export function buildStateData(
  state: MappedState,
  deployments: ReadonlyMap<string, number>,
  tables: ReferenceTables,
): StateData {
  const { name, decision, cost } = state;
  const { model, schedule, fleet } = decision;
  const placements = groupBy(schedule.placements, ({ cluster }) => cluster);
  const declared = new Map(fleet.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const costs = new Map(cost.clusters.map((one) => [one.cluster, one]));
  const workloads = new Map(model.deployments.map((workload) => [workload.id, workload]));
  const costOf = createReplicaCostText(cost);
  const clusters = model.clusters.flatMap((site) => {
    const [cluster, clusterCost] = [declared.get(site.name), costs.get(site.name)];
    if (!cluster || !clusterCost) return [];
    const replicas = (placements.get(site.name) ?? []).map((placement) => {
      const { mark, why } = state.standingOf(placement);
      const pods = replicaPodsOf(placement, site, workloads.get(placement.deployment), decision.matcher);
      return {
        placement,
        deployment: deployments.get(placement.deployment) ?? -1,
        mark: MARKS.indexOf(mark),
        why,
        pods,
        cost: costOf(placement),
      };
    });
    return [
      tables.clusters.of(
        buildClusterData({ site, cluster, cost: clusterCost, currency: cost.currency }, replicas, tables),
      ),
    ];
  });
  return { name, clusters, cost: buildCostData(cost, tables.text) };
}

interface ClusterHere {
  readonly site: CompiledCluster;
  readonly cluster: InferenceCluster;
  readonly cost: ClusterCost;
  readonly currency: string;
}

interface ReplicaHere {
  readonly placement: Placement;
  readonly deployment: number;
  readonly mark: number;
  readonly why: readonly string[];
  readonly pods: ReturnType<typeof replicaPodsOf>;
  readonly cost: string;
}

function buildClusterData(
  { site, cluster, cost, currency }: ClusterHere,
  replicas: readonly ReplicaHere[],
  tables: ReferenceTables,
): ClusterData {
  const owned = replicas.flatMap(({ pods, deployment, mark }, replica) =>
    pods.map((own): OwnedPods => ({ ...own, deployment, replica, mark })),
  );
  const byPool = groupBy(owned, ({ pool }) => pool);
  return {
    name: tables.text(site.name),
    facts: factsOf(site).map(tables.text),
    pools: site.pools.flatMap((pool) => {
      const poolCost = cost.pools.find((one) => one.pool === pool.name);
      const reserved = reservedOf(cluster, pool.name);
      return poolCost
        ? [buildPoolData(pool, byPool.get(pool.name) ?? [], { cost: poolCost, currency, reserved }, tables)]
        : [];
    }),
    replicas: replicas.map(({ placement, deployment, mark, why, cost }): ReplicaData => {
      return [
        deployment,
        tables.standings.of([mark, why.map(tables.text), tables.text(cost)]),
        placement.index,
      ];
    }),
  };
}

function factsOf({ labels, taints, paused }: CompiledCluster): string[] {
  return [
    ...Object.entries(labels)
      .sort()
      .map(([key, value]) => `${key}=${value}`),
    ...taints.map((taint) => `taint ${formatTaint(taint)}`),
    ...(paused ? ['paused: its replicas stay exactly as they are'] : []),
  ];
}

/** What others use on each node of a pool. */
function reservedOf({ spec }: InferenceCluster, name: string): string[] {
  const pool = spec.nodePools.find((one) => one.name === name);
  if (!pool) return [];
  const { devices, cpu, memory } = pool.reserved;
  return [
    ...Object.entries(devices)
      .sort()
      .map(([device, count]) => `${count} ${device}`),
    ...Object.entries({ cpu, memory }).flatMap(([resource, amount]) =>
      amount === undefined ? [] : [`${String(amount)} of ${resource}`],
    ),
  ];
}
