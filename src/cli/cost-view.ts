import type { FleetDiff } from '../diff/fleet-diff';
import { formatCostChangeTables } from '../plan/cost-changes-table';
import { formatCostChanges } from '../plan/cost-changes-text';
import { formatCostTables, NOTHING_BOUGHT, type Print } from '../plan/cost-table';
import { formatCost } from '../plan/cost-text';
import type { Plan } from '../plan/plan';

/** What a fleet costs, as tables: where two states are compared, what it costs now, after, and the difference. */
export function costTables({ cost }: Plan, diff: FleetDiff | undefined, print: Print): string[] {
  if (diff?.cost) return formatCostChangeTables(diff.cost, print);
  return [...(diff ? [OTHER_CURRENCY] : []), ...formatCostTables(cost, print)];
}

/** The same in a line. */
export function costTotal({ cost }: Plan, diff: FleetDiff | undefined): string {
  const [total] = diff?.cost ? formatCostChanges(diff.cost) : formatCost(cost);
  return total ?? NOTHING_BOUGHT;
}

const OTHER_CURRENCY = 'The other state has its costs in another currency: these are of this one alone.';
