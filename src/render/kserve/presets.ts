import type { InferenceCluster } from '../../api/inference-cluster';
import { sortUnique } from '../../base/order';
import { KSERVE, KSERVE_PRESETS } from '../../catalog/backends';
import { kserveEnginesOf, kserveParallelismOf } from '../../engine/kserve-layout';
import { CLUSTER_LABEL } from '../../api/labels';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { shortenName } from '../../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../../replicas/replica';

/**
 * Renders an empty preset in place of each one that the controller would merge with services in a namespace. The
 * controller looks for it there first. Those that it ships assume vLLM and another way to reach it: a command, probes,
 * volumes, and a sidecar that needs its own routes. Those of a pipeline are not shipped at all.
 */
export function renderPresets(cluster: InferenceCluster, rendered: readonly ComputedReplica[]): Manifest[] {
  const keys = rendered.flatMap((replica) =>
    listPresets(replica).map((name) => `${replica.deployment.metadata.namespace ?? 'default'}/${name}`),
  );
  return sortUnique(keys).map((key) => {
    const [namespace = '', name = ''] = key.split('/');
    const labels = { ...MANAGED_BY, [CLUSTER_LABEL]: shortenName(cluster.metadata.name) };
    return {
      apiVersion: KSERVE.apiVersion,
      kind: 'LLMInferenceServiceConfig',
      metadata: { name, namespace, labels },
      spec: {},
    };
  });
}

function listPresets({ deployment }: ComputedReplica): string[] {
  const engines = kserveEnginesOf(deployment);
  if (!engines) return [];
  const { main, prefill } = engines;
  const shapeOf = (engine: typeof main) => kserveParallelismOf(deployment, engine).shape;
  if (!prefill) return [KSERVE_PRESETS.alone[shapeOf(main)]];
  return [KSERVE_PRESETS.decode[shapeOf(main)], KSERVE_PRESETS.prefill[shapeOf(prefill)]];
}
