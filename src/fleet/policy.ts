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

  /** Deployments and the number of replicas that meets the rule: one of these changes is enough. Absent: no such number is known. */
  readonly fewer?: readonly FewerReplicas[];

  /** What uses most of a limit on devices or money, the largest first: `ml/a (12), ml/b (2)`. Absent: it is another limit. */
  readonly users?: string;

  /** Fewer copies or replicas of one of them that meet such a limit. Absent: it is another limit. */
  readonly smaller?: readonly string[];

  /** How the deployment at fault is placed as the rule demands. Absent: placement does not decide. */
  readonly advice?: string;

  /** What is not known, where the rule is most likely met: `1 price is unknown, about $77,800`. Absent: it may be broken. */
  readonly unsure?: string;
}

/** A number of replicas, and the most that meet a policy rule. */
export interface FewerReplicas {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly from: number;
  readonly to: number;

  /** The number of replicas that is declared, if not all have a place. Absent: it is `from`. */
  readonly declared?: number;
}

/** A policy rule that denies a change, and the edit of the rule that allows it. */
export interface BrokenRule {
  /** The name of the rule. */
  readonly rule: string;

  /** The place of the rule: `file:line:column`. */
  readonly where: string;

  /** Absent: no value of its limit allows the change. */
  readonly allow?: LimitEdit;
}

/** Another value of the limit of a rule. */
export type LimitEdit =
  | { readonly field: string; readonly from: number; readonly to: number }
  | {
      readonly field: string;

      /** Further entries of a list. */
      readonly add: readonly string[];
    };
