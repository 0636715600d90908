import { type Resource, resourceIdOf } from '../api/kinds';
import { isDeepEqual } from '../base/deep-equal';
import { pairsOf } from '../base/keyed-lists';
import { documentOf } from '../manifest/canonical-document';
import { diffFields, type FieldChange } from './field-changes';
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

  /** In the order of the document. Empty unless it changed. */
  readonly fields: readonly DeclaredField[];

  /** Of what is new or gone: the ID under which the same declaration was, or is. Absent: there is no equal one. */
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
  return pairsOf(before.resources, after.resources, resourceIdOf).flatMap(
    ({ key: id, was, is }): DeclarationChange[] => {
      if (was && after.unread?.has(id)) return toUnreadChange(id, after.unread.get(id));
      if (is && before.unread?.has(id)) return [{ id, action: 'changed', where: after.locate(is, []), fields: [] }];
      if (!was && is) return [{ id, action: 'added', where: after.locate(is, []), fields: [], ...renamedOf(is) }];
      if (was && !is) return [{ id, action: 'removed', where: before.locate(was, []), fields: [], ...renamedOf(was) }];
      if (!was || !is || isDeepEqual(was, is)) return [];
      const fields = diffFields(documentOf(was), documentOf(is)).map((change): DeclaredField => {
        const removed = change.after === undefined;
        return { ...change, where: removed ? before.locate(was, change.path) : after.locate(is, change.path) };
      });
      return fields.length > 0 ? [{ id, action: 'changed', where: after.locate(is, []), fields }] : [];
    },
  );
}

/** Pairs declarations that are gone with new ones of the same kind that differ in name or namespace alone. */
function findRenames(before: readonly Resource[], after: readonly Resource[]): ReadonlyMap<Resource, Resource> {
  const [was, is] = [before, after].map((all) => new Set(all.map(resourceIdOf)));
  const gone = before.filter((one) => !is?.has(resourceIdOf(one)));
  const left = gone.length === 0 ? [] : after.filter((one) => !was?.has(resourceIdOf(one)));
  const pairs = gone.flatMap((old): [Resource, Resource][] => {
    const at = left.findIndex((one) => one.kind === old.kind && isDeepEqual(old.spec, one.spec));
    const [found] = at === -1 ? [] : left.splice(at, 1);
    return found
      ? [
          [old, found],
          [found, old],
        ]
      : [];
  });
  return new Map(pairs);
}

function toUnreadChange(id: string, where = ''): DeclarationChange[] {
  return where === '' ? [] : [{ id, action: 'changed', where, fields: [] }];
}
