import { joinNames, placeText } from '../../base/text';
import type { DeploymentPlan } from '../../plan/plan';
import { isEvicted } from '../../plan/replica-moves';

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
  // Nothing moves while others wait for draining replicas of an earlier change.
  const isLater = moves.length === 0 && waiting.length > 0;
  const rest = isLater
    ? `nothing moves before that. Run it again afterwards for replicas of ${namesOf(left)}.`
    : `${which} was found that gives replicas of ${namesOf(left)} a place.`;
  return [
    ...(moves.length > 0 ? [`move ${joinNames(moves, MAX_MOVES)}.`] : []),
    ...(waiting.length > 0
      ? [`replicas of ${namesOf(waiting)} get their place after 'lock --finalize' and 'lock', in one change.`]
      : []),
    ...(left.length > 0 ? [rest] : []),
  ].map((text) => `Rebalance: ${text}`);
}

/** Says of which deployments replicas that serve would wait for a rebalance too, and what to do instead. */
export function formatStopped(deployments: readonly DeploymentPlan[]): string[] {
  const stopped = deployments.filter(({ changes, shortfall }) => shortfall?.waiting && changes.some(isEvicted));
  if (stopped.length === 0) return [];
  return [
    `Replicas of ${namesOf(stopped)} would stop until 'lock --finalize' and 'lock'. 'fleetwright plan' says how to move the others before.`,
  ];
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
