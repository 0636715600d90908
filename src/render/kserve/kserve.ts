import { copyBoundsOf, isAutoscaled } from '../../api/engine-copies';
import { findKServeLimits } from '../../engine/backend-limits';
import { type KServeEngines, kserveEnginesOf } from '../../engine/kserve-layout';
import { KSERVE } from '../../catalog/backends';
import { annotateCopyBounds } from '../../manifest/kubernetes/copy-bounds';
import { objectLabelsOf, objectMetaOf, SYNC_WAVE } from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest, ObjectMeta } from '../../manifest/kubernetes/manifest';
import { backendOf, COMPUTED_VERSION, type ComputedEngine, type ComputedReplica } from '../../replicas/replica';
import { renderClaimObjects } from '../claim-template';
import { queueMetadataOf } from '../queue-metadata';
import type { Renderer } from '../renderer';
import { renderDisruptionBudget, renderNetworkPolicy, renderService } from '../replica-objects';
import { renderScaledObject } from '../scaled-object';
import { inferenceServiceNameOf } from '../workload-names';
import { modelUriOf } from './model-uri';
import { escapeTemplates, renderWorkloadSpec } from './workload-spec';

/**
 * Renders an LLMInferenceService for each replica on a cluster that runs KServe, which makes the Deployments and
 * LeaderWorkerSets from it. Claims, Service, policies and budgets are those of the native renderer, and KServe makes no
 * routes: the gateways of Fleetwright select the pods by their labels.
 */
export const kserve: Renderer = {
  name: 'KServe',
  version: COMPUTED_VERSION,

  reject(replica) {
    if (backendOf(replica) !== 'KServe') return 'its cluster does not run KServe';
    if (kserveEnginesOf(replica.deployment)) return undefined;
    return findKServeLimits(replica.deployment)[0]?.what;
  },

  render(replica) {
    const { engines: computed } = replica;
    const engines = kserveEnginesOf(replica.deployment);
    if (!engines) throw new Error(`bug: ${replica.deployment.metadata.name} has no form in KServe`);
    return [
      renderService(replica),
      ...renderNetworkPolicy(replica),
      ...renderDisruptionBudget(replica),
      ...computed.flatMap((engine) => renderClaimObjects(replica, engine)),
      renderInferenceService(replica, engines),
      ...computed.flatMap((engine) => renderScaledObject(replica, engine)),
    ];
  },
};

function renderInferenceService(replica: ComputedReplica, engines: KServeEngines): Manifest {
  const { deployment } = replica;
  const computedOf = ({ name }: { readonly name: string }): ComputedEngine => {
    const found = replica.engines.find(({ engine }) => engine.name === name);
    if (!found) throw new Error(`bug: engine ${name} is not computed`);
    return found;
  };
  const spec = {
    model: { uri: modelUriOf(replica, computedOf(engines.main)), name: deployment.metadata.name },
    // Caches are volumes of the pods. The controller would download the model for each pod.
    storageInitializer: { enabled: false },
    ...renderWorkloadSpec(replica, computedOf(engines.main)),
    ...(engines.prefill && { prefill: renderWorkloadSpec(replica, computedOf(engines.prefill)) }),
  };
  return {
    apiVersion: KSERVE.apiVersion,
    kind: 'LLMInferenceService',
    metadata: metadataOf(replica, engines),
    spec: escapeTemplates(spec) as JsonObject,
  };
}

/** The labels name the engine if there is only one: a pair is one object of two engines. */
function metadataOf(replica: ComputedReplica, engines: KServeEngines): ObjectMeta {
  const { deployment, cluster, index, wave } = replica;
  const { main, prefill } = engines;
  const owner = { deployment, cluster: cluster.metadata.name, index, ...(!prefill && { engine: main.name }) };
  const queue = queueMetadataOf(cluster);
  const bounds = isAutoscaled(main) ? annotateCopyBounds(copyBoundsOf(main)) : {};
  const labels = { ...objectLabelsOf(owner), ...queue.labels };
  return {
    ...objectMetaOf(deployment, inferenceServiceNameOf(replica, engines), labels),
    annotations: { [SYNC_WAVE]: String(wave.cluster), ...bounds, ...queue.annotations },
  };
}
