import type { Resource, ResourcePath } from '../../api/kinds';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import type { Fleet } from '../fleet';

/** A check across the resources of a fleet. */
export type FleetCheck = (fleet: Fleet) => Iterable<Diagnostic<ResourcePath>>;

interface Reference {
  readonly resource: Resource;
  readonly path: Path;

  /** The kind and name of the target. */
  readonly kind: Resource['kind'];
  readonly name: string;

  /** The names of the existing resources that the reference could mean. */
  readonly known: readonly string[];

  /** All names of the list that has the reference. Default: it is in no list. */
  readonly listed?: ReadonlySet<string>;
}

/** Longer lists of names do not help the reader of a hint. */
const MAX_NAMES_SHOWN = 8;

/** The fault of a reference to a resource that does not exist. The hint suggests a similar name. */
export function describeUnknownReference(reference: Reference): Diagnostic<ResourcePath> {
  const { resource, path, kind, name, listed } = reference;
  const known = reference.known.filter((one) => !listed?.has(one));
  const meant = suggestName(name, known);
  const what = `there is no ${kind} '${name}'`;
  const others = known.length > 0 && known.length <= MAX_NAMES_SHOWN ? `, or use one of ${known.join(', ')}` : '';
  const repeated = suggestName(
    name,
    [...(listed ?? [])].filter((one) => reference.known.includes(one)),
  );
  if (!meant && repeated !== undefined) {
    const hint = `Remove it from the list, which has '${repeated}' already, or declare it`;
    return errorAt('unknown-reference', { resource, path }, what, hint);
  }
  const remove = listed && listed.size > 1 ? 'Remove it from the list, or declare it' : 'Declare it';
  const hint = meant ? `Use '${meant}'` : `${remove}${others}`;
  return errorAt('unknown-reference', { resource, path }, what, hint);
}
