import { type Resource, resourceIdOf } from '../api/kinds';
import type { Path } from '../api/resource';
import { isDeepEqual } from '../base/deep-equal';
import { isMap } from '../base/json';
import { pairsOf } from '../base/keyed-lists';
import { documentOf } from '../manifest/canonical-document';
import type { Json } from '../manifest/kubernetes/manifest';
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

  /** In the order of the document. Empty unless it changed, or has another name and other edits: then both have these. */
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
    keepWritten(
      diffFields(documentOf(was), documentOf(is)).map((change) => {
        const [written, resource] = change.after === undefined ? [before, was] : [after, is];
        const locate = (path: Path): string => written.locate(resource, path);
        return { change: { ...change, where: locate(change.path) }, locate };
      }),
    );
  const editsOf = (was: Resource | undefined, is: Resource | undefined): DeclaredField[] =>
    was && is ? fieldsOf(was, is).filter(({ path }) => !isName(path)) : [];
  return pairsOf(before.resources, after.resources, resourceIdOf).flatMap(
    ({ key: id, was, is }): DeclarationChange[] => {
      if (was && after.unread?.has(id)) return toUnreadChange(id, after.unread.get(id));
      if (is && before.unread?.has(id)) return [{ id, action: 'changed', where: after.locate(is, []), fields: [] }];
      if (!was && is)
        return [
          { id, action: 'added', where: after.locate(is, []), fields: editsOf(renames.get(is), is), ...renamedOf(is) },
        ];
      if (was && !is) {
        const fields = editsOf(was, renames.get(was));
        return [{ id, action: 'removed', where: before.locate(was, []), fields, ...renamedOf(was) }];
      }
      if (!was || !is || isDeepEqual(was, is)) return [];
      const fields = fieldsOf(was, is);
      return fields.length > 0 ? [{ id, action: 'changed', where: after.locate(is, []), fields }] : [];
    },
  );
}

interface LocatedField {
  readonly change: DeclaredField;

  /** Of the state that has the field; what is not written is where the value around it is. */
  readonly locate: (path: Path) => string;
}

/**
 * Leaves out what files do not say: defaults, and what follows from another edit of the same map. A short form such as
 * `rollout: Recreate` has no other edit: what it means stays.
 */
function keepWritten(fields: readonly LocatedField[]): DeclaredField[] {
  const isWritten = ({ change: { path }, locate }: LocatedField): boolean =>
    writtenPartOf(path, locate) === path.length;
  const written = fields.filter(isWritten).map(({ change: { path } }) => path);
  const kept = fields.filter((field) => {
    const { path } = field.change;
    const around = path.slice(0, writtenPartOf(path, field.locate));
    return isWritten(field) || !written.some((one) => around.every((part, i) => one[i] === part));
  });
  return kept.map(({ change, locate }) => {
    const { before, after, path } = change;
    if (before !== undefined && after !== undefined) return change;
    const value = before ?? after;
    if (value === undefined) return change;
    const shown = keepWrittenParts(value, path, locate);
    return before === undefined ? { ...change, after: shown } : { ...change, before: shown };
  });
}

/** The length of the longest start of a path that has a position of its own. */
function writtenPartOf(path: Path, locate: LocatedField['locate']): number {
  let length = path.length;
  while (length > 0 && locate(path.slice(0, length)) === locate(path.slice(0, length - 1))) length--;
  return length;
}

/** A value without what its declaration leaves to defaults. The whole value if none of its parts has a position of its own. */
function keepWrittenParts(value: Json, path: Path, locate: LocatedField['locate']): Json {
  if (Array.isArray(value)) return value.map((item: Json, i) => keepWrittenParts(item, [...path, i], locate));
  if (!isMap(value)) return value;
  const at = locate(path);
  const parts = Object.entries(value as Readonly<Record<string, Json>>);
  const written = parts.filter(([key]) => locate([...path, key]) !== at);
  if (written.length === 0) return value;
  return Object.fromEntries(written.map(([key, part]) => [key, keepWrittenParts(part, [...path, key], locate)]));
}

function isName([parent, field]: Path): boolean {
  return parent === 'metadata' && (field === 'name' || field === 'namespace');
}

function toUnreadChange(id: string, where = ''): DeclarationChange[] {
  return where === '' ? [] : [{ id, action: 'changed', where, fields: [] }];
}
