import { type Resource, resourceIdOf } from '../api/kinds';
import type { Path } from '../api/resource';
import { isDeepEqual } from '../base/deep-equal';
import { isMap } from '../base/json';
import { pairsOf } from '../base/keyed-lists';
import { documentOf } from '../manifest/canonical-document';
import type { Json } from '../manifest/kubernetes/manifest';
import { diffFields, earlierPathOf, type FieldChange } from './field-changes';
import { findRenames } from './renamed-declarations';
import type { FleetState, UnreadDeclaration } from './fleet-state';

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
  const fieldsOf = (was: Resource, is: Resource): DeclaredField[] => {
    const documents = [documentOf(was), documentOf(is)] as const;
    const inBefore = (path: Path): string => before.locate(was, path);
    const inAfter = (path: Path): string => after.locate(is, path);
    return keepWritten(diffFields(...documents).map((change) => placeField(change, documents, [inBefore, inAfter])));
  };
  const editsOf = (was: Resource | undefined, is: Resource | undefined): DeclaredField[] =>
    was && is ? fieldsOf(was, is).filter(({ path }) => !isName(path)) : [];
  return pairsOf(before.resources, after.resources, resourceIdOf).flatMap(
    ({ key: id, was, is }): DeclarationChange[] => {
      const unread = after.unread?.get(id);
      if (was && unread) return toUnreadChange(id, unread, (valid) => fieldsOf(was, valid));
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

/** The position of a path in the declaration of one state; of what is not written, that of the value around it. */
type LocatePath = (path: Path) => string;

interface LocatedField {
  readonly change: DeclaredField;

  /** Where it is in the declaration that says it: the later one, or the earlier one where its key is gone. */
  readonly path: Path;
  readonly locate: LocatePath;

  /** Whether only the earlier declaration writes it, and its default applies now. */
  readonly isDropped: boolean;
}

/** Finds the declaration that writes a changed field, and where. */
function placeField(
  change: FieldChange,
  documents: readonly [was: object, is: object],
  [inBefore, inAfter]: readonly [was: LocatePath, is: LocatePath],
): LocatedField {
  const { path, before, after } = change;
  const earlier = earlierPathOf(path, ...documents);
  const isInBoth = before !== undefined && after !== undefined;
  const isDropped = isInBoth && !isWritten(path, inAfter) && isWritten(earlier, inBefore);
  const isGone = isDropped || after === undefined;
  const place = isGone ? { path: earlier, locate: inBefore } : { path, locate: inAfter };
  const where = place.locate(place.path);
  return { change: { ...change, where, ...(isDropped && { removed: true as const }) }, ...place, isDropped };
}

/** Where an edit is: `where` of the field of `diffDeclarations`. */
export function locateChange(...[change, documents, locations]: Parameters<typeof placeField>): string {
  return placeField(change, documents, locations).change.where;
}

/**
 * Leaves out what files do not say: defaults, and what follows from another edit of the same map. A short form such as
 * `rollout: Recreate` has no other edit: what it means stays. So does a key that is gone, whose default applies.
 */
function keepWritten(fields: readonly LocatedField[]): DeclaredField[] {
  const written = fields.filter((one) => !one.isDropped && isWritten(one.path, one.locate)).map(({ path }) => path);
  const kept = fields.filter(({ path, locate, isDropped }) => {
    const length = writtenPartOf(path, locate);
    if (isDropped || length === path.length) return true;
    return !written.some((one) => path.slice(0, length).every((part, i) => one[i] === part));
  });
  return kept.map(({ change, path, locate }) => {
    const { before, after } = change;
    if (before !== undefined && after !== undefined) return change;
    const value = before ?? after;
    if (value === undefined) return change;
    const shown = keepWrittenParts(value, path, locate);
    return before === undefined ? { ...change, after: shown } : { ...change, before: shown };
  });
}

function isWritten(path: Path, locate: LocatePath): boolean {
  return writtenPartOf(path, locate) === path.length;
}

/** The length of the longest start of a path that has a position of its own. */
function writtenPartOf(path: Path, locate: LocatePath): number {
  let length = path.length;
  while (length > 0 && locate(path.slice(0, length)) === locate(path.slice(0, length - 1))) length--;
  return length;
}

/** A value without what its declaration leaves to defaults. The whole value if none of its parts has a position of its own. */
function keepWrittenParts(value: Json, path: Path, locate: LocatePath): Json {
  if (Array.isArray(value)) return value.map((item: Json, i) => keepWrittenParts(item, [...path, i], locate));
  if (!isMap(value)) return value;
  const at = locate(path);
  const parts = Object.entries(value as Readonly<Record<string, Json>>);
  const written = parts.filter(([key, part]) => isWrittenBelow(part, [...path, key], locate, at));
  if (written.length === 0) return value;
  return Object.fromEntries(written.map(([key, part]) => [key, keepWrittenParts(part, [...path, key], locate)]));
}

/** Whether a value or a part of it has another position than `at`. The first key of a map is where the map is. */
function isWrittenBelow(value: Json, path: Path, locate: LocatePath, at: string): boolean {
  if (locate(path) !== at) return true;
  const parts = Array.isArray(value) || isMap(value) ? Object.entries(value as Readonly<Record<string, Json>>) : [];
  return parts.some(([key, part]) =>
    isWrittenBelow(part, [...path, Array.isArray(value) ? Number(key) : key], locate, at),
  );
}

function isName([parent, field]: Path): boolean {
  return parent === 'metadata' && (field === 'name' || field === 'namespace');
}

/** The edits of what cannot be read, but for those of its invalid fields. */
function toUnreadChange(
  id: string,
  { where, valid }: UnreadDeclaration,
  fieldsOf: (valid: Resource) => DeclaredField[],
): DeclarationChange[] {
  if (where === '') return [];
  const fields = valid ? fieldsOf(valid.resource).filter(({ path }) => !valid.without.some(startsWith(path))) : [];
  return [{ id, action: 'changed', where, fields }];
}

function startsWith(path: Path): (start: Path) => boolean {
  return (start) => start.every((part, i) => path[i] === part);
}
