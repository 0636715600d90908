import type { ChangeWithLeast } from '../../cost/cost-changes';
import { ZERO_SUM } from '../../cost/sum';
import type { FleetDiff } from '../../diff/fleet-diff';

/** What the replicas of a row cost. */
export interface RowCosts {
  readonly cost: readonly ChangeWithLeast<'deployment'>[];

  /** The same with prices of other regions. Empty where nothing is estimated. */
  readonly estimate: readonly ChangeWithLeast<'deployment'>[];
}

interface CostedRow extends RowCosts {
  readonly deployments: readonly string[];
  readonly accelerators: { readonly draining: number };
}

/** Returns what the deployment of a row costs once its old replicas are finalized. Undefined if it has none. */
export function finalizedCostsOf(
  row: CostedRow,
  { finalizedUse: use }: Pick<FleetDiff, 'finalizedUse'>,
): RowCosts | undefined {
  if (!use || row.accelerators.draining === 0) return undefined;
  const [id = ''] = row.deployments;
  return { cost: finalize(row.cost, use.deployments, id), estimate: finalize(row.estimate, use.estimate ?? [], id) };
}

/** Changes of the cost of a deployment, as they are once it is finalized. What is not listed then costs as much as before. */
function finalize(
  changes: RowCosts['cost'],
  finalized: readonly ChangeWithLeast<'deployment'>[],
  id: string,
): RowCosts['cost'] {
  const found = finalized.filter(({ deployment }) => deployment === id);
  return found.length > 0 ? found : changes.map(undo);
}

function undo({ deployment, before, least }: ChangeWithLeast<'deployment'>): ChangeWithLeast<'deployment'> {
  const kept = { before, after: before, delta: ZERO_SUM };
  const lower = least && { before: least.before, after: least.before, delta: ZERO_SUM };
  return { deployment, ...kept, ...(lower && { least: lower }) };
}
