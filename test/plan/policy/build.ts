import type { Resource } from '../../../src/api/kinds';
import { policyFile } from '../../../src/api/policy-file';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { formatPolicyFinding } from '../../../src/report/plan/policy-text';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath, type Doc } from '../../api/build';

/** What one rule reports of a plan of a fleet, as a text each. */
export function reported(resources: Resource[], rule: Doc, before: Resource[] = []): string[] {
  return findings(resources, rule, before).map(formatPolicyFinding);
}

/** What one rule reports of a plan of a fleet whose lock is that of an earlier one. */
export function findings(resources: Resource[], rule: Doc, before: Resource[] = []) {
  const { rules } = policyFile.parse({ rules: [{ name: 'rule', ...rule }] });
  const policies = rules.map((one) => ({ rule: one, where: 'policy.yaml:2:5', place: () => '' }));
  const { lock } = before.length > 0 ? decide(assemble(before), byPath, EMPTY_LOCK) : { lock: EMPTY_LOCK };
  return decide({ ...assemble(resources), policies }, byPath, lock).plan.policies;
}
