import type { JsonObject } from './manifest';

/** A pod spec within an object: a map with a list of containers, whichever kind of object it is in. */
export interface PodSpec extends JsonObject {
  readonly containers: readonly JsonObject[];
}

/** Every pod spec within plain data. */
export function podSpecsIn(value: unknown): PodSpec[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(podSpecsIn);
  return isPodSpec(value) ? [value, ...inner] : inner;
}

function isPodSpec(value: object): value is PodSpec {
  return 'containers' in value && Array.isArray(value.containers);
}
