import { DEPLOYMENT_LABEL, ENGINE_LABEL, REPLICA_INDEX_LABEL, ROLE_LABEL } from '../../api/labels';
import { listAt, textAt, valueAt } from '../../base/json';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import type { LiveObject } from '../../manifest/kubernetes/live-object';

/** The image of each container, by name, of the pods of each engine and role. */
export type DeclaredImages = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Where workloads have templates of pods: Deployments, and LeaderWorkerSets. */
const TEMPLATE_PATHS = [
  ['spec', 'template'],
  ['spec', 'leaderWorkerTemplate', 'leaderTemplate'],
  ['spec', 'leaderWorkerTemplate', 'workerTemplate'],
] as const;

/** Collects the images that the rendered workloads of replicas declare. */
export function collectDeclaredImages(manifests: readonly Manifest[]): DeclaredImages {
  const images = manifests.flatMap((manifest) =>
    TEMPLATE_PATHS.flatMap((path): [string, ReadonlyMap<string, string>][] => {
      const template = valueAt(manifest, path);
      if (textAt(template, ['metadata', 'labels', DEPLOYMENT_LABEL]) === '') return [];
      return [[formatPodKey(manifest.metadata.namespace, template), new Map(containersOf(template))]];
    }),
  );
  return new Map(images);
}

/** Describes the containers of a pod that run another image than declared. Injected containers are ignored. */
export function findOtherImages(pod: LiveObject, declared: DeclaredImages): string[] {
  const { name, namespace } = pod.metadata;
  const expected = declared.get(formatPodKey(namespace, pod));
  return containersOf(pod).flatMap(([container, image]) => {
    const wanted = expected?.get(container);
    if (wanted === undefined || wanted === image) return [];
    return [`container ${container} of ${name} runs ${image || 'no image'}, and ${wanted} is declared`];
  });
}

const POD_LABELS = [DEPLOYMENT_LABEL, REPLICA_INDEX_LABEL, ENGINE_LABEL, ROLE_LABEL];

function formatPodKey(namespace: string | undefined, pod: unknown): string {
  return [namespace, ...POD_LABELS.map((label) => textAt(pod, ['metadata', 'labels', label]))].join(' ');
}

function containersOf(pod: unknown): [name: string, image: string][] {
  const all = [...listAt(pod, ['spec', 'initContainers']), ...listAt(pod, ['spec', 'containers'])];
  return all.map((one) => [textAt(one, ['name']), textAt(one, ['image'])]);
}
