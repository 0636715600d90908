import type { Resource, ResourcePath } from '../../api/kinds';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import type { Fleet } from '../fleet';

/** A rule over several resources. */
export type FleetCheck = (fleet: Fleet) => Iterable<Diagnostic<ResourcePath>>;

/** A name that stands for another resource. */
interface Reference {
  readonly resource: Resource;
  readonly path: Path;

  /** The kind and name that the reference asks for. */
  readonly kind: Resource['kind'];
  readonly name: string;

  /** The names that exist where the reference looks. */
  readonly known: readonly string[];
}

/** As many names as a reader takes in at a glance. */
const MAX_NAMES_SHOWN = 8;

/** A reference to something that does not exist, with the name that was probably meant. */
export function describeUnknownReference({
  resource,
  path,
  kind,
  name,
  known,
}: Reference): Diagnostic<ResourcePath> {
  const meant = suggestName(name, known);
  const others =
    known.length > 0 && known.length <= MAX_NAMES_SHOWN ? `, or use one of ${known.join(', ')}` : '';
  const hint = meant ? `Use '${meant}'` : `Declare it${others}`;
  return errorAt('unknown-reference', { resource, path }, `there is no ${kind} '${name}'`, hint);
}
