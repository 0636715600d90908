import { pairsOf } from '../base/keyed-lists';
import type { Policy } from '../fleet/policy';

/** What happens to a rule of the policy files of a fleet, which the list of declarations leaves out. */
export interface PolicyChange {
  /** The name of the rule. */
  readonly rule: string;
  readonly action: 'added' | 'changed' | 'removed';

  /** Where the rule is: `file:line:column`. Absent if it is removed. */
  readonly where?: string;
}

/** Compares the policy rules of two states, by the name of the rule. */
export function diffPolicies(before: readonly Policy[] = [], after: readonly Policy[] = []): PolicyChange[] {
  return pairsOf(before, after, ({ rule }) => rule.name).flatMap(({ key, was, is }): PolicyChange[] => {
    if (!is) return [{ rule: key, action: 'removed' }];
    if (!was) return [{ rule: key, action: 'added', where: is.where }];
    const isSame = JSON.stringify(was.rule) === JSON.stringify(is.rule);
    return isSame ? [] : [{ rule: key, action: 'changed', where: is.where }];
  });
}
