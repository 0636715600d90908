import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { LeftClusters } from '../../diff/left-clusters';
import type { Cause } from '../../diff/replica-causes';
import { CITE_IN_FULL, type CiteEdits } from './change-sentences';

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

/**
 * `: leave out edit 1 until then, and run 'fleetwright lock DIR --from main'`, `: apply this change only then` where it has
 * no other edits. Empty: that is not enough.
 */
export function describeKeeping(
  { causes, keptBy, isWhole }: Pick<LeftClusters, 'causes' | 'keptBy' | 'isWhole'>,
  cite: CiteEdits,
): string {
  if (keptBy === undefined) return '';
  if (isWhole) return ': apply this change only then';
  return `: leave out ${nameCauses(causes, causes.length, cite)} until then, and run 'fleetwright lock DIR --from ${keptBy}'`;
}
