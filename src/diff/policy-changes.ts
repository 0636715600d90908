import { pairsOf } from '../base/keyed-lists';
import type { Policy } from '../fleet/policy';
import type { DeclarationChange, DeclaredField } from './declaration-changes';
import { diffFields } from './field-changes';

/** What happens to a rule of the policy files of a fleet, which the list of declarations leaves out. */
export interface PolicyChange extends Pick<DeclarationChange, 'action' | 'where' | 'fields'> {
  /** The name of the rule. */
  readonly rule: string;
}

/** Compares the policy rules of two states, by the name of the rule. */
export function diffPolicies(before: readonly Policy[] = [], after: readonly Policy[] = []): PolicyChange[] {
  return pairsOf(before, after, ({ rule }) => rule.name).flatMap(({ key, was, is }): PolicyChange[] => {
    if (!is) return was ? [{ rule: key, action: 'removed', where: was.where, fields: [] }] : [];
    if (!was) return [{ rule: key, action: 'added', where: is.where, fields: [] }];
    const fields = diffRule(was, is);
    return fields.length === 0 ? [] : [{ rule: key, action: 'changed', where: is.where, fields }];
  });
}

function diffRule(was: Policy, is: Policy): DeclaredField[] {
  return diffFields(was.rule, is.rule).map((change) => {
    const place = change.after === undefined ? was.place : is.place;
    return { ...change, where: place(change.path) };
  });
}

/** The changes of rules as edits, next to those of declarations. A new fleet names the files of its rules itself. */
export function listPolicyEdits(
  policies: readonly PolicyChange[] = [],
  declarations: readonly DeclarationChange[],
): DeclarationChange[] {
  const isNew = declarations.some(({ id, action }) => action === 'added' && id.startsWith('Fleet '));
  return isNew ? [] : policies.map(({ rule, ...change }) => ({ id: `policy ${rule}`, ...change }));
}
