import { toSentence } from '../../base/text';
import type { MoreNodes } from '../../analyze/survive/more-nodes';
import { poolKeyOf } from '../../cost/pool-prices';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Plan } from '../../plan/plan';
import type { CiteEdits } from '../diff/change-sentences';
import { findAcceptedNew, type UnplacedDeployment } from '../diff/unplaced-findings';
import { describeUnplaced } from '../diff/unplaced-sentences';
import { findAddedNodes, listArriving } from './idle-nodes';
import { formatAdvised } from './refusal-lines';

/** The most deployments that have lines of their own. */
const MAX_LISTED = 3;

/** What lines on accepted shortfalls refer to. */
interface AcceptedContext {
  readonly cite: CiteEdits;
  readonly moreNodes?: MoreNodes | undefined;
}

/**
 * Formats why deployments that a change adds have no place although the change accepts that, as a list: what to do is not
 * folded, because a reader may not mean it.
 */
export function formatAcceptedLines(
  diff: FleetDiff,
  plan: Pick<Plan, 'deployments'>,
  { cite, moreNodes }: AcceptedContext,
): string[] {
  return findAcceptedNew(diff, plan)
    .slice(0, MAX_LISTED)
    .flatMap((finding) => {
      const { what, why, ...advice } = describeUnplaced(finding, { ...cite, diff, moreNodes });
      const idle = describeIdle(finding.deployments[0], diff, cite);
      return formatAdvised(what, idle, { ...advice, why: toSentence(`Why: ${why}`), mark: ':warning:' });
    });
}

/** `The nodes of edit 1 do not change that, and stay idle.` Empty: the change adds none where it lacks room. */
function describeIdle(
  { shortfall }: UnplacedDeployment,
  { declarations, deployments }: FleetDiff,
  cite: CiteEdits,
): string {
  const lacking = new Set(
    (shortfall?.rejections ?? []).flatMap(({ cluster, pool, reason }) =>
      pool !== undefined && reason.filter === 'capacity' ? [poolKeyOf(cluster, pool)] : [],
    ),
  );
  const used = new Set(listArriving(deployments).flatMap(({ pools }) => pools));
  const idle = findAddedNodes(declarations, (key) => lacking.has(key) && !used.has(key));
  const edits = idle.length === 0 ? undefined : cite.nameEdits(idle);
  return edits === undefined ? '' : `The nodes that ${edits} adds do not make it fit, and stay idle.`;
}
