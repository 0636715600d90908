import type { InferenceCluster } from '../api/inference-cluster';
import { fromMirror } from '../api/image';
import { HUB_ENDPOINT } from '../api/air-gapped';
import type { Json, JsonObject, Manifest } from './manifest';

/** Objects of a cluster with the images of all their containers from its mirror, if it has one. */
export function throughMirror(
  { spec: { mirror } }: InferenceCluster,
  manifests: readonly Manifest[],
): readonly Manifest[] {
  const registry = mirror.images;
  return registry === undefined ? manifests : manifests.map((one) => mirrored(one, registry) as Manifest);
}

/** An image as a cluster pulls it: from its mirror, if it has one. */
export function pulledFrom({ spec: { mirror } }: InferenceCluster, image: string): string {
  return mirror.images === undefined ? image : fromMirror(image, mirror.images);
}

/** Where the hub client of an engine looks for models, on a cluster that cannot reach huggingface.co. */
export function hubEnvironment({ spec: { mirror } }: InferenceCluster): JsonObject[] {
  return mirror.huggingFace === undefined ? [] : [{ name: HUB_ENDPOINT, value: mirror.huggingFace }];
}

const CONTAINERS = new Set(['containers', 'initContainers']);

/** Plain data with the images of its containers replaced, wherever pods stand in it. */
function mirrored(value: Json, registry: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mirrored(item, registry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [
      key,
      CONTAINERS.has(key) && Array.isArray(inner)
        ? inner.map((container: JsonObject) => pulled(container, registry))
        : mirrored(inner ?? null, registry),
    ]),
  );
}

function pulled(container: JsonObject, registry: string): JsonObject {
  const { image } = container;
  return typeof image === 'string' ? { ...container, image: fromMirror(image, registry) } : container;
}
