import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { compareText } from '../../base/order';

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
export function sortForApply(manifests: readonly Manifest[]): Manifest[] {
  return [...manifests].sort(
    (a, b) => applyRankOf(a) - applyRankOf(b) || compareText(identityOf(a), identityOf(b)),
  );
}

/**
 * The objects without those that stand there twice, as do claim templates that several replicas share.
 *
 * @throws FleetwrightError when two objects that differ have one name: the later would replace the other
 */
export function dedupeManifests(manifests: readonly Manifest[]): Manifest[] {
  const known = new Map<string, Manifest>();
  return manifests.filter((manifest) => {
    const id = `${manifest.kind} ${identityOf(manifest)}`;
    const earlier = known.get(id);
    if (!earlier) known.set(id, manifest);
    else if (!isSame(earlier, manifest)) throw nameCollision(manifest);
    return !earlier;
  });
}

/** Whether two objects say the same. Few are compared, and to write them out takes long. */
function isSame(one: Manifest, other: Manifest): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Of some objects those whose name none of `named` has. */
export function excludeNamed(named: readonly Manifest[], manifests: readonly Manifest[]): Manifest[] {
  const taken = new Set(named.map(identityOf));
  return manifests.filter((manifest) => !taken.has(identityOf(manifest)));
}

function applyRankOf({ kind }: Manifest): number {
  const known = APPLY_ORDER.indexOf(kind);
  return known === -1 ? APPLY_ORDER.length + 1 + APPLIED_LAST.indexOf(kind) : known;
}

function identityOf({ kind, metadata }: Manifest): string {
  return [metadata.namespace ?? '', metadata.name, kind].join('/');
}

function nameCollision({ kind, metadata: { namespace = '', name } }: Manifest): FleetwrightError {
  return new FleetwrightError([
    errorAt(
      'name-collision',
      `namespace ${namespace}`,
      `two different objects of kind ${kind} would be called '${name}'`,
      'Rename one of the deployments or engines whose names begin like that',
    ),
  ]);
}

/** A pod spec within an object: a map with a list of containers, whichever kind of object it is in. */
export interface PodSpec extends JsonObject {
  readonly containers: readonly JsonObject[];
}

/** Every pod spec within plain data. */
export function findPodSpecs(value: unknown): PodSpec[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(findPodSpecs);
  return isPodSpec(value) ? [value, ...inner] : inner;
}

function isPodSpec(value: object): value is PodSpec {
  return 'containers' in value && Array.isArray(value.containers);
}
