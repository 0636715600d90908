import { joinNames, placeText } from '../../base/text';
import type { DeploymentPlan } from '../../plan/plan';

/** The most moves that are named. */
const MAX_MOVES = 3;

/**
 * Formats what `lock --rebalance` does for replicas without a place: which replicas move, which ones get a place only when
 * these are gone, and for which no move was found.
 *
 * @param rebalance the deployment whose replicas may move. True: all. Otherwise, none is rebalanced
 */
export function formatRebalance(deployments: readonly DeploymentPlan[], rebalance?: boolean | string): string[] {
  if (rebalance === undefined || rebalance === false) return [];
  const moves = deployments.flatMap(listMoves);
  const waiting = deployments.filter(({ shortfall }) => shortfall?.waiting);
  const left = deployments.filter(
    ({ shortfall }) => shortfall && shortfall.accepted && (shortfall.waiting ?? 0) < shortfall.missing,
  );
  const whose = typeof rebalance === 'string' ? ` of ${rebalance}` : '';
  const which = moves.length > 0 ? `no further move${whose}` : `no move${whose}`;
  return [
    ...(moves.length > 0 ? [`move ${joinNames(moves, MAX_MOVES)}.`] : []),
    ...(waiting.length > 0
      ? [`replicas of ${namesOf(waiting)} get their place after 'lock --finalize' and 'lock'.`]
      : []),
    ...(left.length > 0 ? [`${which} was found that gives replicas of ${namesOf(left)} a place.`] : []),
  ].map((text) => `Rebalance: ${text}`);
}

function listMoves({ deployment, changes }: DeploymentPlan): string[] {
  return changes.flatMap((change) => {
    if (change.action !== 'move' || change.reason.kind !== 'makes-room') return [];
    return [`${deployment} from ${placeText(change.from)} to ${placeText(change.replica.placement)}`];
  });
}

function namesOf(deployments: readonly DeploymentPlan[]): string {
  return joinNames(deployments.map(({ deployment }) => deployment));
}
