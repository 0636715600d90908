import * as fc from 'fast-check';
import type { Decision } from '../../src/plan/decision';
import type { Remedy } from '../../src/scheduler/remedy';
import type { Doc } from '../api/build';

const REGIONS = ['r0', 'r1', 'r2'];

/** A rule that may deny a remedy. */
export const RULE: fc.Arbitrary<Doc> = fc.oneof(
  fc.record({ deviceQuota: fc.record({ most: fc.nat(24) }) }),
  fc.record({ budget: fc.record({ perMonth: fc.integer({ min: 10_000, max: 100_000 }) }) }),
  fc.record({ budget: fc.record({ namespace: fc.constant('ml'), perMonth: fc.integer({ min: 5000, max: 50_000 }) }) }),
  fc.record({ failureDomains: fc.record({ spreadBy: fc.constant('zone'), least: fc.integer({ min: 1, max: 2 }) }) }),
  fc.record({ allowedRegions: fc.record({ regions: fc.subarray(REGIONS, { minLength: 1 }) }) }),
);

const deniedRulesOf = ({ plan }: Decision): Set<string> =>
  new Set(plan.policies.flatMap(({ rule, severity }) => (severity === 'error' ? [rule] : [])));

/** Makes the edits of rules that a remedy names. */
export function editRules(rules: readonly Doc[], { breaks = [] }: Remedy): Doc[] {
  return rules.map((rule) => {
    const allow = breaks.find((one) => one.rule === rule['name'])?.allow;
    if (!allow) return rule;
    const [limit = '', field = ''] = allow.field.split('.');
    const before = rule[limit] as Doc;
    const value = 'add' in allow ? [...(before[field] as string[]), ...allow.add] : allow.to;
    return { ...rule, [limit]: { ...before, [field]: value } };
  });
}

/** The rules that deny a fleet with a remedy, and neither denied it before, nor are said to. */
export function listNewDenials(before: Decision, after: Decision, remedy: Remedy): string[] {
  const known = deniedRulesOf(before);
  const { breaks = [] } = remedy;
  const said = new Set(breaks.flatMap(({ rule, allow }) => (allow ? [] : [rule])));
  // Other limits are about each deployment, and another one may exceed them.
  const total = new Set(
    breaks.flatMap(({ rule, allow }) => (/^(budget|deviceQuota)/.test(allow?.field ?? '') ? [rule] : [])),
  );
  return [...deniedRulesOf(after)].filter((rule) => !said.has(rule) && (total.has(rule) || !known.has(rule)));
}
