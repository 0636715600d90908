import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { LeftClusters } from '../../diff/left-clusters';
import type { Cause } from '../../diff/replica-causes';
import { CITE_IN_FULL, type CiteEdits } from './change-sentences';
import { ACCEPT_REMOVALS, type Advice, orAccept, toAdvice } from './choices';

/** The edits that take replicas down, and how many of them other edits of the same declarations do not need. */
interface SeparableEdits {
  readonly causes: readonly Cause[];
  readonly separable: number;
  readonly cite?: CiteEdits;
}

/**
 * `leave out edit 2`; with new copies that would serve meanwhile, that a later change applies it. Undefined: the others
 * cause nothing on their own.
 */
export function adviseOnSeparable(
  changes: readonly ReplicaChangeWithCauses[],
  { causes, separable, cite = CITE_IN_FULL }: SeparableEdits,
): string | undefined {
  if (separable === 0) return undefined;
  const edits = nameCauses(causes, separable, cite);
  if (!changes.every(({ servesWithNewCopies }) => servesWithNewCopies)) return `leave out ${edits}`;
  return `apply ${edits} in a later change, when the new copies serve (cost unchanged): one copy at a time restarts then`;
}

function nameCauses(causes: readonly Cause[], count: number, { nameEdits }: CiteEdits): string {
  return nameEdits(causes) ?? (count === 1 ? 'that edit' : 'these edits');
}

/** `: leave out edit 1 until then, and run 'fleetwright lock DIR --from main'`. Empty: that is not enough. */
function describeKeeping({ causes, keptBy }: Pick<LeftClusters, 'causes' | 'keptBy'>, cite: CiteEdits): string {
  if (keptBy === undefined) return '';
  return `: leave out ${nameCauses(causes, causes.length, cite)} until then, and run 'fleetwright lock DIR --from ${keptBy}'`;
}

/** What to do while clients use replicas that leave their cluster. */
export function adviseOnLeft(left: Pick<LeftClusters, 'causes' | 'keptBy' | 'isWhole'>, cite: CiteEdits): Advice {
  const isWhole = left.isWhole && left.keptBy !== undefined;
  if (isWhole) return toAdvice([{ text: `wait until no client there uses it, and then ${ACCEPT_REMOVALS}` }]);
  const careful = { text: `keep a replica there until no client uses it${describeKeeping(left, cite)}` };
  return orAccept(careful, 'if no client does');
}
