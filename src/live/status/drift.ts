import { isMap } from '../../base/json';
import { isQuantity, parseQuantity } from '../../cel/values/quantity';
import { diffFields, type FieldChange } from '../../diff/field-changes';
import { readCopyBounds } from '../../manifest/kubernetes/copy-bounds';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import type { FindingLevel } from '../finding';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { isAbsent, isEmpty, withAddedFields } from './added-fields';
import { listFieldOwners, managersOf } from './field-owners';

/** An object of Fleetwright that is not on the cluster as it was rendered. */
export interface Drift {
  readonly level: FindingLevel;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly state: 'missing' | 'changed';

  /** What differs: `before` is what is rendered, `after` what is there. Empty where the object is missing. */
  readonly fields: readonly DriftedField[];
}

/** A field that is rendered otherwise, or that was added on the cluster. Added fields have no `before`. */
export interface DriftedField extends FieldChange {
  /** The field managers that set it, by server-side apply. Absent where they are not known. */
  readonly managers?: readonly string[];
}

/**
 * Compares an object on a cluster with its manifest, in the fields that the manifest sets and those that a person or
 * a tool added. Fields that the cluster or its controllers add are ignored, as by server-side apply.
 */
export function driftOf(rendered: Manifest, live: LiveObject | undefined): Drift | undefined {
  const { apiVersion, kind, metadata } = rendered;
  const { name, namespace } = metadata;
  const fields = live ? findDriftedFields(rendered, { ...live, apiVersion, kind }) : [];
  if (live && fields.length === 0) return undefined;
  return {
    level: live && fields.every(isAddedMetadata) ? 'warning' : 'failure',
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    state: live ? 'changed' : 'missing',
    fields,
  };
}

function findDriftedFields(rendered: Manifest, live: LiveObject): DriftedField[] {
  const owners = listFieldOwners(live);
  const seen = withAddedFields(alignLive(rendered, live), live, owners);
  const changes = diffFields(rendered, seen).filter((change) => !isAutoscaledSize(rendered, change));
  return changes.map((change) => {
    const managers = change.after === undefined ? [] : managersOf(change.path, seen, owners);
    return { ...change, ...(managers.length > 0 && { managers }) };
  });
}

/** Whether a field is the number of copies of a workload that an autoscaler sizes. */
function isAutoscaledSize(rendered: Manifest, { before, path }: FieldChange): boolean {
  return before === undefined && path.join('.') === 'spec.replicas' && readCopyBounds(rendered) !== undefined;
}

/** Whether a field is an added label, annotation or finalizer, of the object or of its pods. They change no pod. */
function isAddedMetadata({ before, path }: DriftedField): boolean {
  return before === undefined && path.includes('metadata');
}

/** The live value restricted to the fields that the manifest sets. Equivalent values appear as in the manifest. */
function alignLive(rendered: unknown, live: unknown): unknown {
  if (Array.isArray(rendered)) return isEmpty(rendered) && isAbsent(live) ? rendered : alignList(rendered, live);
  if (isMap(rendered)) return alignMap(rendered, live);
  return isEquivalent(rendered, live) ? rendered : live;
}

function alignMap(rendered: Readonly<Record<string, unknown>>, live: unknown): unknown {
  if (isAbsent(live) && Object.values(rendered).every(isEmpty)) return rendered;
  if (!isMap(live)) return live;
  const set = Object.entries(rendered).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    set.flatMap(([key, value]) => {
      const seen = alignLive(value, live[key]);
      return seen === undefined ? [] : [[key, seen]];
    }),
  );
}

/** The fields that identify list items: the merge keys of Kubernetes lists of type map. */
const MERGE_KEYS = ['mountPath', 'devicePath', 'containerPort', 'name', 'key'] as const;

function alignList(rendered: readonly unknown[], live: unknown): unknown {
  if (!Array.isArray(live)) return live;
  const key = MERGE_KEYS.find((one) => isUniqueKey(one, rendered));
  if (key === undefined) {
    const extra = live.slice(rendered.length) as unknown[];
    return [...rendered.slice(0, live.length).map((item, i) => alignLive(item, live[i])), ...extra];
  }
  return rendered.flatMap((item) => {
    const same = live.find((one) => fieldOf(one, key) === fieldOf(item, key)) as unknown;
    return same === undefined ? [] : [alignLive(item, same)];
  });
}

function isUniqueKey(key: string, items: readonly unknown[]): boolean {
  const values = items.map((item) => fieldOf(item, key));
  return !values.includes(undefined) && new Set(values).size === values.length;
}

function fieldOf(item: unknown, key: string): unknown {
  return isMap(item) ? item[key] : undefined;
}

/** Whether a live value means the same. The API server omits empty values and normalizes quantities. */
function isEquivalent(rendered: unknown, live: unknown): boolean {
  if (Object.is(rendered, live)) return true;
  if (isAbsent(live)) return isEmpty(rendered);
  if (typeof rendered !== 'string' || typeof live !== 'string') return false;
  return isQuantity(rendered) && isQuantity(live) && parseQuantity(rendered).compare(parseQuantity(live)) === 0;
}
