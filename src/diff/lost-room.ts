import { type Diagnostic, warningAt } from '../base/diagnostic';
import { compareText, groupBy, sortUnique } from '../base/order';
import { joinAnd, joinNames, pluralize } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import type { CompiledCluster, CompiledDeployment } from '../scheduler/compiled-fleet';
import { createFurtherRoom, type FurtherRoom } from '../scheduler/explain-deployment';
import type { DeclaredField } from './declaration-changes';
import type { FleetDiff } from './fleet-diff';
import { listFrozen } from './replica-changes';

type Placed = Pick<PlacedFleet, 'model' | 'matcher' | 'schedule' | 'held'>;

interface ChangedRoom {
  readonly before: Placed;
  readonly after: Placed;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** The most clusters, and pairs of a cluster and a deployment, of which the room is compared. */
const MAX_COMPARED = { clusters: 40, pairs: 4000 };

/** The deployments that had room for a further replica on a cluster, and have none there any more. */
interface LostRoom {
  readonly cluster: string;
  readonly lost: readonly string[];

  /** Whether no other deployment has room there either, although the cluster takes replicas and keeps its pools. */
  readonly isFull: boolean;

  /** Whether the cluster takes no new replicas any more. */
  readonly isClosed: boolean;

  /** The devices there that no replica takes. */
  readonly free: number;
}

/** The room that is left after a change. */
interface RoomLeft {
  readonly losses: readonly LostRoom[];

  /** The clusters that still have room for each deployment that lost some. */
  readonly open: ReadonlyMap<string, readonly string[]>;
}

/**
 * Finds clusters that have guaranteed room for no further replica once a change is made, and deployments for which no
 * cluster has any more. Free devices do not show this: they may be on nodes of which none is sure to be free enough.
 * Not for fleets of many clusters, of which `fleetwright explain` says it.
 */
export function findLostRoom(diff: FleetDiff, { before, after, at }: ChangedRoom): Diagnostic[] {
  const pairs = after.model.clusters.length * after.model.deployments.length;
  if (after.model.clusters.length > MAX_COMPARED.clusters || pairs > MAX_COMPARED.pairs) return [];
  if (listFrozen(after).size > 0) return [];
  const left = compareRoom(before, after);
  const found = [...describeNowhere(left), ...describeFull(left)];
  return found.map(({ what, details, clusters }, i) => {
    // The same for each of them.
    const keep = i === 0 ? [`'fleetwright explain ${clusters[0]}' has the reasons`, KEEP_ROOM] : [];
    const [first = at, ...alsoAt] = placesOf(diff, clusters);
    const warning = warningAt('room-lost', first, what, [...details, ...keep].join('. '));
    return { ...warning, ...(alsoAt.length > 0 && { alsoAt }) };
  });
}

const KEEP_ROOM = 'Keep the room, or add nodes before the next replica';

/** Fields with which a replica that restarts in place takes more room, or a cluster has less. */
const ROOM_FIELD = /rollout\.(surge|parallel)|copies(?!\.min)|[nN]odeCount|packing|taints|paused|reserved/;

/**
 * The edits that bring replicas to some clusters, else those that take their room, else the first that changes. Those that
 * take room are all named: each may be enough, or only all together.
 */
function placesOf({ deployments, declarations }: FleetDiff, clusters: readonly string[]): string[] {
  const coming = deployments.flatMap(({ changes }) => changes).filter((one) => clusters.includes(one.cluster));
  // A replica that restarts in place takes what it took, unless its engines ask for more.
  const taking = coming.filter(({ action, reason }) => action !== 'roll' || reason?.kind === 'shape');
  const fields = declarations.flatMap((one) => one.fields).filter(takesRoom);
  const [cause] = taking.flatMap(({ causes }) => causes);
  if (cause) return [cause.where];
  if (fields.length > 0) return [...new Set(fields.map(({ where }) => where))];
  const [first] = declarations;
  const where = coming.flatMap(({ causes }) => causes)[0]?.where ?? first?.fields[0]?.where ?? first?.where;
  return where === undefined ? [] : [where];
}

/** Whether an edit leaves less room: fewer nodes, more copies, or something that is no number. */
function takesRoom({ field, before, after }: DeclaredField): boolean {
  if (!ROOM_FIELD.test(field)) return false;
  if (after === undefined) return field.endsWith('.packing');
  if (typeof before !== 'number' || typeof after !== 'number') return true;
  return /[nN]odeCount$/.test(field) ? after < before : after > before;
}

/** Room counts from the time that draining replicas are gone: what they take for a while is not lost. */
function compareRoom(before: Placed, after: Placed): RoomLeft {
  const was = createFurtherRoom(before, before.schedule.placements);
  const settled = after.schedule.placements.filter(({ draining }) => !draining);
  const is = createFurtherRoom(after, settled);
  const short = new Set(after.schedule.shortfalls.map(({ deployment }) => deployment));
  const old = new Map(before.model.clusters.map((one) => [one.name, one]));
  const former = new Map(before.model.deployments.map((one) => [one.id, one]));
  const losses = after.model.clusters.flatMap((cluster): LostRoom[] => {
    const earlier = old.get(cluster.name);
    const isClosed = earlier !== undefined && closes(earlier, cluster);
    if (!earlier || (!isClosed && !isFuller({ cluster: earlier, room: was }, { cluster, room: is }))) return [];
    const lost = after.model.deployments.filter((one) => {
      const known = former.get(one.id);
      return known && !short.has(one.id) && was.has(known, earlier) && !is.has(one, cluster);
    });
    if (lost.length === 0) return [];
    const keepsPools = earlier.pools.every(({ name }) => cluster.pools.some((pool) => pool.name === name));
    const isFull = !isClosed && keepsPools && !after.model.deployments.some((one) => is.has(one, cluster));
    const free = cluster.pools.reduce((sum, pool) => sum + is.useOf(pool).free, 0);
    return [{ cluster: cluster.name, lost: lost.map(({ id }) => id).sort(compareText), isFull, isClosed, free }];
  });
  const named = new Set(losses.flatMap(({ lost }) => lost));
  const openTo = (one: CompiledDeployment): string[] =>
    after.model.clusters.filter((cluster) => is.has(one, cluster)).map(({ name }) => name);
  const concerned = after.model.deployments.filter(({ id }) => named.has(id));
  return { losses, open: new Map(concerned.map((one) => [one.id, openTo(one)])) };
}

interface ClusterUse {
  readonly cluster: CompiledCluster;
  readonly room: FurtherRoom;
}

/** Whether a cluster takes no new replicas any more, and keeps those that it has. */
function closes(was: CompiledCluster, is: CompiledCluster): boolean {
  const isTainted = is.taints.some(({ key, value, effect }) => {
    return effect === 'NoSchedule' && !was.taints.some((one) => one.key === key && one.value === value);
  });
  return isTainted || (is.paused && !was.paused);
}

/** Whether replicas take more of a pool than before, or it has fewer nodes or is filled in another way. */
function isFuller(was: ClusterUse, is: ClusterUse): boolean {
  const pools = new Map(is.cluster.pools.map((pool) => [pool.name, pool]));
  return was.cluster.pools.some((pool) => {
    const now = pools.get(pool.name);
    if (now?.packing !== pool.packing) return true;
    const [earlier, later] = [was.room.useOf(pool), is.room.useOf(now)];
    return later.inUse > earlier.inUse || later.nodes < earlier.nodes;
  });
}

const MAX_NAMED = 3;

/** Room that is lost, as a clause, and what is left elsewhere, as sentences without the last full stop. */
interface RoomText {
  readonly what: string;
  readonly details: readonly string[];
  readonly clusters: readonly string[];
}

const nameSome = (names: readonly string[]): string => joinNames(names, MAX_NAMED);

/**
 * Deployments without room on any cluster, by where they had some: `no room for another replica of ml/coder (before:
 * on eu and us)`. Of a cluster that is full, also what else is lost there and has room elsewhere.
 */
function describeNowhere({ losses, open }: RoomLeft): RoomText[] {
  const gone = sortUnique(losses.flatMap(({ lost }) => lost)).filter((id) => open.get(id)?.length === 0);
  const clustersOf = new Map(gone.map((id) => [id, losses.filter(({ lost }) => lost.includes(id))]));
  const groups = groupBy(
    gone,
    (id) =>
      clustersOf
        .get(id)
        ?.map(({ cluster }) => cluster)
        .join(' ') ?? '',
  );
  const said = new Set<LostRoom>();
  return [...groups.values()].map((ids): RoomText => {
    const from = clustersOf.get(ids[0] ?? '') ?? [];
    const clusters = from.map(({ cluster }) => cluster).sort(compareText);
    const details = from.filter((one) => one.isFull && !said.has(one)).map((one) => describeUse(one, open));
    for (const one of from) said.add(one);
    const runs = ids.length === 1 ? 'it runs' : 'they run';
    const noOther = `If a cluster on which ${runs} is drained or fails, its replica has no other place`;
    const what = `no room for another replica of ${nameSome(ids)} (before: on ${joinAnd(clipNames(clusters))})`;
    return { what, details: from.some(({ isClosed }) => isClosed) ? [...details, noOther] : details, clusters };
  });
}

/** Full clusters of which all that they had room for has some elsewhere: `no room on dc for another replica of ...`. */
function describeFull({ losses, open }: RoomLeft): RoomText[] {
  const full = losses.filter(({ isFull, lost }) => isFull && lost.every((id) => open.get(id)?.length !== 0));
  return full.map((one) => {
    const { cluster, lost } = one;
    const elsewhere = listElsewhere(lost, open).join('; ');
    const what = `no room on ${cluster} for another replica of ${nameSome(lost)} (before: some); ${elsewhere}`;
    return { what, details: [describeUse({ ...one, lost: [] }, open)], clusters: [cluster] };
  });
}

/** `dc has no guaranteed place for a further replica of any deployment, although 4 devices are free there`. */
function describeUse({ cluster, lost, free }: LostRoom, open: RoomLeft['open']): string {
  const although = free > 0 ? `, although ${pluralize(free, 'device')} ${free === 1 ? 'is' : 'are'} free there` : '';
  const full = `${cluster} has no guaranteed place for a further replica of any deployment${although}`;
  return [full, ...listElsewhere(lost, open)].join('; ');
}

/** `room for ml/coder is left on eu`. */
function listElsewhere(lost: readonly string[], open: RoomLeft['open']): string[] {
  const groups = groupBy(lost, (id) => nameSome(open.get(id) ?? []));
  groups.delete('');
  return [...groups].map(([clusters, ids]) => `room for ${nameSome(ids)} is left on ${clusters}`);
}

/** The first names, and how many more there are. */
function clipNames(names: readonly string[]): string[] {
  const more = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])];
}
