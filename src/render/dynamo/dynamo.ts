import { isFrontend } from '../../api/engine-phases';
import type { InferenceCluster } from '../../api/inference-cluster';
import { schedulerTypeOf } from '../../api/kubernetes-features';
import { ROLE_LABEL } from '../../api/labels';
import type { ModelDeployment } from '../../api/model-deployment';
import type { Rollout } from '../../api/rollout';
import { DYNAMO } from '../../catalog/backends';
import { componentTypeOf, frameworksOf, hasGang, isDynamoGraph } from '../../engine/dynamo-graph';
import { findDynamoLimits } from '../../engine/dynamo-limits';
import { gangSizeOf } from '../../engine/kserve-layout';
import { type Labels, objectLabelsOf, objectMetaOf, SYNC_WAVE } from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import {
  backendOf,
  COMPUTED_VERSION,
  type ComputedEngine,
  type ComputedMember,
  type ComputedReplica,
  isServingRole,
} from '../../replicas/replica';
import { renderClaimObjects } from '../claim-template';
import { renderPodTemplate } from '../pod/pod';
import type { Renderer } from '../renderer';
import { renderDisruptionBudget, renderNetworkPolicy, renderService } from '../replica-objects';
import { graphOf } from '../workload-names';
import { replicasOf } from '../workloads';

/**
 * Renders a DynamoGraphDeployment for each replica on a cluster that runs NVIDIA Dynamo, with a component for each engine.
 * Claims, Service, policies and budgets are those of the native renderer: gateways reach the pods of the frontend by their
 * labels.
 */
export const dynamo: Renderer = {
  name: 'Dynamo',
  version: COMPUTED_VERSION,

  reject(replica) {
    if (backendOf(replica) !== 'Dynamo') return 'its cluster does not run Dynamo';
    return isDynamoGraph(replica.deployment) ? undefined : findDynamoLimits(replica.deployment)[0]?.what;
  },

  render(replica) {
    return [
      renderService(replica),
      ...renderNetworkPolicy(replica),
      ...renderDisruptionBudget(replica),
      ...replica.engines.flatMap((engine) => renderClaimObjects(replica, withoutWorkers(engine))),
      renderGraph(replica),
    ];
  },
};

function renderGraph(replica: ComputedReplica): Manifest {
  const { deployment, cluster, index, wave, engines } = replica;
  const [framework, ...others] = frameworksOf(deployment);
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name, index });
  const annotations = { [SYNC_WAVE]: String(wave.cluster), ...graphAnnotationsOf(deployment, cluster) };
  const rollout = usesGrove(deployment, cluster) ? {} : { annotations: rolloutAnnotationsOf(deployment.spec.rollout) };
  return {
    apiVersion: DYNAMO.apiVersion,
    kind: 'DynamoGraphDeployment',
    metadata: { ...objectMetaOf(deployment, graphOf(replica), labels), annotations },
    spec: {
      ...(framework !== undefined && others.length === 0 && { backendFramework: framework }),
      ...rollout,
      components: engines.map((engine) => renderComponent(replica, engine)),
    },
  };
}

/** Whether Grove runs the pods: it runs gangs, and the queues of KAI are for its groups. Others are Deployments. */
function usesGrove(deployment: ModelDeployment, cluster: InferenceCluster): boolean {
  return hasGang(deployment) || schedulerTypeOf(cluster) === 'KAI';
}

function graphAnnotationsOf(deployment: ModelDeployment, cluster: InferenceCluster): Labels {
  const { grove, kaiQueue, metrics } = DYNAMO.annotations;
  const queue = schedulerTypeOf(cluster) === 'KAI' ? cluster.spec.scheduler?.queue : undefined;
  return {
    ...(!usesGrove(deployment, cluster) && { [grove]: 'false' }),
    ...(queue !== undefined && { [kaiQueue]: queue }),
    // Monitors of Fleetwright scrape the same pods.
    ...(cluster.spec.monitoring?.podMonitors && { [metrics]: 'false' }),
  };
}

/** How Deployments replace pods. The default of the operator, 25 %, adds pods for which no room is reserved. */
function rolloutAnnotationsOf({ strategy, surge }: Rollout): Labels {
  const names = DYNAMO.annotations;
  if (strategy === 'Recreate') return { [names.strategy]: 'Recreate' };
  return { [names.maxSurge]: String(surge), [names.maxUnavailable]: String(1 - surge) };
}

/** All pods of a gang have the template, and so the claims, of its leader. */
function withoutWorkers(computed: ComputedEngine): ComputedEngine {
  return { ...computed, members: computed.members.filter(({ member }) => isServingRole(member.role)) };
}

function renderComponent(replica: ComputedReplica, computed: ComputedEngine): JsonObject {
  const { engine } = computed;
  const [serving] = withoutWorkers(computed).members;
  if (!serving) throw new Error(`bug: engine ${engine.name} has no pod that serves`);
  const size = gangSizeOf(engine);
  return {
    name: engine.name,
    type: componentTypeOf(engine),
    ...replicasOf(engine),
    ...(size > 1 && { multinode: { nodeCount: size } }),
    // The pod has its own volume for shared memory.
    sharedMemorySize: '0',
    podTemplate: adaptTemplate(
      renderPodTemplate(replica, computed, serving) as unknown as PodTemplate,
      computed,
      serving,
    ),
  };
}

interface PodTemplate {
  readonly metadata: { readonly labels: Labels; readonly annotations?: Labels };
  readonly spec: JsonObject & { readonly containers: readonly JsonObject[] };
}

/**
 * Changes a pod template to one of a component: the operator adds its defaults to the container `main`, the parts of a
 * graph find each other through the API server, and all pods of a gang have one template.
 */
function adaptTemplate(
  { metadata, spec }: PodTemplate,
  { engine }: ComputedEngine,
  serving: ComputedMember,
): JsonObject {
  const { automountServiceAccountToken: _token, containers, ...pod } = spec;
  const { automountServiceAccountToken } = serving.member.template.spec;
  const [main, ...helpers] = containers;
  const { [ROLE_LABEL]: role, ...shared } = metadata.labels;
  const isAlone = engine.members.length === 1;
  return {
    metadata: { ...metadata, labels: isAlone && role !== undefined ? metadata.labels : shared },
    spec: {
      ...pod,
      ...(automountServiceAccountToken !== undefined && { automountServiceAccountToken }),
      containers: [{ ...(isFrontend(engine) ? withoutProbes(main) : main), name: DYNAMO.container }, ...helpers],
    },
  };
}

/** The operator gives a frontend probes with other handlers, and merges them with those of its template. */
function withoutProbes({
  startupProbe: _startup,
  readinessProbe: _readiness,
  ...container
}: JsonObject = {}): JsonObject {
  return container;
}
