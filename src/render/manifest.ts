import { FleetwrightError } from '../errors';
import { compareText } from '../order';

/** Plain data, as YAML and JSON have it. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A map of plain data. A key whose value is undefined counts as absent. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** One object of a cluster, as plain data: also with fields that only some kinds have, such as `data`. */
export interface Manifest extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: JsonObject;
}

/** The identity of an object, and its labels. */
export interface ObjectMeta extends JsonObject {
  readonly name: string;

  /** Absent for kinds that are in no namespace. */
  readonly namespace?: string;

  readonly labels: Readonly<Record<string, string>>;

  /** Absent where there are none. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Kinds that others need, first. Workloads follow. */
const APPLY_ORDER = [
  'Namespace',
  'PersistentVolumeClaim',
  'Job',
  'CronJob',
  'ResourceClaimTemplate',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
];

/** Behind all others, so that no moment is without the policies that guard them. */
const APPLIED_LAST = ['Gateway', 'HTTPRoute'];

/** Objects in the order in which to apply them; those of one rank by namespace, name and kind. */
export function inApplyOrder(manifests: readonly Manifest[]): Manifest[] {
  return [...manifests].sort((a, b) => rank(a) - rank(b) || compareText(place(a), place(b)));
}

/**
 * The objects without those that stand there twice, as do claim templates that several replicas share.
 *
 * @throws FleetwrightError when two objects that differ have one name: the later would replace the other
 */
export function distinct(manifests: readonly Manifest[]): Manifest[] {
  const known = new Map<string, Manifest>();
  return manifests.filter((manifest) => {
    const id = `${manifest.kind} ${place(manifest)}`;
    const earlier = known.get(id);
    if (!earlier) known.set(id, manifest);
    else if (!same(earlier, manifest)) throw sameName(manifest);
    return !earlier;
  });
}

/** Whether two objects say the same. Few are compared, and to write them out takes long. */
function same(one: Manifest, other: Manifest): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Of some objects those whose name none of `named` has. */
export function notNamedBy(named: readonly Manifest[], manifests: readonly Manifest[]): Manifest[] {
  const taken = new Set(named.map(place));
  return manifests.filter((manifest) => !taken.has(place(manifest)));
}

function rank({ kind }: Manifest): number {
  const known = APPLY_ORDER.indexOf(kind);
  return known === -1 ? APPLY_ORDER.length + 1 + APPLIED_LAST.indexOf(kind) : known;
}

function place({ kind, metadata }: Manifest): string {
  return [metadata.namespace ?? '', metadata.name, kind].join('/');
}

function sameName({ kind, metadata: { namespace = '', name } }: Manifest): FleetwrightError {
  return new FleetwrightError([
    {
      code: 'name-collision',
      where: `namespace ${namespace}`,
      what: `two different objects of kind ${kind} would be called '${name}'`,
      hint: 'Rename one of the deployments or engines whose names begin like that',
    },
  ]);
}
