import { formatMoney } from '../../base/money';
import { groupBy } from '../../base/order';
import type { PoolCost } from '../../cost/cost';
import type {
  CompiledCluster,
  CompiledDeployment,
  EngineDemand,
  MemberDemand,
  Pool,
} from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { PACKINGS } from '../../scheduler/packing/packings';
import { footprintKeyOf, type PodFootprint } from '../../scheduler/packing/pod-footprint';
import type { PodLoad } from '../../scheduler/packing/worst-case';
import { demandOf, poolOf } from '../../scheduler/placement';
import type { Placement } from '../../scheduler/schedule-result';
import { discountText } from '../cost/amounts';
import { type ArrangedPod, arrangePods, type PodsToArrange } from './arrange-pods';
import type { GroupData, NODE_KINDS, PoolData, PoolFactsData } from './map-data';
import type { ReferenceTables } from './reference-tables';

/** The pods of a replica on a pool, and the places of deployment and replica in their lists. */
export interface OwnedPods extends ReplicaPods {
  readonly deployment: number;
  readonly replica: number;

  /** What happens to the replica, as a place in `MARKS`. */
  readonly mark: number;
}

/** What a pool is, beside what the scheduler knows of it. */
export interface DeclaredPool {
  readonly cost: PoolCost;
  readonly currency: string;

  /** What others use of each node. */
  readonly reserved: readonly string[];
}

/** A pool with one arrangement of its pods. */
export function buildPoolData(
  pool: Pool,
  owned: readonly OwnedPods[],
  declared: DeclaredPool,
  tables: ReferenceTables,
): PoolData {
  const facts = factsOf(pool, declared, tables);
  const { nodes, undrawn } = arrangePods(
    pool,
    owned.map((own): PodsToArrange<OwnedPods> => ({ ...own, owner: own })),
  );
  const promised = Math.min(pool.nodes, PACKINGS[pool.packing](pool.node.counts, loadsOf(owned)));
  return {
    facts: tables.pools.of(facts),
    promised,
    taken: nodes.flat().reduce((sum, { takes }) => sum + devicesIn(pool, takes), 0),
    groups: groupNodes(nodes, createNodeKindLookup(pool, facts.always, promised), tables),
    ...(undrawn > 0 && { undrawn }),
  };
}

function factsOf(pool: Pool, declared: DeclaredPool, tables: ReferenceTables): PoolFactsData {
  const { cost, reserved } = declared;
  return {
    name: tables.text(pool.name),
    className: tables.text(cost.className),
    shape: tables.shape(pool.node),
    packing: tables.text(pool.packing),
    nodes: pool.nodes,
    always: cost.autoscaled ? cost.nodes.least : pool.nodes,
    devices: pool.nodes * devicesIn(pool, pool.node.counts),
    price: tables.text(formatNodePrice(declared)),
    ...(reserved.length > 0 && { reserved: tables.text(reserved.join(', ')) }),
  };
}

function loadsOf(owned: readonly OwnedPods[]): PodLoad[] {
  return [...groupBy(owned, ({ footprint }) => footprintKeyOf(footprint)).values()].flatMap((alike) => {
    const pods = alike.reduce((sum, one) => sum + one.pods, 0);
    return alike.slice(0, 1).map(({ footprint }) => ({ footprint, pods }));
  });
}

function devicesIn({ node: { kinds } }: Pool, amounts: readonly number[]): number {
  return kinds.reduce(
    (sum, { claimedAs }, kind) => sum + (claimedAs === undefined ? 0 : (amounts[kind] ?? 0)),
    0,
  );
}

function formatNodePrice({ cost: { price }, currency }: DeclaredPool): string {
  if (!price) return 'unknown';
  const { perHour, source, asOf = 'undated', discounts } = price;
  return `${formatMoney(perHour)} ${currency} (${source}, ${asOf}${discountText(discounts)})`;
}

type KindOf = (node: number, empty: boolean) => (typeof NODE_KINDS)[number];

/**
 * What each node is, in the order in which they are filled: those that always run, those that an autoscaler adds, those
 * that a snapshot shows as lost. An empty one is held where pods may be spread over that many.
 */
function createNodeKindLookup({ nodes, lost }: Pool, always: number, promised: number): KindOf {
  return (node, empty) => {
    if (node >= nodes - lost) return 'lost';
    if (empty && node < promised) return 'held';
    return node < always ? 'always' : 'autoscaled';
  };
}

const NODE_KIND_PLACES: Readonly<Record<ReturnType<KindOf>, number>> = {
  always: 0,
  autoscaled: 1,
  held: 2,
  lost: 3,
};

/** Nodes that hold the same, as one group. */
function groupNodes(
  nodes: readonly (readonly ArrangedPod<OwnedPods>[])[],
  kindOf: KindOf,
  tables: ReferenceTables,
): GroupData[] {
  const looks = nodes.map((seated, at) => {
    const sorted = seated.toSorted((a, b) => a.owner.deployment - b.owner.deployment);
    const pods = sorted.map(({ owner, takes }) => toPodRef(owner, takes, tables));
    const kind = NODE_KIND_PLACES[kindOf(at, seated.length === 0)];
    const whose = sorted.map(({ owner }) => `${owner.deployment} ${owner.mark}`);
    return { key: `${kind} ${pods.join()} ${whose.join()}`, kind, pods, seated: sorted };
  });
  return [...groupBy(looks, ({ key }) => key).values()].flatMap((alike) => {
    const replicas = alike.flatMap(({ seated }) => seated.map(({ owner }) => owner.replica));
    return alike.slice(0, 1).map(({ kind, pods }): GroupData => [alike.length, kind, pods, replicas]);
  });
}

function toPodRef(
  { engine, role, surge }: OwnedPods,
  takes: readonly number[],
  tables: ReferenceTables,
): number {
  return tables.pods.of([tables.text(engine), tables.text(role), takes, surge ? 1 : 0]);
}

/** Pods of a replica on one pool that are alike. */
export interface ReplicaPods {
  readonly pool: string;
  readonly engine: string;
  readonly role: string;
  readonly pods: number;

  /** Whether they are there during a rollout only. */
  readonly surge: boolean;
  readonly footprint: PodFootprint;
  readonly share: number;
}

/** The pods of a placed replica; none where nobody knows any more what it is made of. */
export function replicaPodsOf(
  placement: Placement,
  site: CompiledCluster,
  workload: CompiledDeployment | undefined,
  matcher: PodMatcher,
): ReplicaPods[] {
  const demand = workload && demandOf(workload, placement);
  return (demand?.engines ?? []).flatMap((engine) => {
    const pool = poolOf(site, placement, engine.name);
    return pool ? engine.members.flatMap((member) => podsOfMember(engine, member, pool, matcher)) : [];
  });
}

function podsOfMember(
  { name: engine }: EngineDemand,
  member: MemberDemand,
  pool: Pool,
  matcher: PodMatcher,
): ReplicaPods[] {
  const { role, pods, surge, pod } = member;
  const fit = matcher.fit(pod, pool.node);
  // A member that takes nothing of the node is no part of what is promised.
  if ('misfit' in fit || fit.footprint.length === 0) return [];
  const { footprint, share } = fit;
  const alike = { pool: pool.name, engine, role, footprint, share };
  return [
    { ...alike, pods: pods - surge, surge: false },
    ...(surge > 0 ? [{ ...alike, pods: surge, surge: true }] : []),
  ];
}
