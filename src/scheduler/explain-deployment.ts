import type { PlacementPolicy } from '../api/placement';
import { compareText, groupBy } from '../base/order';
import type { CompiledCluster, CompiledDeployment, CompiledFleet, Pool } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { rejectNew } from './filters';
import { fitReplica } from './fit-replica';
import { countFurther, type FurtherReplicas } from './further-replicas';
import { createPackedCounter, type PackedRoom } from './packed-room';
import { createReasonLookup, type PlacedModel, type PlacementReason } from './placement-reasons';
import { RejectionFinder } from './rejections';
import { type ChosenCluster, findDecidingStep } from './place-replicas';
import { retainPlacements } from './retain-placements';
import type { Rejection } from './reason';
import { type Placement, sortByIdentity, variantsOf } from './placement';
import { SchedulingState } from './scheduling-state';
import { hasLimits, TopologySpread } from './topology-spread';
import { findUnlockedChoice, type PricedPools, toPricedPools, type UnlockedChoice } from './unlocked-choice';

/** The state of a deployment on every cluster of the fleet. */
export interface DeploymentExplanation {
  readonly deployment: CompiledDeployment;
  readonly clusters: readonly ClusterExplanation[];

  /** What would be chosen without its lines in the lock. Absent: the lock decides none of its places. */
  readonly unlocked?: UnlockedChoice;
}

/** The replicas of a deployment on one cluster, and the reasons against a further one. */
export interface ClusterExplanation {
  readonly cluster: string;
  readonly placements: readonly Placement[];
  /** Why each of the placements is on the cluster, in their order. */
  readonly reasons: readonly PlacementReason[];
  /** The pools and the price of each of them, in their order. */
  readonly places: readonly PricedPools[];
  /** The further replicas that have a place on the cluster alone. Absent: none. */
  readonly further?: FurtherReplicas;
  /** No ingress gateway reaches the cluster, so it is chosen last. */
  readonly unreached?: true;
  /** Why no further replica fits on the cluster. Empty if one would. */
  readonly rejections: readonly Rejection[];
  /** The further replicas that fit with packing of a pool. Absent: packing makes no room. */
  readonly packed?: readonly PackedRoom[];
}

/** The most further replicas to count on all clusters together: each is tried. */
const MOST_COUNTED = 1000;

/** Explains, for one deployment and all placements of a fleet, where its replicas are and why no more fit elsewhere. */
export function explainDeployment(placed: PlacedModel, deployment: CompiledDeployment): DeploymentExplanation {
  const { model } = placed;
  const state = new SchedulingState(model);
  retainPlacements(state, placed.schedule.placements);
  const reasonFor = createReasonLookup(placed, deployment);
  const { rejections } = new RejectionFinder(state).of(deployment);
  const rejectionsByCluster = groupBy(rejections, ({ cluster }) => cluster);
  const assigned = [...state.staying(deployment), ...state.draining(deployment)];
  const byCluster = groupBy(
    sortByIdentity(assigned, ({ placement }) => placement),
    ({ placement }) => placement.cluster,
  );
  const most = Math.max(1, Math.floor(MOST_COUNTED / model.clusters.length));
  const countPacked = createPackedCounter(model, placed.schedule.placements, state.matcher);
  const clusters = model.clusters.map((cluster): ClusterExplanation => {
    const found = rejectionsByCluster.get(cluster.name) ?? [];
    const own = byCluster.get(cluster.name) ?? [];
    const further = hasRoom(state, deployment, cluster, found)
      ? countFurther(state, deployment, cluster, most)
      : undefined;
    return {
      cluster: cluster.name,
      placements: own.map(({ placement }) => placement),
      reasons: own.map(({ placement }) => reasonFor(placement)),
      places: own.map(({ assignment }) => toPricedPools(assignment)),
      rejections: further ? [] : found,
      ...(further ? { further } : countPacked(deployment, found, most)),
      ...(deployment.avoids?.has(cluster.name) && { unreached: true as const }),
    };
  });
  const unlocked = findUnlockedChoice(placed, deployment, state);
  return { deployment, clusters, ...(unlocked && { unlocked }) };
}

/** Why clusters take no further replica of a deployment, and which would take one. */
export interface OtherClusters {
  readonly rejections: readonly Rejection[];

  /** The clusters with room, by name. */
  readonly open: readonly string[];

  /** What chooses among clusters with room. */
  readonly policy: PlacementPolicy;

  /** Why a cluster was chosen and not the first of `open`. Absent: the policy alone does not say it. */
  readonly chosen?: ChosenCluster;
}

/**
 * Finds what keeps further replicas of some deployments from each cluster, with all placements of a fleet.
 *
 * @param moved the clusters to which replicas of each deployment come, by its id
 */
export function findOtherClusters(
  { model, schedule }: Pick<PlacedModel, 'model' | 'schedule'>,
  moved: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, OtherClusters> {
  if (moved.size === 0) return new Map();
  const state = new SchedulingState(model);
  retainPlacements(state, schedule.placements);
  const finder = new RejectionFinder(state);
  const asked = model.deployments.filter(({ id }) => moved.has(id));
  return new Map(
    asked.map((deployment) => {
      const byCluster = groupBy(finder.of(deployment).rejections, ({ cluster }) => cluster);
      const open = model.clusters.filter((cluster) => {
        return hasRoom(state, deployment, cluster, byCluster.get(cluster.name) ?? []);
      });
      const names = new Set(open.map(({ name }) => name));
      const rejections = [...byCluster].flatMap(([cluster, found]) => (names.has(cluster) ? [] : found));
      const to = moved.get(deployment.id) ?? [];
      const other = open.find(({ name }) => !to.includes(name));
      const chosen = other && to.length === 1 ? explainChoice(state, deployment, [to[0] ?? '', other]) : undefined;
      const { policy } = deployment.placement;
      return [deployment.id, { rejections, open: [...names], policy, ...(chosen && { chosen }) }];
    }),
  );
}

/** Explains why the last replica of a deployment on a cluster is there. Leaves the state as it was. */
function explainChoice(
  state: SchedulingState,
  deployment: CompiledDeployment,
  [name, other]: readonly [string, CompiledCluster],
): ChosenCluster | undefined {
  const chosen = state.clusters.get(name);
  const replica = state.staying(deployment).findLast(({ placement }) => placement.cluster === name);
  if (!chosen || !replica) return undefined;
  const { ledger, assignments } = state;
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  spread.remove(chosen);
  ledger.remove(replica.assignment.charges);
  assignments.invalidate(name);
  const found = findDecidingStep(state, spread, [chosen, other]);
  ledger.add(replica.assignment.charges);
  assignments.invalidate(name);
  return found;
}

function hasRoom(
  { matcher, ledger }: SchedulingState,
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  rejections: readonly Rejection[],
): boolean {
  return (
    rejections.every(({ reason }) => reason.filter === 'together') &&
    variantsOf(deployment).some(({ demand }) => fitReplica(demand, cluster, matcher, ledger) !== undefined)
  );
}

/** The devices of the pools of a cluster, and which deployments have room for a further replica there. */
export interface ClusterRoom {
  readonly pools: readonly {
    readonly pool: string;
    readonly className: string;
    readonly nodes: number;
    /** The devices that replicas take, and the others. */
    readonly inUse: number;
    readonly free: number;
  }[];

  /** By id. */
  readonly deployments: readonly RoomForDeployment[];
}

/** The further replicas of a deployment that have a place on a cluster, or why there is none. */
export interface RoomForDeployment extends Pick<ClusterExplanation, 'further' | 'rejections' | 'packed'> {
  readonly deployment: string;
}

/** Explains what is in use on a cluster, and which deployments may have a further replica there. */
export function explainCluster(
  model: CompiledFleet,
  placements: readonly Placement[],
  cluster: CompiledCluster,
): ClusterRoom {
  const state = new SchedulingState(model);
  retainPlacements(state, placements);
  const finder = new RejectionFinder(state);
  const pools = cluster.pools.map((pool) => {
    const { name, className } = pool;
    return { pool: name, className, nodes: state.ledger.nodes(pool), ...state.ledger.deviceUse(pool) };
  });
  const most = mostOfEach(model);
  const countPacked = createPackedCounter(model, placements, state.matcher);
  const deployments = model.deployments.map((deployment): RoomForDeployment => {
    const found = finder.of(deployment).rejections.filter((one) => one.cluster === cluster.name);
    const further = hasRoom(state, deployment, cluster, found)
      ? countFurther(state, deployment, cluster, most)
      : undefined;
    const room = further ? { further } : countPacked(deployment, found, most);
    return { deployment: deployment.id, rejections: further ? [] : found, ...room };
  });
  return { pools, deployments: deployments.sort((a, b) => compareText(a.deployment, b.deployment)) };
}

/** The most further replicas of each deployment to count on a cluster. */
function mostOfEach({ deployments }: CompiledFleet): number {
  return Math.max(1, Math.floor(MOST_COUNTED / deployments.length));
}

/** What replicas take of clusters, and which clusters have guaranteed room for a further replica. */
export interface FurtherRoom {
  /** Whether a cluster has room for a further replica of a deployment. */
  readonly has: (deployment: CompiledDeployment, cluster: CompiledCluster) => boolean;

  /** The further replicas of a deployment that have a place on a cluster, up to a number. Undefined: none. */
  readonly count: (deployment: CompiledDeployment, cluster: CompiledCluster) => FurtherReplicas | undefined;

  /** The devices that replicas take of a pool, with those for rollouts, the others, and the nodes that it has. */
  readonly useOf: (pool: Pool) => { readonly inUse: number; readonly free: number; readonly nodes: number };
}

/**
 * Creates a check of the room that `explainCluster` explains, without its reasons: a cluster is examined once for all
 * deployments with the same demand.
 */
export function createFurtherRoom(
  { model, matcher }: Pick<PlacedModel, 'model'> & { readonly matcher: PodMatcher },
  placements: readonly Placement[],
): FurtherRoom {
  const state = new SchedulingState(model, matcher);
  retainPlacements(state, placements);
  const { assignments, ledger } = state;
  const isLimited = (deployment: CompiledDeployment, cluster: CompiledCluster): boolean =>
    hasLimits(deployment) &&
    new TopologySpread(deployment, state.clustersOf(deployment)).findLimit(cluster) !== undefined;
  const has = (deployment: CompiledDeployment, cluster: CompiledCluster): boolean =>
    variantsOf(deployment).some(
      ({ demand }) => !rejectNew(demand, cluster) && assignments.of(demand, cluster) !== undefined,
    ) && !isLimited(deployment, cluster);
  const most = mostOfEach(model);
  return {
    has,
    count: (deployment, cluster) =>
      has(deployment, cluster) ? countFurther(state, deployment, cluster, most) : undefined,
    useOf: (pool) => ({ ...ledger.deviceUse(pool), nodes: ledger.nodes(pool) }),
  };
}
