import { parseResource, type Resource, resourceIdOf } from '../api/kinds';
import type { Path } from '../api/resource';
import { documentOf } from '../manifest/canonical-document';
import { locateChange } from './declaration-changes';
import { diffFields, findItem } from './field-changes';
import type { FleetState } from './fleet-state';
import type { Cause } from './replica-causes';

/** Returns the earlier declaration with one edit of the later one. Undefined: the edit alone makes no valid declaration. */
export type ApplyEdit = (edit: Cause) => Resource | undefined;

/** How single edits are tried. */
interface EditTrial<S> {
  /** What trials of an edit share: the name of a cluster, a place. */
  readonly scope: string;

  /** What follows from the earlier declarations with one edit. Computed once for each edit and scope. */
  readonly evaluate: (edited: Resource) => S;

  /** Whether one edit alone does what all of them do. */
  readonly isDecisive: (state: S) => boolean;
}

/** Selects, of edits that can be a cause, those that alone do what all of them do. All where no single one does. */
export type SelectEdits<S> = (edits: readonly Cause[], trial: EditTrial<S>) => readonly Cause[];

/** Creates a function that selects decisive edits. An edit that alone makes no valid declaration is decisive. */
export function createDecisiveSelector<S>(apply: ApplyEdit): SelectEdits<S> {
  const known = new Map<string, { readonly state: S } | undefined>();
  const evaluate = (edit: Cause, { scope, evaluate: of }: EditTrial<S>): { readonly state: S } | undefined => {
    const key = JSON.stringify([scope, edit.id, edit.field?.field, edit.where]);
    if (!known.has(key)) {
      const edited = edit.action === 'changed' ? apply(edit) : undefined;
      known.set(key, edited && { state: of(edited) });
    }
    return known.get(key);
  };
  return (edits, trial) => {
    if (edits.length < 2) return edits;
    const decisive = edits.filter((edit) => {
      const found = evaluate(edit, trial);
      return found === undefined || trial.isDecisive(found.state);
    });
    return decisive.length > 0 ? decisive : edits;
  };
}

type Declarations = Pick<FleetState, 'resources' | 'locate'>;

/** Creates a function that applies single edits to earlier declarations. */
export function createEditApplier(before: Declarations, after: Declarations): ApplyEdit {
  const [earlier, later] = [before, after].map(({ resources }) => {
    return new Map(resources.map((one) => [resourceIdOf(one), one]));
  });
  return ({ id, field, where }) => {
    const [was, is] = [earlier?.get(id), later?.get(id)];
    if (!was || !is || !field) return undefined;
    const documents = [documentOf(was), documentOf(is)] as const;
    const alone = toResource(documents, [field]);
    if (alone) return alone;
    // What follows from an edit is at its position: the defaults of a block, the other fields of a short form.
    const locations = [(path: Path) => before.locate(was, path), (path: Path) => after.locate(is, path)] as const;
    const together = diffFields(...documents).filter(
      (change) => locateChange(change, documents, locations) === where || locations[1](change.path) === where,
    );
    return toResource(documents, together);
  };
}

/** The earlier declarations, and those that are new, which an edit may refer to. */
export function addNewDeclarations(
  before: Pick<FleetState, 'resources'>,
  after: Pick<FleetState, 'resources'>,
): Resource[] {
  const known = new Set(before.resources.map(resourceIdOf));
  return [...before.resources, ...after.resources.filter((one) => !known.has(resourceIdOf(one)))];
}

type Edit = NonNullable<Cause['field']>;

function toResource(
  [was, is]: readonly [object, object],
  edits: readonly Pick<Edit, 'path' | 'after'>[],
): Resource | undefined {
  const document = structuredClone(was);
  for (const { path, after } of edits) copyValue(document, after === undefined ? was : is, path, after === undefined);
  const parsed = parseResource(document);
  return 'resource' in parsed ? parsed.resource : undefined;
}

/**
 * Copies the value at a path from one document to another, or removes it there. Items of lists are the same where they
 * have the same name, as in a comparison of fields. The values of edits are of no use: their secrets are hidden.
 */
function copyValue(target: unknown, source: unknown, [key, ...rest]: Path, isRemoved: boolean): void {
  if (key === undefined) return;
  const at = Array.isArray(target) && Array.isArray(source) ? findItem(target, source, Number(key)) : key;
  const [holder, given] = [target, source] as Readonly<Record<string | number, unknown>>[];
  if (!holder || !given) return;
  if (rest.length > 0) return copyValue(holder[at], given[key], rest, isRemoved);
  if (!isRemoved) (holder as Record<string | number, unknown>)[at] = given[key];
  else if (Array.isArray(target)) target.splice(Number(at), 1);
  else delete (holder as Record<string | number, unknown>)[at];
}
