import { formatCount } from '../../base/figures';
import { groupBy } from '../../base/order';
import { formatBounds, formatNodeCount, joinAnd, pluralize } from '../../base/text';
import type { CloudChange } from '../../diff/cloud-changes';
import { listDeclaredSizes } from '../../diff/declared-sizes';
import type { FleetDiff } from '../../diff/fleet-diff';
import { formatCode } from '../document/write-markdown';
import { type Clause, rankClauses } from './clauses';
import type { PoolSize } from './moves';

/** The most clusters or pools that are named one by one. */
export const MAX_NAMED = 2;

/** ``declares 5 nodes instead of 4 in the node pool `dc/h100` ``, of clusters whose nodes others create. */
export function listDeclaredSizeClauses(
  declarations: FleetDiff['declarations'],
  cloud: readonly CloudChange[],
): Clause[] {
  const sizes = listDeclaredSizes(declarations, cloud).map(({ cluster, pool, what, limits }): SizeChange => {
    const name = `${cluster}/${pool}`;
    return { pool: name, what, resized: limits && { pool: name, ...limits } };
  });
  return joinSizes(
    sizes,
    (pools, what) => `declares ${what} in ${pools}`,
    (count) => `declares other numbers of nodes in ${count}`,
  );
}

interface SizeChange {
  /** `us/l4`. */
  readonly pool: string;

  /** The numbers of nodes, later and earlier. */
  readonly what: string;
  readonly resized: PoolSize | undefined;
}

/** One clause for pools of which the numbers of nodes change alike, and one for all where there are too many. */
function joinSizes(
  sizes: readonly SizeChange[],
  toText: (pools: string, what: string) => string,
  other: (count: string) => string,
): Clause[] {
  const groups = [...groupBy(sizes, ({ what }) => what)];
  const count = pluralize(sizes.length, 'node pool');
  if (groups.length > MAX_NAMED) return rankClauses('capacity', [other(count)]);
  return groups.map(([what, group]): Clause => {
    const names = group.map(({ pool }) => formatCode(pool));
    const few = `the node pool${names.length === 1 ? '' : 's'} ${joinAnd(names)}`;
    const text = toText(names.length > MAX_NAMED ? pluralize(names.length, 'node pool') : few, what);
    const [{ resized } = {}, ...others] = group;
    return { rank: 'capacity', text, ...(resized && others.length === 0 && { resized }) };
  });
}

const PACKING = /^spec\.nodePools\[([^\]]+)\]\.packing$/;

interface PackingChange {
  readonly cluster: string;
  readonly pool: string;

  /** Whether the plan trusts the scheduler to pack pods now, which it did not before; otherwise the reverse. */
  readonly packs: boolean;
}

/** The node pools that the plan fills in another way than before. */
export function listPackingChanges(declarations: FleetDiff['declarations']): PackingChange[] {
  return declarations.flatMap(({ id, action, fields }) =>
    fields.flatMap(({ field, before, after }) => {
      const pool = PACKING.exec(field)?.[1];
      if (pool === undefined || action !== 'changed' || (before === 'BinPack') === (after === 'BinPack')) return [];
      return [{ cluster: id.replace(/^\S+ /, ''), pool, packs: after === 'BinPack' }];
    }),
  );
}

/** ``relies on the scheduler of `dc` to pack pods on `h100` ``, where that gives replicas their places from now on. */
export function formatPacking(declarations: FleetDiff['declarations']): string[] {
  const texts = listPackingChanges(declarations).map(({ cluster, pool, packs }) => {
    const verb = packs ? 'relies' : 'no longer relies';
    return `${verb} on the scheduler of ${formatCode(cluster)} to pack pods on ${formatCode(pool)}`;
  });
  return texts.length > MAX_NAMED ? [`changes the packing of ${formatCount(texts.length)} node pools`] : texts;
}

/** ``resizes the node pool `us/l4` to 3 nodes instead of 1 to 2``. */
export function listSizeClauses(changed: readonly CloudChange[]): Clause[] {
  const sizes = changed.flatMap((pool): SizeChange[] => {
    const [was, is] = [pool.nodes?.before, pool.nodes?.after].map((bounds) => bounds && formatBounds(bounds));
    if (was === undefined || is === undefined || was === is) return [];
    const zones = joinAnd(newZonesOf(pool));
    const more = zones === '' ? '' : `, and adds ${zones} to its zones`;
    const what = `to ${formatNodeCount(is)} instead of ${was}${more}`;
    return [{ pool: `${pool.cluster}/${pool.name}`, what, resized: more === '' ? fixedSizeOf(pool) : undefined }];
  });
  return joinSizes(
    sizes,
    (pools, what) => `resizes ${pools} ${what}`,
    (count) => `resizes ${count}`,
  );
}

/** The numbers of nodes of a pool of fixed size. */
function fixedSizeOf({ cluster, name, nodes: { before, after } = {} }: CloudChange): PoolSize | undefined {
  const isFixed = before?.least === before?.most && after?.least === after?.most;
  return before && after && isFixed
    ? { pool: `${cluster}/${name}`, before: before.most, after: after.most }
    : undefined;
}

/** The zones that a pool on GKE has only after a change. */
export function newZonesOf({ fields }: CloudChange): string[] {
  const { before, after } = fields.find(({ field }) => field === 'nodeLocations') ?? {};
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  return after.filter((zone) => typeof zone === 'string').filter((zone) => !before.includes(zone));
}

export function namePool({ cluster, name }: CloudChange): string {
  return formatCode(`${cluster}/${name}`);
}
