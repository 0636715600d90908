import { type Diagnostic, errorAt } from '../base/diagnostic';
import { groupBy } from '../base/order';
import { idText, joinNames } from '../base/text';
import { parseQuantity } from '../cel/values/quantity';
import type { FleetDiff, ObjectChangeWithCauses } from './fleet-diff';

const STORAGE = 'spec.resources.requests.storage';

/**
 * Finds volume claims that ask for less storage than before, which an API server refuses: one error for each place.
 *
 * @param at the place of what no declaration causes
 */
export function findShrunkVolumes({ objects }: Pick<FleetDiff, 'objects'>, at: string): Diagnostic[] {
  const shrunk = objects.flatMap((object) => {
    const size = compareStorage(object) < 0 ? findStorage(object) : undefined;
    return size ? [{ object, size }] : [];
  });
  const groups = groupBy(shrunk, ({ object: { causes }, size }) =>
    JSON.stringify([causeOf(causes)?.where ?? at, size]),
  );
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ object: { causes }, size: [before, after] }): Diagnostic => {
      const claims = group.map(
        ({ object: { cluster, namespace, name } }) => `${idText(namespace, name)} on ${cluster}`,
      );
      const what = `the volume claim ${joinNames(claims, MAX_NAMED)} shrinks from ${before} to ${after}, which Kubernetes refuses`;
      const hint = 'Keep the size, or declare a new ModelCache of the smaller size and use that';
      const cause = causeOf(causes);
      const subject = cause && { subject: cause.id };
      return { ...errorAt('shrunk-volume', cause?.where ?? at, what, hint), ...subject };
    }),
  );
}

/** The edit of the size, of those that change a claim. */
function causeOf(causes: ObjectChangeWithCauses['causes']): ObjectChangeWithCauses['causes'][number] | undefined {
  return causes.find(({ field }) => field?.field === 'spec.sizeGiB') ?? causes[0];
}

/** The most claims that an error names. */
const MAX_NAMED = 3;

/** Compares the storage of a volume claim that stays with that before. 0: it is the same, or the object is no such claim. */
export function compareStorage(object: ObjectChangeWithCauses): number {
  const isKept = object.kind === 'PersistentVolumeClaim' && object.action === 'change';
  const [before, after] = (isKept ? findStorage(object) : undefined) ?? [];
  return before === undefined || after === undefined ? 0 : parseQuantity(after).compare(parseQuantity(before));
}

function findStorage({ fields }: ObjectChangeWithCauses): readonly [before: string, after: string] | undefined {
  const { before, after } = fields.find(({ field }) => field === STORAGE) ?? {};
  return typeof before === 'string' && typeof after === 'string' ? [before, after] : undefined;
}
