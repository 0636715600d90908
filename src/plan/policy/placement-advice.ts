import { REGION_LABEL } from '../../api/labels';
import type { PolicyLimits, PolicyRule } from '../../api/policy-file';
import type { Limit } from './limits';

/** What a deployment declares so that its replicas are placed as a limit demands. */
const DECLARED: { readonly [K in keyof PolicyLimits]?: (limit: Limit<K>) => string } = {
  allowedRegions: ({ regions }) =>
    `spec.template.spec.clusterSelector to '{ matchExpressions: [{ key: ${REGION_LABEL}, operator: In, values: [${regions.join(', ')}] }] }'`,
  failureDomains: ({ spreadBy, least }) => `spec.placement to '{ spreadBy: ${spreadBy}, minDomains: ${least} }'`,
};

/** How a deployment is placed as a limit demands, as a sentence without its full stop. Undefined: placement does not decide. */
export function advisePlacement<K extends keyof PolicyLimits>(field: K, rule: PolicyRule): string | undefined {
  const limit = rule[field];
  const declare = DECLARED[field] as ((limit: PolicyRule[K]) => string) | undefined;
  if (limit === undefined || !declare) return undefined;
  return `Placement does not follow rules: set ${declare(limit)}`;
}
