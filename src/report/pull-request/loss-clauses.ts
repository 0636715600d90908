import { formatCount } from '../../base/figures';
import { sortUnique } from '../../base/order';
import { joinAnd } from '../../base/text';
import { formatCode } from '../document/write-markdown';
import { type Clause, countReplicas } from './clauses';
import type { DeploymentRow } from './deployment-rows';
import type { Move } from './moves';

/** Whether a replica moves because its cluster is declared lost by this change. */
export function isLostMove({ lost, drains }: Move): boolean {
  return lost === true && drains !== undefined;
}

/**
 * ``declares `us` lost: its 3 replicas do not serve; 1 replica of `ml/a` moves to eu, and 2 replicas of `ml/b` have no place
 * elsewhere, as accepted`` for each cluster that a change declares lost and that had replicas.
 */
export function listLossClauses(rows: readonly DeploymentRow[]): Clause[] {
  const moved = rows.flatMap(({ moves }) => moves.filter(isLostMove));
  const clusters = sortUnique([...moved.flatMap(({ drains }) => drains ?? []), ...rows.flatMap(lostClustersOf)]);
  return clusters.map((cluster): Clause => {
    const movesOf = (row: DeploymentRow): Move[] =>
      row.moves.filter((one) => isLostMove(one) && one.drains === cluster);
    const countMoves = (row: DeploymentRow): number => movesOf(row).length;
    const leftOf = (row: DeploymentRow): number => lostClustersOf(row).filter((name) => name === cluster).length;
    const [moving, left] = [rows.filter((row) => movesOf(row).length > 0), rows.filter((row) => leftOf(row) > 0)];
    const moves = moving.flatMap(movesOf);
    const kept = left.reduce((sum, row) => sum + leftOf(row), 0);
    const accepted = left.every(({ unplaced }) => unplaced?.accepted) ? ', as accepted' : '';
    const to = joinAnd(sortUnique(moves.map((one) => one.to)));
    const parts = [
      ...(moves.length > 0
        ? [`${countReplicas(moving, countMoves)} ${moves.length === 1 ? 'moves' : 'move'} to ${to}`]
        : []),
      ...(kept > 0
        ? [`${countReplicas(left, leftOf)} ${kept === 1 ? 'has' : 'have'} no place elsewhere${accepted}`]
        : []),
    ];
    const text = `declares ${formatCode(cluster)} lost: ${describeNotServing(moves.length + kept)}; ${parts.join(', and ')}`;
    return { rank: 'lost', text };
  });
}

function describeNotServing(count: number): string {
  return count === 1 ? 'its replica does not serve' : `its ${formatCount(count)} replicas do not serve`;
}

/** The cluster of each replica without a place elsewhere. */
function lostClustersOf({ lostOn = [] }: DeploymentRow): readonly string[] {
  return lostOn;
}

/** `does not serve: us is lost`. */
export function describeLostReplicas({ lostOn = [], actions }: DeploymentRow): string {
  const clusters = sortUnique(lostOn);
  return `${formatCount(actions.lost)} ${actions.lost === 1 ? 'does' : 'do'} not serve: ${joinAnd(clusters)} ${clusters.length === 1 ? 'is' : 'are'} lost`;
}
