import { HUGGING_FACE_ENDPOINT, rewriteToMirror } from '../api/image-registry';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Json, JsonObject, Manifest } from '../manifest/kubernetes/manifest';

/** Objects of a cluster with the images of all their containers from its mirror, if it has one. */
export function mirrorImages(
  { spec: { mirror } }: InferenceCluster,
  manifests: readonly Manifest[],
): readonly Manifest[] {
  const registry = mirror.images;
  return registry === undefined ? manifests : manifests.map((one) => mirrorValue(one, registry) as Manifest);
}

/** An image as a cluster pulls it: from its mirror, if it has one. */
export function mirrorImage({ spec: { mirror } }: InferenceCluster, image: string): string {
  return mirror.images === undefined ? image : rewriteToMirror(image, mirror.images);
}

/** Where the hub client of an engine looks for models, on a cluster that cannot reach huggingface.co. */
export function hubEnvironmentOf({ spec: { mirror } }: InferenceCluster): JsonObject[] {
  return mirror.huggingFace === undefined ? [] : [{ name: HUGGING_FACE_ENDPOINT, value: mirror.huggingFace }];
}

const CONTAINERS = new Set(['containers', 'initContainers']);

/** Plain data with the images of its containers replaced, wherever pods stand in it. */
function mirrorValue(value: Json, registry: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mirrorValue(item, registry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [
      key,
      CONTAINERS.has(key) && Array.isArray(inner)
        ? inner.map((container: JsonObject) => mirrorContainer(container, registry))
        : mirrorValue(inner ?? null, registry),
    ]),
  );
}

function mirrorContainer(container: JsonObject, registry: string): JsonObject {
  const { image } = container;
  return typeof image === 'string' ? { ...container, image: rewriteToMirror(image, registry) } : container;
}
