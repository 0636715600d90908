import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object. A key whose value is undefined counts as absent. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A Kubernetes object as plain data. It can have fields of specific kinds, such as `data`. */
export interface Manifest extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: JsonObject;
}

/** The metadata of a Kubernetes object. */
export interface ObjectMeta extends JsonObject {
  readonly name: string;

  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;

  readonly labels: Readonly<Record<string, string>>;

  /** Absent if there are none. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Removes duplicate objects, such as claim templates that several replicas share.
 *
 * @throws FleetwrightError if two different objects have the same kind, namespace and name
 */
export function dedupeManifests(manifests: readonly Manifest[]): Manifest[] {
  const known = new Map<string, Manifest>();
  return manifests.filter((manifest) => {
    const id = `${manifest.kind} ${identityOf(manifest)}`;
    const earlier = known.get(id);
    if (!earlier) known.set(id, manifest);
    // Identical objects first, because serialization is slow.
    else if (earlier !== manifest && JSON.stringify(earlier) !== JSON.stringify(manifest))
      throw nameCollision(manifest);
    return !earlier;
  });
}

/** Removes the objects whose kind, namespace and name occur in `named`. */
export function excludeNamed(named: readonly Manifest[], manifests: readonly Manifest[]): Manifest[] {
  if (named.length === 0) return [...manifests];
  const taken = new Set(named.map(identityOf));
  return manifests.filter((manifest) => !taken.has(identityOf(manifest)));
}

/** The identity of an object as a sort key: namespace, name and kind. */
export function identityOf({ kind, metadata }: Manifest): string {
  return `${metadata.namespace ?? ''}/${metadata.name}/${kind}`;
}

function nameCollision({ kind, metadata: { namespace = '', name } }: Manifest): FleetwrightError {
  const what = `two different objects of kind ${kind} would have the name '${name}'`;
  const hint = 'Rename one of the deployments or engines whose names start with that';
  return new FleetwrightError([errorAt('name-collision', `namespace ${namespace}`, what, hint)]);
}

/** A pod spec inside an object of any kind: a map with a list of containers. */
export interface PodSpec extends JsonObject {
  readonly containers: readonly JsonObject[];
}

/** Finds all pod specs in plain data. */
export function findPodSpecs(value: unknown): PodSpec[] {
  return collectPodSpecs(value, []);
}

/** Adds to one list, for the reason of `collectReferences`. */
function collectPodSpecs(value: unknown, found: PodSpec[]): PodSpec[] {
  if (typeof value !== 'object' || value === null) return found;
  if (isPodSpec(value)) found.push(value);
  for (const field in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[field];
    if (typeof inner === 'object') collectPodSpecs(inner, found);
  }
  return found;
}

function isPodSpec(value: object): value is PodSpec {
  return 'containers' in value && Array.isArray(value.containers);
}
