import type { PolicyRule } from '../api/policy-file';
import type { Path } from '../api/resource';
import type { Diagnostic } from '../base/diagnostic';

/** A policy rule and its place in the policy file. */
export interface Policy {
  readonly rule: PolicyRule;

  /** The place of the rule: `file:line:column`. */
  readonly where: string;

  /** The place of a field of the rule: `file:line:column`. */
  readonly place: (path: Path) => string;
}

/** A violation of a policy rule by a plan: an error or a warning, as the effect of the rule. */
export interface PolicyDiagnostic extends Diagnostic {
  /** The name of the rule. */
  readonly rule: string;

  /** How the deployment at fault is placed as the rule demands. Absent: placement does not decide. */
  readonly advice?: string;
}
