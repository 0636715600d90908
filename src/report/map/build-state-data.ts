import type { InferenceCluster } from '../../api/inference-cluster';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { groupBy } from '../../base/order';
import { formatTaint } from '../../base/text';
import type { ClusterCost } from '../../cost/cost';
import type { PlacedFleet } from '../../plan/decision';
import type { CompiledCluster } from '../../scheduler/compiled-fleet';
import type { Placement } from '../../scheduler/placement';
import type { OwnedPods, ReplicaPods } from './arrange-pods';
import { buildCostData, createReplicaCostText, type MappedCost } from './build-cost-data';
import { buildPoolData, replicaPodsOf } from './build-pool-data';
import { type ClusterData, REPLICA_MARKS, PHASES, type ReplicaData, type StateData } from './map-data';
import type { ReferenceTables } from './reference-tables';
import type { MappedReplicaStatus, ReplicaStatusLookup } from './replica-status';

/** A state of a fleet to map: its placement, its cost, and a lookup of the status of each replica. */
export interface MappedState {
  readonly name: string;
  readonly decision: PlacedFleet;
  readonly cost: MappedCost;
  readonly statusOf: ReplicaStatusLookup;
}

export function buildStateData(
  state: MappedState,
  deployments: ReadonlyMap<string, number>,
  tables: ReferenceTables,
): StateData {
  const { name, decision, cost } = state;
  const { model, schedule, fleet } = decision;
  const placements = groupBy(schedule.placements, ({ cluster }) => cluster);
  const declarations = new Map(fleet.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const costs = new Map(cost.cost.clusters.map((clusterCost) => [clusterCost.cluster, clusterCost]));
  const compiled = new Map(model.deployments.map((deployment) => [deployment.id, deployment]));
  const costOf = createReplicaCostText(cost);
  const phasesOf = createPhaseLookup(fleet.deployments);
  const clusters = model.clusters.flatMap((cluster) => {
    const [declared, clusterCost] = [declarations.get(cluster.name), costs.get(cluster.name)];
    if (!declared || !clusterCost) return [];
    const replicas = (placements.get(cluster.name) ?? []).map((placement) => {
      const of = { compiled: compiled.get(placement.deployment), phaseOf: phasesOf(placement.deployment) };
      const pods = replicaPodsOf(placement, cluster, of, decision.matcher);
      const deployment = deployments.get(placement.deployment) ?? -1;
      return { placement, deployment, status: state.statusOf(placement), pods, cost: costOf(placement) };
    });
    const mapped = { cluster, declared, cost: clusterCost, currency: cost.cost.currency };
    return [tables.clusters.of(buildClusterData(mapped, replicas, tables))];
  });
  return { name, clusters, cost: buildCostData(cost, tables) };
}

/** Creates a lookup of the index in `PHASES` of each engine, by deployment. */
function createPhaseLookup(deployments: readonly ModelDeployment[]) {
  const phases = new Map(
    deployments.flatMap((deployment) =>
      deployment.spec.template.spec.engines.map(({ name, phase }): [string, number] => [
        `${qualifiedNameOf(deployment)} ${name}`,
        PHASES.indexOf(phase ?? ''),
      ]),
    ),
  );
  return (deployment: string) => (engine: string) => phases.get(`${deployment} ${engine}`) ?? 0;
}

interface MappedCluster {
  readonly cluster: CompiledCluster;
  readonly declared: InferenceCluster;
  readonly cost: ClusterCost;
  readonly currency: string;
}

interface MappedReplica {
  readonly placement: Placement;
  readonly deployment: number;
  readonly status: MappedReplicaStatus;
  readonly pods: readonly ReplicaPods[];
  readonly cost: string;
}

function buildClusterData(
  { cluster, declared, cost, currency }: MappedCluster,
  replicas: readonly MappedReplica[],
  tables: ReferenceTables,
): ClusterData {
  const owned = replicas.flatMap(({ pods, deployment, status }, replica) => {
    const mark = REPLICA_MARKS.indexOf(status.mark);
    return pods.map((replicaPods): OwnedPods => ({ ...replicaPods, deployment, replica, mark }));
  });
  const byPool = groupBy(owned, ({ pool }) => pool);
  return {
    name: tables.text(cluster.name),
    facts: factsOf(cluster).map(tables.text),
    pools: cluster.pools.flatMap((pool) => {
      const poolCost = cost.pools.find((candidate) => candidate.pool === pool.name);
      if (!poolCost) return [];
      const reserved = reservedOf(declared, pool.name);
      return [buildPoolData(pool, byPool.get(pool.name) ?? [], { cost: poolCost, currency, reserved }, tables)];
    }),
    replicas: replicas.map((replica) => buildReplicaData(replica, tables)),
  };
}

function buildReplicaData(
  { placement, deployment, status, cost }: MappedReplica,
  tables: ReferenceTables,
): ReplicaData {
  const { mark, why, move } = status;
  const facts = [REPLICA_MARKS.indexOf(mark), why.map(tables.text), tables.text(cost)] as const;
  const standing = tables.standings.of(move === undefined ? facts : [...facts, tables.text(move)]);
  const replica = [deployment, standing, placement.index] as const;
  return placement.draining ? [...replica, 1] : replica;
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

/** Formats the resources that other workloads use on each node of a pool. */
function reservedOf({ spec }: InferenceCluster, name: string): string[] {
  const pool = spec.nodePools.find((candidate) => candidate.name === name);
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
