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

/** The lists of a pod whose items name images, by field. */
const ITEMS_WITH_IMAGES: Readonly<Record<string, (item: JsonObject, registry: string) => JsonObject>> = {
  containers: mirrorContainer,
  initContainers: mirrorContainer,
  volumes: mirrorVolume,
};

function mirrorValue(value: Json, registry: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mirrorValue(item, registry));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value as JsonObject).map(([key, inner = null]) => {
    const mirrorItem = Object.hasOwn(ITEMS_WITH_IMAGES, key) ? ITEMS_WITH_IMAGES[key] : undefined;
    const isList = mirrorItem && Array.isArray(inner);
    return [key, isList ? inner.map((one: JsonObject) => mirrorItem(one, registry)) : mirrorValue(inner, registry)];
  });
  return Object.fromEntries(fields) as JsonObject;
}

function mirrorContainer(container: JsonObject, registry: string): JsonObject {
  const { image } = container;
  return typeof image === 'string' ? { ...container, image: rewriteToMirror(image, registry) } : container;
}

function mirrorVolume(volume: JsonObject, registry: string): JsonObject {
  const image = volume['image'] as JsonObject | undefined;
  const reference = image?.['reference'];
  if (typeof reference !== 'string') return volume;
  return { ...volume, image: { ...image, reference: rewriteToMirror(reference, registry) } };
}
