import type { Problem } from '../../base/errors';
import { joinNames } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import type { PolicyFinding } from '../../fleet/policy';

/** A finding as a line. */
export function formatPolicyFinding({ rule, effect, where, what }: PolicyFinding): string {
  return `${EFFECT_WORDS[effect]} by ${rule}: ${where}: ${what}.`;
}

/** A finding as a problem at its place, with the name of the rule. */
export function toPolicyProblem({ rule, effect, where, what }: PolicyFinding): Problem {
  return { code: EFFECT_WORDS[effect], where, what: `${EFFECT_WORDS[effect]} by ${rule}: ${what}` };
}

const EFFECT_WORDS: Readonly<Record<PolicyFinding['effect'], string>> = { Deny: 'denied', Warn: 'warned' };

/** `Policies: 1 of 2 met; denied by digests.` Nothing where a fleet has no rules. */
export function formatPolicyVerdict(
  { policies: rules = [] }: Fleet,
  findings: readonly PolicyFinding[],
): string[] {
  if (rules.length === 0) return [];
  const named = (effect: PolicyFinding['effect']): Set<string> =>
    new Set(findings.filter((finding) => finding.effect === effect).map(({ rule }) => rule));
  const [denied, warned] = [named('Deny'), named('Warn')];
  const unmet = [
    ...(denied.size > 0 ? [`; denied by ${joinNames([...denied])}`] : []),
    ...(warned.size > 0 ? [`; warned by ${joinNames([...warned])}`] : []),
  ];
  return [`Policies: ${rules.length - denied.size - warned.size} of ${rules.length} met${unmet.join('')}.`];
}
