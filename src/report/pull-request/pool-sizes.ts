import { formatCount } from '../../base/figures';
import { formatBounds, formatNodeCount, joinAnd } from '../../base/text';
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
  const sizes = listDeclaredSizes(declarations, cloud);
  if (sizes.length > MAX_NAMED)
    return rankClauses('capacity', [`declares other numbers of nodes in ${formatCount(sizes.length)} node pools`]);
  return sizes.map(({ cluster, pool: name, what, limits }): Clause => {
    const pool = `${cluster}/${name}`;
    const text = `declares ${what} in the node pool ${formatCode(pool)}`;
    return { rank: 'capacity', text, ...(limits && { resized: { pool, ...limits } }) };
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
  const sizes = changed.flatMap((pool) => {
    const [was, is] = [pool.nodes?.before, pool.nodes?.after].map((bounds) => bounds && formatBounds(bounds));
    return was === undefined || is === undefined || was === is ? [] : [{ pool, was, is }];
  });
  const named = sizes.slice(0, MAX_NAMED).map(({ pool, was, is }): Clause => {
    const zones = joinAnd(newZonesOf(pool));
    const more = zones === '' ? '' : `, and adds ${zones} to its zones`;
    const text = `resizes the node pool ${namePool(pool)} to ${formatNodeCount(is)} instead of ${was}${more}`;
    const resized = more === '' ? fixedSizeOf(pool) : undefined;
    return { rank: 'capacity', text, ...(resized && { resized }) };
  });
  return sizes.length > MAX_NAMED
    ? rankClauses('capacity', [`resizes ${formatCount(sizes.length)} node pools`])
    : named;
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
