import type { PolicyRule } from '../api/policy-file';
import type { Path } from '../api/resource';

/** A rule and the place where it is written. */
export interface Policy {
  readonly rule: PolicyRule;

  /** `file:line:column`. */
  readonly where: string;

  /** The same of a field of the rule. */
  readonly place: (path: Path) => string;
}

/** A plan does not meet a rule. */
export interface PolicyFinding {
  /** The name of the rule. */
  readonly rule: string;
  readonly effect: 'Deny' | 'Warn';

  /** The declaration that it is about, or the rule itself where that is the whole fleet. */
  readonly where: string;

  /** What is not met, as a clause. */
  readonly what: string;
}
