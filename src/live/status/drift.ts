import { isMap } from '../../base/json';
import { isQuantity, parseQuantity } from '../../cel/values/quantity';
import { diffFields, type FieldChange } from '../../diff/field-changes';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import type { FindingLevel } from '../finding';
import type { LiveObject } from '../live-object';

/** An object of ours that is not on the cluster as it was rendered. */
export interface Drift {
  readonly level: FindingLevel;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly state: 'missing' | 'changed';

  /** What differs: `before` is what we say, `after` what is there. Empty where the object is missing. */
  readonly fields: readonly FieldChange[];
}

/**
 * Compares an object on a cluster with its manifest, in the fields that the manifest sets. Fields that the cluster or
 * other controllers add are ignored, as by server-side apply.
 */
export function driftOf(rendered: Manifest, live: LiveObject | undefined): Drift | undefined {
  const { apiVersion, kind, metadata } = rendered;
  const { name, namespace } = metadata;
  const fields = live ? diffFields(rendered, alignLive(rendered, { ...live, apiVersion, kind })) : [];
  if (live && fields.length === 0) return undefined;
  return {
    level: 'failure',
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    state: live ? 'changed' : 'missing',
    fields,
  };
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

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return Object.values(value).every(isEmpty);
  return isAbsent(value) || value === '' || value === false || value === 0;
}
