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
 * How an object on a cluster differs in the fields that we set. What the cluster or others add is not ours, as with
 * server-side apply.
 *
 * @param live absent: the object is not there
 */
export function driftOf(ours: Manifest, live: LiveObject | undefined): Drift | undefined {
  const { apiVersion, kind, metadata } = ours;
  const { name, namespace } = metadata;
  const fields = live ? diffFields(ours, alignLive(ours, { ...live, apiVersion, kind })) : [];
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

/** What is there, as far as we say something of it; in our words where it means the same. */
function alignLive(ours: unknown, live: unknown): unknown {
  if (Array.isArray(ours)) return isEmpty(ours) && isAbsent(live) ? ours : alignList(ours, live);
  if (isMap(ours)) return alignMap(ours, live);
  return isEquivalent(ours, live) ? ours : live;
}

function alignMap(ours: Readonly<Record<string, unknown>>, live: unknown): unknown {
  if (isAbsent(live) && Object.values(ours).every(isEmpty)) return ours;
  if (!isMap(live)) return live;
  const set = Object.entries(ours).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    set.flatMap(([key, value]) => {
      const seen = alignLive(value, live[key]);
      return seen === undefined ? [] : [[key, seen]];
    }),
  );
}

/** Fields by which items of a list are told apart: the merge keys of Kubernetes' lists that are maps. */
const MERGE_KEYS = ['mountPath', 'devicePath', 'containerPort', 'name', 'key'] as const;

function alignList(ours: readonly unknown[], live: unknown): unknown {
  if (!Array.isArray(live)) return live;
  const key = MERGE_KEYS.find((one) => isUniqueKey(one, ours));
  if (key === undefined) {
    const extra = live.slice(ours.length) as unknown[];
    return [...ours.slice(0, live.length).map((item, i) => alignLive(item, live[i])), ...extra];
  }
  return ours.flatMap((item) => {
    const same = live.find((one) => fieldOf(one, key) === fieldOf(item, key)) as unknown;
    return same === undefined ? [] : [alignLive(item, same)];
  });
}

/** Whether every item has another value of a field. */
function isUniqueKey(key: string, items: readonly unknown[]): boolean {
  const values = items.map((item) => fieldOf(item, key));
  return !values.includes(undefined) && new Set(values).size === values.length;
}

function fieldOf(item: unknown, key: string): unknown {
  return isMap(item) ? item[key] : undefined;
}

/** The API server leaves out what is empty, and writes quantities its own way. */
function isEquivalent(ours: unknown, live: unknown): boolean {
  if (Object.is(ours, live)) return true;
  if (isAbsent(live)) return isEmpty(ours);
  if (typeof ours !== 'string' || typeof live !== 'string') return false;
  return isQuantity(ours) && isQuantity(live) && parseQuantity(ours).compare(parseQuantity(live)) === 0;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return Object.values(value).every(isEmpty);
  return isAbsent(value) || value === '' || value === false || value === 0;
}
