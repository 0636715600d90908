import type { PoolCost } from '../cost/cost';
import { money } from '../plan/cost-text';
import { groupBy } from '../order';
import type { Load } from '../scheduler/capacity';
import type { Pool } from '../scheduler/model';
import { needKey } from '../scheduler/need';
import { PACKINGS } from '../scheduler/packings';
import { type Arranged, arrange, type Seated } from './arrange';
import type { GroupData, NODE_KINDS, PoolData, PoolFacts } from './map-data';
import type { Pods } from './pods-of';
import type { Tables } from './tables';

/** The pods of a replica on a pool, and the places of deployment and replica in their lists. */
export interface Owned extends Pods {
  readonly deployment: number;
  readonly replica: number;

  /** What happens to the replica, as a place in `MARKS`. */
  readonly mark: number;
}

/** What a pool is, beside what the scheduler knows of it. */
export interface Declared {
  readonly cost: PoolCost;
  readonly currency: string;

  /** What others use of each node. */
  readonly reserved: readonly string[];
}

/** A pool with one arrangement of its pods. */
export function poolData(pool: Pool, owned: readonly Owned[], declared: Declared, tables: Tables): PoolData {
  const facts = factsOf(pool, declared, tables);
  const { nodes, undrawn } = arrange(
    pool,
    owned.map((own): Arranged<Owned> => ({ ...own, owner: own })),
  );
  const promised = Math.min(pool.nodes, PACKINGS[pool.packing](pool.node.counts, loadsOf(owned)));
  return {
    facts: tables.pools.of(facts),
    promised,
    taken: nodes.flat().reduce((sum, { takes }) => sum + devicesIn(pool, takes), 0),
    groups: groupsOf(nodes, kindsOf(pool, facts.always, promised), tables),
    ...(undrawn > 0 && { undrawn }),
  };
}

function factsOf(pool: Pool, declared: Declared, tables: Tables): PoolFacts {
  const { cost, reserved } = declared;
  return {
    name: tables.text(pool.name),
    className: tables.text(cost.className),
    shape: tables.shape(pool.node),
    packing: tables.text(pool.packing),
    nodes: pool.nodes,
    always: cost.autoscaled ? cost.nodes.least : pool.nodes,
    devices: pool.nodes * devicesIn(pool, pool.node.counts),
    price: tables.text(priceText(declared)),
    ...(reserved.length > 0 && { reserved: tables.text(reserved.join(', ')) }),
  };
}

function loadsOf(owned: readonly Owned[]): Load[] {
  return [...groupBy(owned, ({ need }) => needKey(need)).values()].flatMap((alike) => {
    const pods = alike.reduce((sum, one) => sum + one.pods, 0);
    return alike.slice(0, 1).map(({ need }) => ({ need, pods }));
  });
}

function devicesIn({ node: { kinds } }: Pool, amounts: readonly number[]): number {
  return kinds.reduce(
    (sum, { claimedAs }, kind) => sum + (claimedAs === undefined ? 0 : (amounts[kind] ?? 0)),
    0,
  );
}

function priceText({ cost: { price }, currency }: Declared): string {
  if (!price) return 'unknown';
  const { perHour, source, asOf = 'undated', discounts } = price;
  const less = discounts.length > 0 ? `, less ${discounts.join(' and ')}` : '';
  return `${money(perHour)} ${currency} (${source}, ${asOf}${less})`;
}

type KindOf = (node: number, empty: boolean) => (typeof NODE_KINDS)[number];

/**
 * What each node is, in the order in which they are filled: those that always run, those that an autoscaler adds, those
 * that a snapshot shows as lost. An empty one is held where pods may be spread over that many.
 */
function kindsOf({ nodes, lost }: Pool, always: number, promised: number): KindOf {
  return (node, empty) => {
    if (node >= nodes - lost) return 'lost';
    if (empty && node < promised) return 'held';
    return node < always ? 'always' : 'autoscaled';
  };
}

const KINDS: Readonly<Record<ReturnType<KindOf>, number>> = { always: 0, autoscaled: 1, held: 2, lost: 3 };

/** Nodes that hold the same, as one group. */
function groupsOf(nodes: readonly (readonly Seated<Owned>[])[], kindOf: KindOf, tables: Tables): GroupData[] {
  const looks = nodes.map((seated, at) => {
    const sorted = seated.toSorted((a, b) => a.owner.deployment - b.owner.deployment);
    const pods = sorted.map(({ owner, takes }) => podOf(owner, takes, tables));
    const kind = KINDS[kindOf(at, seated.length === 0)];
    const whose = sorted.map(({ owner }) => `${owner.deployment} ${owner.mark}`);
    return { key: `${kind} ${pods.join()} ${whose.join()}`, kind, pods, seated: sorted };
  });
  return [...groupBy(looks, ({ key }) => key).values()].flatMap((alike) => {
    const replicas = alike.flatMap(({ seated }) => seated.map(({ owner }) => owner.replica));
    return alike.slice(0, 1).map(({ kind, pods }): GroupData => [alike.length, kind, pods, replicas]);
  });
}

function podOf({ engine, role, surge }: Owned, takes: readonly number[], tables: Tables): number {
  return tables.pods.of([tables.text(engine), tables.text(role), takes, surge ? 1 : 0]);
}
