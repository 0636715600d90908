import { sortUnique } from '../../base/order';
import { pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ApplyMode } from '../../diff/serving-during-change';
import type { ChangeStep } from '../diff/change-steps';
import { formatCode } from '../document/write-markdown';
import type { DeploymentRow } from './deployment-rows';
import { isLostMove } from './loss-clauses';

/**
 * What happens on clusters that a change declares lost once they answer again, where Argo CD applies manifests: no
 * one has to act. Empty with other tools, which may not wait for a cluster.
 */
export function listLostSteps(
  rows: readonly Pick<DeploymentRow, 'moves' | 'lostOn'>[],
  { objects }: Pick<FleetDiff, 'objects'>,
  applied: ApplyMode | undefined,
): ChangeStep[] {
  if (applied !== 'perCluster') return [];
  const moves = rows.flatMap((row) => row.moves.filter(isLostMove));
  const lost = [...moves.flatMap(({ drains }) => drains ?? []), ...rows.flatMap(({ lostOn = [] }) => lostOn)];
  const changed = sortUnique(lost).filter((name) => objects.some(({ cluster }) => cluster === name));
  return changed.map((name) => {
    const moved = moves.filter(({ drains }) => drains === name).length;
    const stops = moved > 0 ? `, and stops the ${pluralize(moved, 'replica')} that moved` : '';
    const what = `nothing to do. Argo CD applies the change there${stops}.`;
    return { time: 'later', when: `when ${formatCode(name)} answers again`, what };
  });
}
