import type { Diagnostic } from '../../base/diagnostic';
import { formatExcerpt } from '../../base/excerpt';
import { capitalize, toSentence } from '../../base/text';
import type { PolicyDiagnostic } from '../../fleet/policy';
import type { Plan } from '../../plan/plan';
import { formatDrain } from '../plan/drain-text';
import { splitWarnings } from '../plan/fresh-remarks';
import { capitalizeMessage, countOthers, groupMessages, type MessageGroup } from '../plan/message-groups';
import type { MessageData, PlanMessageData } from './map-data';

/**
 * Collects the messages of a plan, the most severe first. Those of a kind are grouped as in a comment.
 *
 * @param earlierWarnings those of the state that the plan is compared with, which it does not bring
 */
export function buildPlanMessages(
  { policies, warnings, drains, notes }: Plan,
  earlierWarnings: readonly Diagnostic[] = [],
): PlanMessageData[] {
  const { fresh, known } = splitWarnings({ warnings }, { earlierWarnings });
  const denied = policies.filter(({ severity }) => severity === 'error');
  const warned = policies.filter(({ severity }) => severity === 'warning');
  return [
    ...buildFindings('denied', denied),
    ...buildFindings('warning', warned),
    ...groupMessages(fresh).map((group) => buildGroup('warning', group)),
    ...drains.map((drain) => buildText('drain', capitalize(toSentence(formatDrain(drain))))),
    ...groupMessages(known).map((group) => buildGroup('known', group)),
    ...notes.map((note) => buildText('note', note)),
  ];
}

function buildText(kind: PlanMessageData['kind'], text: string): PlanMessageData {
  return { kind, text, at: [] };
}

function buildFindings(kind: PlanMessageData['kind'], findings: readonly PolicyDiagnostic[]): PlanMessageData[] {
  return groupMessages(findings, ({ rule }) => rule).map((group) => {
    const rule = group.same[0]?.rule ?? '';
    return { ...buildGroup(kind, group), rule };
  });
}

function buildGroup(kind: PlanMessageData['kind'], group: MessageGroup<Diagnostic>): PlanMessageData {
  const first = buildMessage(group.same);
  const others = group.others.map(buildMessage).map(({ hint, ...other }) => {
    return hint === undefined || hint === first.hint ? other : { ...other, hint };
  });
  return { kind, ...first, ...(others.length > 0 && { more: countOthers(group), others }) };
}

/** @param same diagnostics that say the same, at several positions */
function buildMessage(same: readonly Diagnostic[]): MessageData {
  const { message = '', hint, excerpt } = same[0] ?? {};
  return {
    text: toSentence(capitalizeMessage(message)),
    ...(hint !== undefined && { hint: toSentence(hint) }),
    at: same.map(({ at }) => at),
    ...(excerpt && { excerpt: formatExcerpt(excerpt) }),
  };
}
