import type { Engine } from '../api/engine';
import { copyBoundsOf, isAutoscaled } from '../api/engine-copies';
import type { Rollout } from '../api/rollout';
import { progressSecondsOf } from '../engine/startup-and-shutdown';
import { annotateCopyBounds } from '../manifest/kubernetes/copy-bounds';
import { objectLabelsOf, objectMetaOf, podSelectorOf, SYNC_WAVE } from '../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest, ObjectMeta } from '../manifest/kubernetes/manifest';
import { modelSizeOf } from '../replicas/mounted-caches';
import type { ComputedEngine, ComputedMember, ComputedReplica, Role } from '../replicas/replica';
import { renderClaimObjects } from './claim-template';
import { renderPodTemplate } from './pod/pod';
import { topologyAnnotationsOf } from './kai-topology';
import { renderPodGroup } from './pod-group';
import { queueMetadataOf } from './queue-metadata';
import { renderScaledObject } from './scaled-object';
import { workloadReferenceOf } from './workload-names';

function workloadMetaOf(replica: ComputedReplica, computed: ComputedEngine): ObjectMeta {
  const { engine } = computed;
  const { deployment, cluster, index, wave } = replica;
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name, index, engine: engine.name });
  const queue = queueMetadataOf(cluster);
  const bounds = isAutoscaled(engine) ? annotateCopyBounds(copyBoundsOf(engine)) : {};
  return {
    ...objectMetaOf(deployment, workloadReferenceOf(replica, engine).name, { ...labels, ...queue.labels }),
    annotations: {
      [SYNC_WAVE]: String(wave.cluster),
      ...bounds,
      ...queue.annotations,
      ...topologyAnnotationsOf(cluster, computed),
    },
  };
}

/** Renders the workload of an engine, with the claim templates that it refers to, and what scales it. */
export function renderWorkload(replica: ComputedReplica, engine: ComputedEngine): Manifest[] {
  const workload = renderDeployment(replica, engine) ?? renderLeaderWorkerSet(replica, engine);
  if (!workload) {
    const reasons = 'Deployment: it is a gang; LeaderWorkerSet: it has no leader and worker';
    throw new Error(`bug: nothing renders engine ${engine.engine.name} (${reasons})`);
  }
  const scaled = renderScaledObject(replica, engine);
  const group = renderPodGroup(replica, engine);
  return [...renderClaimObjects(replica, engine), ...(group ? [group] : []), workload, ...scaled];
}

/** Without a surge, the old pod stops first: the default of Kubernetes would wait forever on a full pool. */
function deploymentStrategyOf({ strategy, surge }: Rollout): JsonObject {
  if (strategy === 'Recreate') return { type: 'Recreate' };
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: 1 - surge } };
}

/** Returns how a LeaderWorkerSet replaces its groups. Its only strategy is a rolling update. */
function groupStrategyOf({ strategy, surge }: Rollout, { copies }: Engine): JsonObject {
  const all = typeof copies === 'number' ? copies : '100%';
  const maxUnavailable = strategy === 'Recreate' ? all : 1 - surge;
  return { type: 'RollingUpdate', rollingUpdateConfiguration: { maxUnavailable, maxSurge: surge } };
}

/** The number of copies, unless an autoscaler sets it: each apply would reset it. */
export function replicasOf({ copies }: Engine): JsonObject {
  return typeof copies === 'number' ? { replicas: copies } : {};
}

/** Runs a single pod as a Deployment. */
function renderDeployment(replica: ComputedReplica, engine: ComputedEngine): Manifest | undefined {
  const member = memberOf(engine, 'Standalone');
  if (!member) return undefined;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: workloadMetaOf(replica, engine),
    spec: {
      ...replicasOf(engine.engine),
      selector: { matchLabels: podSelectorOf(replica, engine) },
      strategy: deploymentStrategyOf(replica.deployment.spec.rollout),
      progressDeadlineSeconds: progressSecondsOf(engine.engine, modelSizeOf(replica.caches)),
      template: renderPodTemplate(replica, engine, member),
    },
  };
}

/** Runs a gang as a LeaderWorkerSet: each copy is a group of one leader and its workers. */
function renderLeaderWorkerSet(replica: ComputedReplica, engine: ComputedEngine): Manifest | undefined {
  const leader = memberOf(engine, 'Leader');
  const worker = memberOf(engine, 'Worker');
  if (!leader || !worker) return undefined;
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: workloadMetaOf(replica, engine),
    spec: {
      ...replicasOf(engine.engine),
      // The leader of every known runtime becomes ready only after its workers join, so workers must not wait for it.
      startupPolicy: 'LeaderCreated',
      rolloutStrategy: groupStrategyOf(replica.deployment.spec.rollout, engine.engine),
      leaderWorkerTemplate: {
        size: 1 + (worker.member.worker?.nodes ?? 1),
        // The ranks of a gang share one communicator: a rank that restarts alone cannot join again.
        restartPolicy: 'RecreateGroupOnPodRestart',
        leaderTemplate: renderPodTemplate(replica, engine, leader),
        workerTemplate: renderPodTemplate(replica, engine, worker),
      },
    },
  };
}

function memberOf({ members }: ComputedEngine, role: Role): ComputedMember | undefined {
  return members.find(({ member }) => member.role === role);
}
