import { HUGGING_FACE_ENDPOINT, rewriteToMirror } from '../api/image-names';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Json, JsonObject, Manifest } from '../manifest/kubernetes/manifest';

/** Returns the objects of a cluster, with all container images from the mirror of the cluster, if it has one. */
export function mirrorImages(
  { spec: { mirror } }: InferenceCluster,
  manifests: readonly Manifest[],
): readonly Manifest[] {
  const registry = mirror.images;
  if (registry === undefined) return manifests;
  return manifests.map((manifest) => mirrorValue(manifest, registry) as Manifest);
}

/** Returns the image that a cluster pulls: from its mirror, if it has one. */
export function mirrorImage({ spec: { mirror } }: InferenceCluster, image: string): string {
  return mirror.images === undefined ? image : rewriteToMirror(image, mirror.images);
}

/** Returns the environment variable that points the Hugging Face client of an engine to the mirror of a cluster. */
export function hubEnvironmentOf({ spec: { mirror } }: InferenceCluster): JsonObject[] {
  return mirror.huggingFace === undefined ? [] : [{ name: HUGGING_FACE_ENDPOINT, value: mirror.huggingFace }];
}

const CONTAINERS = new Set(['containers', 'initContainers']);

function mirrorValue(value: Json, registry: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mirrorValue(item, registry));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value as JsonObject).map(([key, inner = null]) => {
    const isContainers = CONTAINERS.has(key) && Array.isArray(inner);
    return [
      key,
      isContainers ? inner.map((one: JsonObject) => mirrorContainer(one, registry)) : mirrorValue(inner, registry),
    ];
  });
  return Object.fromEntries(fields) as JsonObject;
}

function mirrorContainer(container: JsonObject, registry: string): JsonObject {
  const { image } = container;
  return typeof image === 'string' ? { ...container, image: rewriteToMirror(image, registry) } : container;
}
