import { type Resource, resourceIdOf } from '../api/kinds';
import type { Path } from '../api/resource';
import { isDeepEqual } from '../base/deep-equal';
import { pairsOf } from '../base/keyed-lists';
import { documentOf } from '../manifest/canonical-document';
import { diffFields, type FieldChange } from './field-changes';
import { findRenames } from './renamed-declarations';
import type { FleetState } from './fleet-state';

/** A changed field of a declaration, and its position. */
export interface DeclaredField extends FieldChange {
  /** `file:line:column`, or a construct path; of what is gone, where it was. */
  readonly where: string;
}

/** A declaration that is new, gone, or says something else. */
export interface DeclarationChange {
  /** `ModelDeployment ml/qwen3`. */
  readonly id: string;
  readonly action: 'added' | 'removed' | 'changed';
  readonly where: string;

  /** In the order of the document. Empty unless it changed, or is new under another name with other edits. */
  readonly fields: readonly DeclaredField[];

  /**
   * Of what is new or gone: the ID under which the same declaration was, or is. That of a ModelDeployment may have other
   * edits too. Absent: there is none.
   */
  readonly renamed?: string;
}

type Declarations = Pick<FleetState, 'resources' | 'locate' | 'unread'>;

/** Compares declarations, sorted by ID. Comments, the order of documents and explicit defaults are not changes. */
export function diffDeclarations(before: Declarations, after: Declarations): DeclarationChange[] {
  const renames = findRenames(before.resources, after.resources);
  const renamedOf = (one: Resource) => {
    const other = renames.get(one);
    return other && { renamed: resourceIdOf(other) };
  };
  const fieldsOf = (was: Resource, is: Resource): DeclaredField[] =>
    diffFields(documentOf(was), documentOf(is)).map((change) => {
      const isRemoved = change.after === undefined;
      return { ...change, where: isRemoved ? before.locate(was, change.path) : after.locate(is, change.path) };
    });
  const editsOf = (is: Resource): DeclaredField[] => {
    const former = renames.get(is);
    return former ? fieldsOf(former, is).filter(({ path }) => !isName(path)) : [];
  };
  return pairsOf(before.resources, after.resources, resourceIdOf).flatMap(
    ({ key: id, was, is }): DeclarationChange[] => {
      if (was && after.unread?.has(id)) return toUnreadChange(id, after.unread.get(id));
      if (is && before.unread?.has(id)) return [{ id, action: 'changed', where: after.locate(is, []), fields: [] }];
      if (!was && is)
        return [{ id, action: 'added', where: after.locate(is, []), fields: editsOf(is), ...renamedOf(is) }];
      if (was && !is) return [{ id, action: 'removed', where: before.locate(was, []), fields: [], ...renamedOf(was) }];
      if (!was || !is || isDeepEqual(was, is)) return [];
      const fields = fieldsOf(was, is);
      return fields.length > 0 ? [{ id, action: 'changed', where: after.locate(is, []), fields }] : [];
    },
  );
}

function isName([parent, field]: Path): boolean {
  return parent === 'metadata' && (field === 'name' || field === 'namespace');
}

function toUnreadChange(id: string, where = ''): DeclarationChange[] {
  return where === '' ? [] : [{ id, action: 'changed', where, fields: [] }];
}
