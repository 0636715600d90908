import { groupBy } from '../base/order';
import type { CompiledDeployment, CompiledFleet, Pool } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { fitOnPools } from './fit-replica';
import { type Charge, Ledger } from './ledger';
import { footprintKeyOf } from './packing/pod-footprint';
import { comparePlacements, demandOf, type Placement, poolOf } from './placement';
import { computeShortage } from './rejections';
import type { AssignedReplica } from './retained-replicas';
import type { EvictionReason } from './schedule-result';
import type { SchedulingState } from './scheduling-state';

interface ChargedReplica {
  readonly deployment: CompiledDeployment;
  readonly placed: AssignedReplica;
  /** Whether it must not be removed, because its deployment or its cluster is paused. */
  readonly paused: boolean;
}

/**
 * Evicts replicas from overcommitted pools, which follow from a changed declaration or a merge of locks. Keeps as
 * many replicas of the highest priority as possible, then of the next; evicts draining replicas before those that
 * stay, and later ones among equals.
 */
export function evictOvercommitted(state: SchedulingState): void {
  const full = new Set(state.ledger.overcommittedPools());
  if (full.size === 0) return;
  const charged = state.model.deployments.flatMap((deployment) => chargedReplicasOf(state, deployment));
  const movable: ChargedReplica[] = [];
  // Nodes that a snapshot shows as lost do not evict replicas.
  const kept = new Ledger('declared');
  for (const replica of charged) {
    const { charges } = replica.placed.assignment;
    if (!replica.paused && charges.some(({ pool }) => full.has(pool))) movable.push(replica);
    else kept.add(charges);
  }
  const evicted = groupByRank(movable).flatMap((peers) => keepAsManyAsFit(kept, peers));
  state.dropAll(evicted.map(({ placed }) => ({ placed, reason: describeShortage(kept, placed) })));
}

function describeShortage(kept: Ledger, { placement, assignment: { charges } }: AssignedReplica): EvictionReason {
  const short = charges.filter(({ pool }) => kept.missingNodes(pool, charges) > 0);
  const pool = short[0]?.pool.name ?? '';
  return { kind: 'rejected', rejection: { cluster: placement.cluster, pool, reason: computeShortage(kept, short) } };
}

function chargedReplicasOf(state: SchedulingState, deployment: CompiledDeployment): ChargedReplica[] {
  return [...state.staying(deployment), ...state.draining(deployment)].map((placed) => {
    const paused = deployment.paused || state.clusters.get(placed.placement.cluster)?.paused === true;
    return { deployment, placed, paused };
  });
}

/** The replicas of each cluster by rank, the highest first: staying before draining, then by priority. */
function groupByRank(movable: readonly ChargedReplica[]): ChargedReplica[][] {
  const rank = ({ deployment, placed }: ChargedReplica): string => `${placed.placement.cluster} ${deployment.priority}`;
  const staying = movable.filter(({ placed }) => !placed.placement.draining);
  const draining = movable.filter(({ placed }) => placed.placement.draining);
  return [...groupBy(staying, rank).values(), ...groupBy(draining, rank).values()];
}

/** Above this number of choices, replicas are kept one by one in their order, which may keep fewer. */
const MAX_CHOICES = 4096;

/** Adds as many replicas as there is room for, and returns the others. */
function keepAsManyAsFit(kept: Ledger, peers: readonly ChargedReplica[]): ChargedReplica[] {
  const kinds = [...groupBy(peers, ({ placed }) => chargeKeyOf(placed)).values()].toReversed();
  const choices = kinds.reduce((product, { length }) => product * (length + 1), 1);
  if (choices > MAX_CHOICES) return peers.filter(({ placed }) => !addIfRoom(kept, placed.assignment.charges));
  for (let evicted = 0; evicted < peers.length; evicted++) {
    for (const counts of listSplits(evicted, kinds)) {
      const charges = kinds.flatMap((kind, k) => multiplyCharges(kind, kind.length - (counts[k] ?? 0)));
      if (addIfRoom(kept, charges)) return kinds.flatMap((kind, k) => kind.slice(kind.length - (counts[k] ?? 0)));
    }
  }
  return [...peers];
}

/** A key for what a replica takes. Replicas that take the same of the same pools are interchangeable. */
function chargeKeyOf(placed: AssignedReplica): string {
  const { charges } = placed.assignment;
  const parts = charges.map(({ pool, footprint, pods }) => `${pool.name} ${pods} x ${footprintKeyOf(footprint)}`);
  return parts.sort().join();
}

/** Every way to take a number of items from several lists, as many as possible from the first lists first. */
function* listSplits(count: number, lists: readonly (readonly unknown[])[]): Generator<number[]> {
  const [first, ...rest] = lists;
  if (!first) {
    if (count === 0) yield [];
    return;
  }
  for (let taken = Math.min(count, first.length); taken >= 0; taken--) {
    for (const others of listSplits(count - taken, rest)) yield [taken, ...others];
  }
}

/** The charges of a number of interchangeable replicas. */
function multiplyCharges([replica]: readonly ChargedReplica[], count: number): Charge[] {
  if (!replica || count === 0) return [];
  return replica.placed.assignment.charges.map((charge) => ({ ...charge, pods: charge.pods * count }));
}

function addIfRoom(kept: Ledger, charges: readonly Charge[]): boolean {
  kept.add(charges);
  if (charges.every(({ pool }) => kept.missingNodes(pool, []) === 0)) return true;
  kept.remove(charges);
  return false;
}

/** Placements that exceed what a snapshot leaves of a pool. */
interface OvercommittedPool {
  readonly pool: Pool;
  /** The fewest that would have to go, sorted by identity; draining ones are chosen first, then those placed last. */
  readonly placements: readonly Placement[];
}

/** Finds the placements on nodes that snapshots show as lost. They stay, and a plan reports them. */
export function findOvercommitted(
  model: CompiledFleet,
  placements: readonly Placement[],
  matcher: PodMatcher,
): OvercommittedPool[] {
  const short = model.clusters.flatMap(({ pools }) => pools).filter(({ lost }) => lost > 0);
  if (short.length === 0) return [];
  const ledger = new Ledger();
  const charged = chargePlacements(model, placements, matcher);
  for (const { charges } of charged) ledger.add(charges);
  const lastFirst = charged.toReversed();
  const order = lastFirst.sort((a, b) => Number(!a.placement.draining) - Number(!b.placement.draining));
  return short.flatMap((pool) => {
    const excess: Placement[] = [];
    for (const { placement, charges } of order) {
      const onPool = charges.filter((charge) => charge.pool === pool);
      if (onPool.length === 0 || ledger.missingNodes(pool, []) === 0) continue;
      ledger.remove(onPool);
      excess.push(placement);
    }
    return excess.length > 0 ? [{ pool, placements: excess.sort(comparePlacements) }] : [];
  });
}

/** The charges of each placement, deployments of higher priority first. */
export function chargePlacements(
  { clusters, deployments }: CompiledFleet,
  placements: readonly Placement[],
  matcher: PodMatcher,
): { readonly placement: Placement; readonly charges: readonly Charge[] }[] {
  const byName = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  const ranks = new Map(deployments.map((deployment, rank) => [deployment.id, { deployment, rank }]));
  const rankOf = ({ deployment }: Placement): number => ranks.get(deployment)?.rank ?? 0;
  const ordered = [...placements].sort((a, b) => rankOf(a) - rankOf(b) || comparePlacements(a, b));
  return ordered.flatMap((placement) => {
    const cluster = byName.get(placement.cluster);
    const deployment = ranks.get(placement.deployment)?.deployment;
    const demand = deployment && demandOf(deployment, placement);
    if (!cluster || !demand) return [];
    const pools = demand.engines.map(({ name }) => poolOf(cluster, placement, name));
    const fit = fitOnPools(demand, pools, matcher);
    return 'misfit' in fit ? [] : [{ placement, charges: fit.charges }];
  });
}
