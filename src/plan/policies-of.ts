import type { Locate } from '../api/locate';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { devicesHeld, judge } from '../policy/judge';
import type { Judged } from '../policy/limits';
import type { PolicyFinding } from '../policy/policy';
import type { Matcher } from '../scheduler/matcher';
import type { Model } from '../scheduler/model';
import { shortList } from './format';

/** What was decided, as far as rules look at it. */
interface Decided extends Omit<Judged, 'devices'> {
  readonly model: Model;
  readonly matcher: Matcher;
}

/** The rules of a fleet that a plan does not meet. */
export function policiesOf({ model, matcher, ...judged }: Decided, locate: Locate): PolicyFinding[] {
  const { policies = [] } = judged.fleet;
  if (policies.length === 0) return [];
  const devices = devicesHeld(model, matcher, judged.placements);
  return judge(policies, { ...judged, devices }, locate);
}

/** A finding as a line. */
export function formatPolicy({ rule, effect, where, what }: PolicyFinding): string {
  return `${VERDICTS[effect]} by ${rule}: ${where}: ${what}.`;
}

/** A finding as a problem at its place, with the name of the rule. */
export function policyProblem({ rule, effect, where, what }: PolicyFinding): Problem {
  return { code: VERDICTS[effect], where, what: `${VERDICTS[effect]} by ${rule}: ${what}` };
}

const VERDICTS: Readonly<Record<PolicyFinding['effect'], string>> = { Deny: 'denied', Warn: 'warned' };

/** `Policies: 1 of 2 met; denied by digests.` Nothing where a fleet has no rules. */
export function formatVerdict({ policies: rules = [] }: Fleet, findings: readonly PolicyFinding[]): string[] {
  if (rules.length === 0) return [];
  const named = (effect: PolicyFinding['effect']): Set<string> =>
    new Set(findings.filter((finding) => finding.effect === effect).map(({ rule }) => rule));
  const [denied, warned] = [named('Deny'), named('Warn')];
  const unmet = [
    ...(denied.size > 0 ? [`; denied by ${shortList([...denied])}`] : []),
    ...(warned.size > 0 ? [`; warned by ${shortList([...warned])}`] : []),
  ];
  return [`Policies: ${rules.length - denied.size - warned.size} of ${rules.length} met${unmet.join('')}.`];
}

/** Whether a rule says no. */
export function isDenied({ policies }: { readonly policies: readonly PolicyFinding[] }): boolean {
  return policies.some(({ effect }) => effect === 'Deny');
}
