import type { NamespaceRule } from '../api/namespace-rule';

/** What resources of a namespace may use. */
export type NamespacePermissions = Omit<NamespaceRule, 'match'>;

/** What a namespace may use that no rule matches. */
const DEFAULT_PERMISSIONS: NamespacePermissions = {
  podSecurity: 'Baseline',
  privileged: false,
  hostPath: false,
};

/** Returns the first rule that matches a namespace, or the default. */
export function namespaceRuleOf(rules: readonly NamespaceRule[], namespace: string): NamespacePermissions {
  return rules.find(({ match }) => matchesPattern(match, namespace)) ?? DEFAULT_PERMISSIONS;
}

/** Whether one of some names, or of some beginnings of names with `*` at the end, matches a name. */
export function matchesPattern(patterns: readonly string[], name: string): boolean {
  return patterns.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
}
