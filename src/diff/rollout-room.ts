import { isGang } from '../api/engine-copies';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { lazily } from '../base/memoize';
import { groupBy, sortedBy, sortUnique } from '../base/order';
import { findPoolPrices, poolKeyOf, type PoolPrices } from '../cost/pool-prices';
import { HOURS_PER_MONTH } from '../cost/sum';
import type { Fleet } from '../fleet/fleet';
import type { BrokenRule } from '../fleet/policy';
import type { PlacedFleet } from '../plan/decision';
import { computePlacedCost } from '../plan/plan-cost';
import { createNodesChecker } from '../plan/policy/broken-rules';
import { locationKeyOf, type ReplicaChange } from '../plan/replica-moves';
import type { CompiledDeployment } from '../scheduler/compiled-fleet';
import { groupByDeployment, type Placement, variantsOf } from '../scheduler/placement';
import { findRoomInPlace, type MissingNodes, type RoomInPlace, type WantedPods } from '../scheduler/room-in-place';
import { type ReservedForRollouts, toReserved } from './raised-surges';
import { countServing, type ServingDuringChange } from './serving-during-change';
import { compileSurging, keepsPlacesWithSurge, listSurgingPods } from './surging-replicas';

/** Whether there is room for what would keep replicas serving that a change stops in place. */
export interface RolloutRoom {
  /** `surge`: for `rollout.surge: 1`. `both`: for the old engines next to the new ones, which have another shape. */
  readonly for: 'surge' | 'both';

  /** The nodes that pools lack. Empty: there is room. */
  readonly missing: readonly MissingRoom[];

  /** What the surge reserves for all replicas of the deployment. Absent: it is for both engines. */
  readonly reserved?: readonly ReservedForRollouts[];

  /** The policy rules that deny the missing nodes. Absent: none does. */
  readonly breaks?: readonly BrokenRule[];

  /** Deployments for whose surges there is room, so that there is none for this one too. Absent: there never is. */
  readonly nextTo?: readonly string[];

  /** What the deployments that lack nodes of the same pool lack together. Absent: no more than this one alone. */
  readonly together?: readonly SharedNeed[];

  /** The deployments of which replicas lose their places on these pools: `missing` has the nodes that they need too. */
  readonly withLost?: readonly string[];

  /** A replica is a gang: room for a surge is whole nodes, idle between rollouts. */
  readonly gang?: true;
}

/** Nodes that a pool lacks for several deployments that restart at the same time. */
export interface SharedNeed extends MissingRoom {
  /** `namespace/name`. */
  readonly deployments: readonly string[];
}

/** Nodes that a pool lacks. */
export interface MissingRoom {
  /** `cluster/pool`. */
  readonly pool: string;
  readonly nodes: number;

  /** The most nodes that the pool has with them. */
  readonly total?: number;

  /** Free devices of the pool, which would be enough if pods were on the right nodes. Absent: there are too few. */
  readonly free?: number;

  /** What these nodes cost. Absent: no price is known. */
  readonly cost?: { readonly perMonth: number; readonly currency: string };
}

/** The replicas of a deployment during a change. */
interface ChangingReplicas {
  readonly changes: readonly ReplicaChange[];
  readonly serving: ServingDuringChange;
}

/** The changes of a deployment, and what it declares. */
interface ChangingDeployment<T extends ChangingReplicas> {
  readonly diff: T;
  readonly deployment: ModelDeployment;
}

/** Adds to the changes of deployments which room they lack. */
type AddRooms = <T extends ChangingReplicas>(all: readonly ChangingDeployment<T>[]) => readonly (T & HasRoom)[];

interface HasRoom {
  readonly room?: RolloutRoom;
}

/**
 * Creates a function that adds the room that is lacking: what a surge needs, and what draining replicas keep. A surge is
 * judged next to those for which there is room already, because a reader sets all of them. Gangs come last: they need
 * the most.
 */
export function createRoomAdder(transition: Transition): AddRooms {
  const { after, planned } = transition;
  const [roomAfter, roomOfPlan] = [lazyRoomOf(after), lazyRoomOf(planned)];
  const prices = lazily(() => findPoolPrices(after.fleet));
  const nodesChecker = lazily(() => createNodesChecker({ ...after, cost: computePlacedCost(after) }));
  const compiled = new Map(planned.model.deployments.map((one) => [one.id, one]));
  return (all) => {
    const advised: AdvisedSurge[] = [];
    const found = sortedBy(all, ({ deployment }) => (hasGang(deployment) ? '1' : '0')).flatMap((one) => {
      const room = findRoom(one, { advised, roomAfter, transition, prices, nodesChecker });
      return room ? [{ one, ...room }] : [];
    });
    const rooms = new Map(addSharedNeeds(found, { roomAfter, fleet: after.fleet, prices }));
    return all.map((one) => {
      const id = qualifiedNameOf(one.deployment);
      const changes = one.diff.changes.map((change) => {
        const demand = crossesClusters(change) ? compiled.get(id)?.demand : undefined;
        const isHeld = demand && change.from && roomOfPlan().isHeldByDraining(change.from.cluster, demand);
        return isHeld ? { ...change, crowdedOut: true as const } : change;
      });
      const room = rooms.get(one);
      return { ...one.diff, changes, ...(room && { room }) };
    });
  };
}

interface AdvisedSurge {
  readonly deployment: string;
  readonly pods: readonly WantedPods[];
}

interface RoomSearch {
  /** The surges for which there is room. Each that is found is added. */
  readonly advised: AdvisedSurge[];
  readonly roomAfter: () => RoomInPlace;
  readonly transition: Transition;

  /** Those of the later state. */
  readonly prices: () => PoolPrices;
  readonly nodesChecker: () => ReturnType<typeof createNodesChecker>;
}

/** What keeps the replicas of a deployment serving, and the pods of that. */
interface FoundRoom {
  readonly room: RolloutRoom;
  readonly pods: readonly WantedPods[];
}

/** Whether fewer replicas serve during a change than have to. */
function isShort(
  { before, withWaves, perCluster }: ChangingReplicas['serving'],
  { spec: { minAvailable = 1 } }: ModelDeployment,
): boolean {
  return before > 0 && Math.min(withWaves, perCluster) < minAvailable;
}

function findRoom(
  { diff: { changes, serving }, deployment }: ChangingDeployment<ChangingReplicas>,
  search: RoomSearch,
): FoundRoom | undefined {
  const { advised, roomAfter, transition } = search;
  const wanted = isShort(serving, deployment) ? findWantedPods(deployment, changes, transition) : undefined;
  const alone = wanted && roomAfter().findMissingNodes(wanted.pods);
  if (!wanted || !alone) return undefined;
  const gang = hasGang(deployment) && { gang: true as const };
  const { fleet } = transition.after;
  const next = alone.length === 0 && wanted.for === 'surge' ? advised.flatMap(({ pods }) => pods) : [];
  const placed = next.length === 0 ? alone : roomAfter().findMissingNodes([...next, ...wanted.pods]);
  if (!placed) return undefined;
  const surge = wanted.surging && { surging: wanted.surging, missing: placed };
  if (surge && !isEnoughDespiteMoves({ changes, serving }, surge, transition, deployment)) return undefined;
  if (placed.length === 0 && wanted.for === 'surge') {
    advised.push({ deployment: qualifiedNameOf(deployment), pods: wanted.pods });
  }
  const nextTo = placed.length > alone.length && { nextTo: advised.map((one) => one.deployment).sort() };
  const { missing, ...withLost } = addLost(placed, [...next, ...wanted.pods], { roomAfter, transition });
  const room = {
    for: wanted.for,
    missing: priceMissing(missing, { fleet, prices: search.prices }),
    ...(wanted.for === 'surge' && { reserved: listReserved(wanted.pods, search) }),
    ...findBroken(missing, search),
    ...nextTo,
    ...withLost,
    ...gang,
  };
  return { room, pods: wanted.pods };
}

/** Whether a surge keeps enough replicas serving where others move with downtime, and leaves the places as they are. */
function isEnoughDespiteMoves(
  { changes, serving }: ChangingReplicas,
  { surging, missing }: { readonly surging: CompiledDeployment; readonly missing: readonly MissingNodes[] },
  transition: Transition,
  deployment: ModelDeployment,
): boolean {
  if (!changes.some(({ action, from, surgeFirst }) => action === 'move' && from && surgeFirst !== true)) return true;
  const surged = changes.map((one) => (one.down && one.nodes === undefined ? { ...one, down: false } : one));
  const isEnough = !isShort(countServing(deployment, surged, serving), deployment);
  return isEnough && keepsPlacesWithSurge(surging, missing, transition);
}

function listReserved(
  pods: readonly WantedPods[],
  { roomAfter, prices }: Pick<RoomSearch, 'roomAfter' | 'prices'>,
): ReservedForRollouts[] {
  return roomAfter()
    .listReserved(pods)
    .map(({ pool: { cluster, name, node }, nodes }) =>
      toReserved({ pool: poolKeyOf(cluster, name), node, nodes }, prices()),
    );
}

function findBroken(
  nodes: readonly MissingNodes[],
  { transition: { after }, nodesChecker }: Pick<RoomSearch, 'transition' | 'nodesChecker'>,
): Pick<RolloutRoom, 'breaks'> {
  if (nodes.length === 0 || !after.fleet.policies?.length) return {};
  const breaks = nodesChecker()({ nodes });
  return breaks.length > 0 ? { breaks } : {};
}

/** Adds to missing nodes what replicas without a place need there too. */
function addLost(
  placed: readonly MissingNodes[],
  pods: readonly WantedPods[],
  { roomAfter, transition }: Pick<RoomSearch, 'roomAfter' | 'transition'>,
): Pick<RolloutRoom, 'withLost'> & { readonly missing: readonly MissingNodes[] } {
  const lost = listLostReplicas(pods, transition);
  const missing = lost.length > 0 ? roomAfter().findMissingNodes([...lost, ...pods]) : undefined;
  if (!missing || countNodes(missing) <= countNodes(placed)) return { missing: placed };
  return { missing, withLost: sortUnique(lost.map(deploymentOf)) };
}

function deploymentOf({ placement }: WantedPods): string {
  return placement.deployment;
}

function countNodes(missing: readonly MissingNodes[]): number {
  return missing.reduce((sum, { nodes }) => sum + nodes, 0);
}

/**
 * The replicas that lose their places on the pools of others, at these places. Where that is not accepted, they get nodes
 * too, so that the room that is left today is not free for a surge.
 */
function listLostReplicas(others: readonly WantedPods[], { planned }: Pick<Transition, 'planned'>): WantedPods[] {
  const { schedule, model, fleet } = planned;
  const accepting = new Set(fleet.deployments.filter(({ spec }) => spec.allowPartial).map(qualifiedNameOf));
  const short = new Set(schedule.shortfalls.map(({ deployment }) => deployment));
  const compiled = new Map(model.deployments.map((one) => [one.id, one]));
  return schedule.evictions.flatMap(({ placement, reason }): WantedPods[] => {
    const { deployment: id, cluster, pools } = placement;
    if (reason.kind !== 'rejected' || placement.draining || !short.has(id) || accepting.has(id)) return [];
    const near = Object.values(pools).some((pool) => others.some((one) => takesPool(one, poolKeyOf(cluster, pool))));
    const deployment = near ? compiled.get(id) : undefined;
    const variant = deployment && variantsOf(deployment).find(({ shape }) => shape === placement.shape);
    return variant ? [{ placement, demand: variant.demand, instead: false }] : [];
  });
}

/** Adds what deployments lack together where that is more than each of them lacks alone, found by placing all of it. */
function addSharedNeeds<T extends ChangingDeployment<ChangingReplicas>>(
  found: readonly (FoundRoom & { readonly one: T })[],
  { roomAfter, ...priced }: Pick<RoomSearch, 'roomAfter' | 'prices'> & { readonly fleet: Fleet },
): [T, RolloutRoom][] {
  const lacking = groupBy(
    found.flatMap(({ room }) => room.missing),
    ({ pool }) => pool,
  );
  const shared = [...lacking].flatMap(([pool, alone]): SharedNeed[] => {
    const sharing = found.filter(({ pods }) => pods.some((one) => takesPool(one, pool)));
    if (alone.length < 2) return [];
    const missing = roomAfter().findMissingNodes(sharing.flatMap(({ pods }) => pods)) ?? [];
    const deployments = sharing.map(({ one }) => qualifiedNameOf(one.deployment)).sort();
    return priceMissing(missing, priced)
      .filter((one) => one.pool === pool && alone.every(({ nodes }) => one.nodes > nodes))
      .map((one) => ({ ...one, deployments }));
  });
  return found.map(({ one, room }) => {
    const together = shared.filter(({ pool }) => room.missing.some((need) => need.pool === pool));
    return [one, { ...room, ...(together.length > 0 && { together }) }];
  });
}

function takesPool({ placement }: WantedPods, pool: string): boolean {
  return Object.values(placement.pools).some((name) => poolKeyOf(placement.cluster, name) === pool);
}

function hasGang({ spec }: ModelDeployment): boolean {
  return spec.template.spec.engines.some(isGang);
}

/** Most changes need no room. */
function lazyRoomOf({ model, matcher, schedule }: PlacedFleet): () => RoomInPlace {
  return lazily(() => findRoomInPlace(model, matcher, schedule.placements));
}

type Transition = Readonly<Record<'before' | 'after' | 'planned', PlacedFleet>>;

/** Whether a replica goes to another cluster although its own could run its new engines. */
function crossesClusters({ action, from, cluster, reason }: ReplicaChange): boolean {
  return action === 'move' && from !== undefined && from.cluster !== cluster && reason?.kind === 'shape';
}

interface WantedRoom extends Pick<RolloutRoom, 'for'> {
  readonly pods: readonly WantedPods[];

  /** The deployment with a surge, if the pods are for one. */
  readonly surging?: CompiledDeployment;
}

/** What would keep the replicas serving that stop in place. Undefined: none does, or they need nodes of their own. */
function findWantedPods(
  deployment: ModelDeployment,
  changes: readonly ReplicaChange[],
  { before, after }: Omit<Transition, 'planned'>,
): WantedRoom | undefined {
  const id = qualifiedNameOf(deployment);
  const stopped = changes.filter(({ action, down, nodes }) => action === 'roll' && down && nodes === undefined);
  const { strategy, surge } = deployment.spec.rollout;
  if (stopped.length === 0 || strategy === 'Recreate') return undefined;
  const [old, all] = [before, after].map(({ schedule }) => groupByDeployment(schedule.placements).get(id) ?? []);
  const now = (all ?? []).filter(({ draining }) => !draining);
  const reshaped = stopped.filter(({ reason }) => reason?.kind === 'shape');
  if (reshaped.length > 0) {
    const former = before.model.deployments.find((one) => one.id === id);
    const pods = listFormerPods(reshaped, { old: old ?? [], now }, former);
    return pods && { for: 'both', pods };
  }
  const surging = surge === 0 ? compileSurging(deployment, after.fleet) : undefined;
  return surging && { for: 'surge', pods: listSurgingPods(now, surging), surging };
}

function priceMissing(
  missing: readonly MissingNodes[],
  { fleet, prices }: Pick<RoomSearch, 'prices'> & { readonly fleet: Fleet },
): MissingRoom[] {
  return missing.map(({ cluster, pool: name, nodes, free }) => {
    const pool = poolKeyOf(cluster, name);
    const price = prices().get(pool);
    const declared = fleet.clusters
      .find(({ metadata }) => metadata.name === cluster)
      ?.spec.nodePools.find((one) => one.name === name);
    const total = declared && (declared.maxNodeCount ?? declared.nodeCount ?? 1) + nodes;
    const perMonth = nodes * (price?.perHour ?? 0) * HOURS_PER_MONTH;
    return {
      pool,
      nodes,
      ...(total !== undefined && { total }),
      ...(free !== undefined && { free }),
      ...(price && { cost: { perMonth, currency: price.currency } }),
    };
  });
}

/** The engines that replicas ran before, next to those that they run now. Undefined: their former engines are not known. */
function listFormerPods(
  changes: readonly ReplicaChange[],
  { old, now }: { readonly old: readonly Placement[]; readonly now: readonly Placement[] },
  former: CompiledDeployment | undefined,
): WantedPods[] | undefined {
  const [before, after] = [old, now].map((all) => new Map(all.map((one) => [locationKeyOf(one), one])));
  const wanted = changes.flatMap((change): WantedPods[] => {
    const [was, placement] = [before?.get(locationKeyOf(change)), after?.get(locationKeyOf(change))];
    const variant = was && former && variantsOf(former).find(({ shape }) => shape === was.shape);
    return variant && placement ? [{ placement, demand: variant.demand, instead: false }] : [];
  });
  return wanted.length === changes.length ? wanted : undefined;
}
