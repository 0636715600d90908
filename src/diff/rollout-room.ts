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
import type { ReplicaChange } from '../plan/replica-moves';
import { createRaiseLister, type QuotaRaise } from '../plan/short-quotas';
import type { CompiledDeployment } from '../scheduler/compiled-fleet';
import {
  findRoomInPlace,
  type MissingNodes,
  type RoomInPlace,
  type RoomToTake,
  type WantedPods,
} from '../scheduler/room-in-place';
import { type ReservedForRollouts, toReserved } from './raised-surges';
import { type ApplyMode, countLeastServing, type ServingDuringChange } from './serving-during-change';
import { compileSurging } from './surging-replicas';
import { createRoomTrials, selectWorking, type TryRooms } from './tried-rooms';
import {
  type AppliedStates,
  createLostLister,
  findWantedPods,
  type ListLostReplicas,
  listPools,
  type WantedRoom,
} from './wanted-pods';

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

  /** The quotas of queues that are too small for the surge. Absent: none is. */
  readonly quotas?: readonly QuotaRaise[];

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
export function createRoomAdder(transition: AppliedStates): AddRooms {
  const { after, planned } = transition;
  const [roomAfter, roomOfPlan] = [lazyRoomOf(after), lazyRoomOf(planned)];
  const prices = lazily(() => findPoolPrices(after.fleet));
  const nodesChecker = lazily(() => createNodesChecker({ ...after, cost: computePlacedCost(after) }));
  const { fleet, model, matcher, schedule } = after;
  const listRaises = lazily(() => createRaiseLister({ fleet, model, matcher, placements: schedule.placements }));
  const compiled = new Map(planned.model.deployments.map((one) => [one.id, one]));
  const listLost = createLostLister(transition);
  const tryRooms = createRoomTrials(transition);
  const search = { roomAfter, listLost, transition, prices, nodesChecker, listRaises };
  return (all) => {
    const rooms = new Map(findRooms(all, search, tryRooms));
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

/** Finds rooms that work: each by itself, next to what it names, and all of them together. */
function findRooms<T extends ChangingDeployment<ChangingReplicas>>(
  all: readonly T[],
  search: Omit<RoomSearch, 'advised' | 'surging'>,
  tryRooms: TryRooms,
): [T, RolloutRoom][] {
  const { after, applied = 'withWaves' } = search.transition;
  // Old pods get no requests on another port, however much room there is.
  const short = all.filter(
    ({ diff, deployment }) =>
      isShort(diff.serving, deployment, applied) && !diff.changes.some(({ portSwitch }) => portSwitch),
  );
  const surging = lazily(() =>
    compileSurging(
      short.map(({ deployment }) => deployment),
      after.fleet,
    ),
  );
  let open = sortedBy(short, ({ deployment }) => (hasGang(deployment) ? '1' : '0'));
  for (;;) {
    const advised = new AdvisedSurges(search.roomAfter);
    const found = open.flatMap((one) => {
      const room = findRoom(one, { ...search, surging, advised });
      return room ? [{ one, ...room }] : [];
    });
    const offers = addSharedNeeds(found, search);
    const working = selectWorking(
      offers,
      tryRooms,
      found.flatMap(({ surging }) => surging ?? []),
    );
    if (working.length === offers.length) return working.map(({ one, room }) => [one, room]);
    // Rooms name those of other deployments next to which they are.
    const kept = new Set(working.map(({ one }) => one));
    open = open.filter((one) => kept.has(one));
  }
}

/** The surges for which there is room, all of them together. */
class AdvisedSurges {
  readonly deployments: string[] = [];
  readonly pods: WantedPods[] = [];

  /** The room that these surges leave. */
  readonly #left: () => RoomToTake;

  constructor(room: () => RoomInPlace) {
    this.#left = lazily(() => room().copy());
  }

  findMissingNodes(wanted: readonly WantedPods[]): readonly MissingNodes[] | undefined {
    return this.#left().findMissingNodes(wanted);
  }

  add(deployment: string, pods: readonly WantedPods[]): void {
    this.#left().take(pods);
    this.deployments.push(deployment);
    this.pods.push(...pods);
  }
}

interface RoomSearch {
  /** Each surge that is found is added. */
  readonly advised: AdvisedSurges;
  readonly roomAfter: () => RoomInPlace;
  readonly listLost: ListLostReplicas;
  readonly transition: AppliedStates;

  /** Those of which too few replicas serve, as if each had a surge, by `namespace/name`. */
  readonly surging: () => ReadonlyMap<string, CompiledDeployment>;

  /** Those of the later state. */
  readonly prices: () => PoolPrices;
  readonly nodesChecker: () => ReturnType<typeof createNodesChecker>;
  readonly listRaises: () => ReturnType<typeof createRaiseLister>;
}

/** What keeps the replicas of a deployment serving, and the pods of that. */
interface FoundRoom extends Pick<WantedRoom, 'pods' | 'surging'> {
  readonly room: RolloutRoom;
}

/** Whether fewer replicas serve during a change than have to. */
function isShort(
  { before, ...lowest }: ChangingReplicas['serving'],
  { spec: { minAvailable = 1 } }: ModelDeployment,
  applied: ApplyMode,
): boolean {
  return before > 0 && countLeastServing(lowest, applied) < minAvailable;
}

function findRoom(
  { diff: { changes }, deployment }: ChangingDeployment<ChangingReplicas>,
  search: RoomSearch,
): FoundRoom | undefined {
  const { advised, roomAfter, surging: surgingOf, transition } = search;
  const wanted = findWantedPods(deployment, changes, { ...transition, surging: surgingOf });
  const alone = wanted && roomAfter().findMissingNodes(wanted.pods);
  if (!wanted || !alone) return undefined;
  const { fleet } = transition.after;
  const isNext = alone.length === 0 && wanted.for === 'surge';
  const placed = isNext ? advised.findMissingNodes(wanted.pods) : alone;
  if (!placed) return undefined;
  const { missing, ...withLost } = addLost(placed, [...(isNext ? advised.pods : []), ...wanted.pods], search);
  if (placed.length === 0 && wanted.for === 'surge') advised.add(qualifiedNameOf(deployment), wanted.pods);
  const nextTo = placed.length > alone.length && { nextTo: [...advised.deployments].sort() };
  const room = {
    for: wanted.for,
    missing: priceMissing(missing, { fleet, prices: search.prices }),
    ...(wanted.for === 'surge' && { reserved: listReserved(wanted.pods, search) }),
    ...findBroken(missing, search),
    ...findShortQuotas(wanted.surging, search),
    ...nextTo,
    ...withLost,
    ...(hasGang(deployment) && { gang: true as const }),
  };
  const { pods, surging } = wanted;
  return { room, pods, ...(surging && { surging }) };
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

/** The quotas that a surge needs, whose pods would wait in the queue. */
function findShortQuotas(
  surging: CompiledDeployment | undefined,
  { listRaises }: Pick<RoomSearch, 'listRaises'>,
): Pick<RolloutRoom, 'quotas'> {
  const quotas = surging ? listRaises()(surging) : [];
  return quotas.length > 0 ? { quotas } : {};
}

/** Adds to missing nodes what replicas without a place need there too. */
function addLost(
  placed: readonly MissingNodes[],
  pods: readonly WantedPods[],
  { roomAfter, listLost }: Pick<RoomSearch, 'roomAfter' | 'listLost'>,
): Pick<RolloutRoom, 'withLost'> & { readonly missing: readonly MissingNodes[] } {
  const lost = listLost(pods);
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

/** Adds what deployments lack together where that is more than each of them lacks alone, found by placing all of it. */
function addSharedNeeds<T extends FoundRoom & { readonly one: ChangingDeployment<ChangingReplicas> }>(
  found: readonly T[],
  { roomAfter, prices, transition }: Pick<RoomSearch, 'roomAfter' | 'prices' | 'transition'>,
): T[] {
  const priced = { prices, fleet: transition.after.fleet };
  const lacking = groupBy(
    found.flatMap(({ room }) => room.missing),
    ({ pool }) => pool,
  );
  const onPool = lazily(() => groupByPool(found));
  const shared = [...lacking].flatMap(([pool, alone]): SharedNeed[] => {
    if (alone.length < 2) return [];
    const sharing = onPool().get(pool) ?? [];
    const missing = roomAfter().findMissingNodes(sharing.flatMap(({ pods }) => pods)) ?? [];
    const deployments = sharing.map(({ one }) => qualifiedNameOf(one.deployment)).sort();
    return priceMissing(missing, priced)
      .filter((one) => one.pool === pool && alone.every(({ nodes }) => one.nodes > nodes))
      .map((one) => ({ ...one, deployments }));
  });
  return found.map((offer) => {
    const { room } = offer;
    const together = shared.filter(({ pool }) => room.missing.some((need) => need.pool === pool));
    return { ...offer, room: { ...room, ...(together.length > 0 && { together }) } };
  });
}

/** Groups what was found by the pools that its pods are on. */
function groupByPool<T extends Pick<FoundRoom, 'pods'>>(found: readonly T[]): Map<string, T[]> {
  const pairs = found.flatMap((one) => sortUnique(one.pods.flatMap(listPools)).map((pool) => ({ pool, one })));
  return new Map([...groupBy(pairs, ({ pool }) => pool)].map(([pool, all]) => [pool, all.map(({ one }) => one)]));
}

function hasGang({ spec }: ModelDeployment): boolean {
  return spec.template.spec.engines.some(isGang);
}

/** Most changes need no room. */
function lazyRoomOf({ model, matcher, schedule }: PlacedFleet): () => RoomInPlace {
  return lazily(() => findRoomInPlace(model, matcher, schedule.placements));
}

/** Whether a replica goes to another cluster although its own could run its new engines. */
function crossesClusters({ action, from, cluster, reason }: ReplicaChange): boolean {
  return action === 'move' && from !== undefined && from.cluster !== cluster && reason?.kind === 'shape';
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
