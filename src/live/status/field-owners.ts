import type { Path } from '../../api/resource';
import { isMap, listAt, textAt, tryParseJson, valueAt } from '../../base/json';
import { sortUnique } from '../../base/order';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import type { LiveObject } from '../../manifest/kubernetes/live-object';

/**
 * The fields of an object that a manager has set, in the format `FieldsV1`:
 * <https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management>.
 */
export interface FieldOwner {
  readonly manager: string;
  readonly fields: unknown;

  /**
   * Whether the fields are only what the manager sent. The one that creates an object without server-side apply also
   * owns all defaults.
   */
  readonly isExact: boolean;
}

/** The owners of the fields of an object, apart from its status. */
export function listFieldOwners({ metadata }: LiveObject): FieldOwner[] {
  const entries = listAt(metadata, ['managedFields']).filter((one) => textAt(one, ['subresource']) !== 'status');
  return entries.map((entry) => {
    const fields = withoutStatus(valueAt(entry, ['fieldsV1']));
    const isExact = textAt(entry, ['operation']) === 'Apply' || !ownsManagedByLabel(fields);
    return { manager: textAt(entry, ['manager']) || 'unknown', fields, isExact };
  });
}

/** Kinds without the subresource have their status in the same entry. */
function withoutStatus(fields: unknown): unknown {
  return isMap(fields) ? Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'f:status')) : fields;
}

function ownsManagedByLabel(fields: unknown): boolean {
  const [label = ''] = Object.keys(MANAGED_BY);
  return valueAt(fields, ['f:metadata', 'f:labels', `f:${label}`]) !== undefined;
}

/** The names of the managers that own the field at a path of an object, sorted. */
export function managersOf(path: Path, object: unknown, owners: readonly FieldOwner[]): string[] {
  return sortUnique(owners.filter(({ fields }) => ownsField(fields, object, path)).map(({ manager }) => manager));
}

function ownsField(fields: unknown, value: unknown, [step, ...rest]: Path): boolean {
  if (step === undefined) return fields !== undefined;
  if (!isMap(fields)) return false;
  if (isOwnedWhole(fields)) return true;
  const key = typeof step === 'number' ? itemKeyOf(valueAt(value, [step]), fields) : `f:${step}`;
  if (key === undefined || !Object.hasOwn(fields, key)) return false;
  return ownsField(fields[key], valueAt(value, [step]), rest);
}

/** Whether a manager owns a field as a whole, and not single fields of it. */
export function isOwnedWhole(fields: unknown): boolean {
  return !isMap(fields) || Object.keys(fields).every((key) => key === '.');
}

/** The key of an item of a list: `k:{"name":"engine"}`, or `v:"value"` in a set. */
function itemKeyOf(item: unknown, fields: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(fields).find((key) => isItemOf(key, item));
}

/** Whether a key names an item of a list. Fields that the item lacks have their defaults. */
export function isItemOf(key: string, item: unknown): boolean {
  const named = tryParseJson(key.slice(2));
  if (key.startsWith('v:')) return named === item;
  if (!key.startsWith('k:') || !isMap(named) || !isMap(item)) return false;
  const known = Object.entries(named).filter(([field]) => item[field] !== undefined);
  return known.length > 0 && known.every(([field, value]) => item[field] === value);
}
