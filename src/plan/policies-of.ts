import type { Locate } from '../api/locate';
import { devicesHeld, judge } from '../policy/judge';
import type { Judged } from '../policy/limits';
import type { PolicyFinding } from '../policy/policy';
import type { Matcher } from '../scheduler/matcher';
import type { Model } from '../scheduler/model';

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
  return `${effect === 'Deny' ? 'denied' : 'warned'} by ${rule}: ${where}: ${what}.`;
}

/** Whether a rule says no. */
export function isDenied({ policies }: { readonly policies: readonly PolicyFinding[] }): boolean {
  return policies.some(({ effect }) => effect === 'Deny');
}
