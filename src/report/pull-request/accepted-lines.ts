import { sortUnique } from '../../base/order';
import { toSentence } from '../../base/text';
import type { MoreNodes } from '../../analyze/survive/more-nodes';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Plan } from '../../plan/plan';
import { formatMoreNodesLine } from '../analyze/added-nodes-text';
import type { CiteEdits } from '../diff/change-sentences';
import { findAcceptedNew } from '../diff/unplaced-findings';
import { describeUnplaced } from '../diff/unplaced-sentences';
import { escapeMarkdown } from '../document/write-markdown';
import type { DeploymentRow } from './deployment-rows';
import { formatAdvised } from './refusal-lines';

/** The most deployments that have lines of their own. */
const MAX_LISTED = 3;

/** What lines on accepted shortfalls refer to. */
interface AcceptedContext {
  readonly cite: CiteEdits;
  readonly moreNodes?: MoreNodes | undefined;
  readonly nodesForLost?: MoreNodes | undefined;
  readonly rows: readonly Pick<DeploymentRow, 'lostOn'>[];
}

/**
 * Formats what nodes replicas of lost clusters need, and why deployments that a change adds have no place, although the
 * change accepts that, as a list: what to do is not folded, because a reader may not mean it.
 */
export function formatAcceptedLines(
  diff: FleetDiff,
  plan: Pick<Plan, 'deployments'>,
  { cite, moreNodes, nodesForLost, rows }: AcceptedContext,
): string[] {
  const added = findAcceptedNew(diff, plan)
    .slice(0, MAX_LISTED)
    .flatMap((finding) => {
      const { what, left, why, ...advice } = describeUnplaced(finding, { ...cite, diff, moreNodes });
      return formatAdvised(what, left, { ...advice, why: toSentence(`Why: ${why}`), mark: ':warning:' });
    });
  return [...formatNodesForLost(nodesForLost, rows), ...added];
}

/** The nodes for replicas of lost clusters. Empty where none are found. */
function formatNodesForLost(nodes: MoreNodes | undefined, rows: AcceptedContext['rows']): string[] {
  const clusters = sortUnique(rows.flatMap(({ lostOn = [] }) => lostOn));
  const line = nodes && clusters.length > 0 ? formatMoreNodesLine(nodes, { lostOn: clusters }) : undefined;
  return line === undefined ? [] : [`- ${escapeMarkdown(line)}.`];
}
