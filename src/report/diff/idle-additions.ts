import { formatAmount } from '../../base/money';
import { joinAnd } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Cause } from '../../diff/replica-causes';
import type { Remedy } from '../../scheduler/remedy';
import { type AddedNodes, addedNodesOf } from '../../diff/idle-nodes';
import { formatNodeField } from '../analyze/added-nodes-text';
import type { CiteEdits } from './change-sentences';

/** The change, and how its edits are named. */
interface IdleContext extends Pick<CiteEdits, 'nameEdits'> {
  readonly diff: Pick<FleetDiff, 'cost'>;
}

interface NamedPool {
  readonly cluster: string;
  readonly pool: string;
}

/** Whether a remedy puts pods on nodes that an edit adds. */
export function usesAdded(remedy: Remedy, edit: Cause): boolean {
  const added = addedNodesOf(edit);
  return added !== undefined && poolsOf(remedy).some((one) => one.cluster === added.cluster && one.pool === added.pool);
}

/** The pools on which a remedy gives pods a place. */
function poolsOf(remedy: Remedy): NamedPool[] {
  const moved = 'moves' in remedy ? remedy.moves : [];
  const own = 'pool' in remedy && !('newPool' in remedy && remedy.newPool) ? [remedy] : [];
  return [...own, ...moved.flatMap(({ to, toPools }) => toPools.map((pool) => ({ cluster: to, pool })))];
}

/** `, that is 'nodeCount: 6' instead of 4 (edit 1)`, behind the nodes of a remedy. Empty: it names the field, or has none. */
export function describeField(remedy: Remedy, edits: readonly Cause[], { nameEdits }: IdleContext): string {
  if (remedy.kind !== 'nodes' || remedy.newPool || remedy.unavailable || !remedy.nodeCount) return '';
  const edit = edits.find((one) => one.field?.field.endsWith('.nodeCount') && usesAdded(remedy, one));
  return `${formatNodeField(remedy)}${edit ? ` (${nameAll([edit], nameEdits)})` : ''}`;
}

/** `the node of edit 1`. */
export function nameAdded(edits: readonly Cause[], { nameEdits }: IdleContext): string {
  return `the ${countNodes(edits) === 1 ? 'node' : 'nodes'} of ${nameAll(edits, nameEdits)}`;
}

/** `leave out edit 1 (saves $64,598 a month): its node stays idle`. */
export function describeLeavingOut(edits: readonly Cause[], context: IdleContext): string {
  const saved = sumSavings(edits, context.diff);
  const whose = edits.length === 1 ? 'its' : 'their';
  const stays = countNodes(edits) === 1 ? 'node stays' : 'nodes stay';
  return `leave out ${nameAll(edits, context.nameEdits)}${saved}: ${whose} ${stays} idle`;
}

/** `edit 1`, or where edits have no numbers, their fields. */
function nameAll(edits: readonly Cause[], nameEdits: CiteEdits['nameEdits']): string {
  return nameEdits(edits) ?? joinAnd(edits.map(({ id, field }) => `${field?.field} of ${id}`));
}

function listAdded(edits: readonly Cause[]): AddedNodes[] {
  return edits.flatMap((edit) => addedNodesOf(edit) ?? []);
}

function countNodes(edits: readonly Cause[]): number {
  return listAdded(edits).reduce((sum, { before, after }) => sum + after - before, 0);
}

/** ` (saves $64,598 a month)`. Empty where that is not known. */
function sumSavings(edits: readonly Cause[], { cost }: Pick<FleetDiff, 'cost'>): string {
  const pools = cost?.clusters.flatMap(({ cluster, pools: all }) => all.map((one) => ({ ...one, cluster }))) ?? [];
  const deltas = listAdded(edits).map(({ cluster, pool }) => {
    const { least, most } = pools.find((one) => one.cluster === cluster && one.pool === pool)?.delta ?? {};
    const isExact = most?.unknown === 0 && least?.perMonth === most.perMonth;
    return isExact ? most.perMonth : undefined;
  });
  const known = deltas.filter((one) => one !== undefined);
  const sum = known.reduce((total, one) => total + one, 0);
  return cost && known.length === deltas.length && sum > 0
    ? ` (saves ${formatAmount(sum, cost.currency)} a month)`
    : '';
}
