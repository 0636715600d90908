import type { Cost } from '../../cost/cost';
import type { CostChanges, RangeChange } from '../../cost/cost-changes';
import type { Sum } from '../../cost/sum';
import type { FleetDiff } from '../../diff/fleet-diff';
import { toRangeChange } from '../cost/cost-changes-tables';
import { formatCounts } from './clauses';
import { formatFleetCells } from './cost-cells';

/** The cells of costs after a change and of differences, each with what they are once old replicas are finalized. */
export function joinThen(later: readonly string[], then: readonly string[]): string[] {
  return then[0] === later[0] ? [...later] : later.map((cell, i) => `${cell} ${UNTIL_FINALIZED}, then ${then[i]}`);
}

const UNTIL_FINALIZED = 'until finalized';

/** The name of the row of the total. */
const FLEET = 'fleet';

/** The names of that row in the table, where no old replicas cost more and where they do. */
export const TOTALS: ReadonlySet<string> = new Set([`**${FLEET}**`, `**${FLEET}, ${UNTIL_FINALIZED}**`]);

/** The rows below the deployments: capacity that nothing uses, volumes of caches, and the total, at first and once old replicas are stopped. */
export function formatFleetRows(
  cost: CostChanges | undefined,
  { finalizedCost, idleAccelerators: idle }: Pick<FleetDiff, 'finalizedCost' | 'idleAccelerators'>,
  later: Pick<Cost, 'clusters'>,
): string[][] {
  const delta = (cost?.estimate?.changes ?? cost)?.idle.delta;
  const isIdleChanged = idle.before !== idle.after || (delta && !isUnchangedSum(delta));
  return [
    ...(isIdleChanged
      ? [['idle capacity', '', formatCounts(idle), '', '', ...formatPartCells(idleOf, cost, finalizedCost)]]
      : []),
    ...formatVolumesRow(cost, finalizedCost),
    ...(cost ? formatTotalRow(finalizedCost ? `${FLEET}, ${UNTIL_FINALIZED}` : FLEET, cost, later) : []),
    ...(cost && finalizedCost ? formatTotalRow(`${FLEET}, after finalizing`, finalizedCost, later) : []),
  ];
}

function formatVolumesRow(cost: CostChanges | undefined, finalized: CostChanges | undefined): string[][] {
  const isChanged = [cost, finalized].some((one) => (one?.storage.delta.perMonth ?? 0) !== 0);
  return isChanged ? [['volumes of caches', '', '', '', '', ...formatPartCells(storageOf, cost, finalized)]] : [];
}

/** @param finalized the cost once old replicas are finalized. Absent: the same */
function formatPartCells(
  partOf: (cost: CostChanges) => RangeChange,
  cost: CostChanges | undefined,
  finalized: CostChanges | undefined,
): string[] {
  if (!cost) return [];
  const [before = '', ...later] = formatFleetCells(cost, partOf);
  return [before, ...joinThen(later, finalized ? formatFleetCells(finalized, partOf).slice(1) : later)];
}

/** The cost of the fleet. Unchanged and known, it shows that the rows above are parts of it. */
function formatTotalRow(name: string, cost: CostChanges, later: Pick<Cost, 'clusters'>): string[][] {
  const [before = '', after = '', difference = ''] = formatFleetCells(cost, totalOf, later);
  const isSame = isUnchangedTotal(cost);
  if (isSame && before === 'unknown') return [];
  const cells = [before, after, isSame ? 'unchanged' : difference];
  return [[`**${name}**`, '', '', '', '', ...cells.map((cell) => `**${cell}**`)]];
}

/** Whether the fleet costs what it costs, whatever pays for it. */
function isUnchangedTotal({ delta, estimate }: CostChanges): boolean {
  const sums = [delta, ...(estimate ? [estimate.changes.delta] : [])];
  return sums.every(({ least, most }) => isUnchangedSum(least) && isUnchangedSum(most));
}

export function isUnchangedSum({ perMonth, unknown }: Sum): boolean {
  return perMonth === 0 && unknown === 0;
}

function idleOf({ idle }: CostChanges): RangeChange {
  return toRangeChange(idle);
}

function storageOf({ storage }: CostChanges): RangeChange {
  return toRangeChange(storage);
}

function totalOf(cost: CostChanges): RangeChange {
  return cost;
}
