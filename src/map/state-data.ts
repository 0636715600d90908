import type { InferenceCluster } from '../api/inference-cluster';
import type { ClusterCost, Cost } from '../cost/cost';
import { groupBy } from '../order';
import type { Placed } from '../plan/decide';
import { formatTaint } from '../plan/format';
import type { Site } from '../scheduler/model';
import type { Placement } from '../scheduler/types';
import { costData, replicaCosts } from './cost-data';
import { type ClusterData, MARKS, type ReplicaData, type StateData } from './map-data';
import { podsOf } from './pods-of';
import { type Owned, poolData } from './pool-data';
import type { StandingOf } from './standing';
import type { Tables } from './tables';

/** A fleet at one point of its history, as it was decided there. */
export interface MappedState {
  readonly name: string;
  readonly decision: Placed;
  readonly cost: Cost;
  readonly standingOf: StandingOf;
}

/** The clusters of a state, with all that stands on them. */
export function stateData(
  state: MappedState,
  deployments: ReadonlyMap<string, number>,
  tables: Tables,
): StateData {
  const { name, decision, cost } = state;
  const { model, schedule, fleet } = decision;
  const placements = groupBy(schedule.placements, ({ cluster }) => cluster);
  const declared = new Map(fleet.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const costs = new Map(cost.clusters.map((one) => [one.cluster, one]));
  const workloads = new Map(model.workloads.map((workload) => [workload.id, workload]));
  const costOf = replicaCosts(cost);
  const clusters = model.sites.flatMap((site) => {
    const [cluster, clusterCost] = [declared.get(site.name), costs.get(site.name)];
    if (!cluster || !clusterCost) return [];
    const replicas = (placements.get(site.name) ?? []).map((placement) => {
      const { mark, why } = state.standingOf(placement);
      const pods = podsOf(placement, site, workloads.get(placement.deployment), decision.matcher);
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
        clusterData({ site, cluster, cost: clusterCost, currency: cost.currency }, replicas, tables),
      ),
    ];
  });
  return { name, clusters, cost: costData(cost, tables.text) };
}

interface Here {
  readonly site: Site;
  readonly cluster: InferenceCluster;
  readonly cost: ClusterCost;
  readonly currency: string;
}

interface ReplicaHere {
  readonly placement: Placement;
  readonly deployment: number;
  readonly mark: number;
  readonly why: readonly string[];
  readonly pods: ReturnType<typeof podsOf>;
  readonly cost: string;
}

function clusterData(
  { site, cluster, cost, currency }: Here,
  replicas: readonly ReplicaHere[],
  tables: Tables,
): ClusterData {
  const owned = replicas.flatMap(({ pods, deployment, mark }, replica) =>
    pods.map((own): Owned => ({ ...own, deployment, replica, mark })),
  );
  const byPool = groupBy(owned, ({ pool }) => pool);
  return {
    name: tables.text(site.name),
    facts: factsOf(site).map(tables.text),
    pools: site.pools.flatMap((pool) => {
      const poolCost = cost.pools.find((one) => one.pool === pool.name);
      const reserved = reservedOf(cluster, pool.name);
      return poolCost
        ? [poolData(pool, byPool.get(pool.name) ?? [], { cost: poolCost, currency, reserved }, tables)]
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

function factsOf({ labels, taints, paused }: Site): string[] {
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
