import type { PolicyRule } from '../api/policy-file';
import type { Path } from '../api/resource';
import type { Diagnostic } from '../base/diagnostic';

/** A rule and the place where it is written. */
export interface Policy {
  readonly rule: PolicyRule;

  /** `file:line:column`. */
  readonly where: string;

  /** The same of a field of the rule. */
  readonly place: (path: Path) => string;
}

/** A plan does not meet a rule: an error where the rule denies it, a warning where it warns of it. */
export interface PolicyDiagnostic extends Diagnostic {
  /** The name of the rule. */
  readonly rule: string;
}
