import type { Rollout } from '../api/rollout';
import { progressSecondsOf } from '../engine/startup-and-shutdown';
import {
  objectLabelsOf,
  objectMetaOf,
  podSelectorOf,
  SYNC_WAVE,
} from '../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest, ObjectMeta } from '../manifest/kubernetes/manifest';
import { workloadNameOf } from '../manifest/kubernetes/object-names';
import { modelSizeOf } from '../replicas/mounted-caches';
import type { ComputedEngine, ComputedMember, ComputedReplica, Role } from '../replicas/replica';
import { renderClaimTemplate } from './claim-template';
import { renderPodTemplate } from './pod/pod';

/** The metadata of the workload of an engine, whatever kind it is. */
export function workloadMetaOf(
  { deployment, cluster, index, wave }: ComputedReplica,
  { engine }: ComputedEngine,
): ObjectMeta {
  const name = workloadNameOf(deployment.metadata, index, engine.name);
  const ours = objectLabelsOf({ deployment, cluster: cluster.metadata.name, index, engine: engine.name });
  return { ...objectMetaOf(deployment, name, ours), annotations: { [SYNC_WAVE]: String(wave.cluster) } };
}

/** The claim templates that the pods of an engine refer to. */
export function renderClaimTemplates(replica: ComputedReplica, engine: ComputedEngine): Manifest[] {
  return engine.members.flatMap((member) => renderClaimTemplate(replica, engine, member) ?? []);
}

/**
 * How a Deployment replaces its pods. Without a surge the new pod waits for devices that only the old one can free, so
 * that goes first; the default of Kubernetes hangs on a full pool.
 */
export function deploymentStrategyOf({ strategy, surge }: Rollout): JsonObject {
  if (strategy === 'Recreate') return { type: 'Recreate' };
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: 1 - surge } };
}

/** The same for the groups of a LeaderWorkerSet, which knows no other strategy than rolling. */
export function groupStrategyOf({ strategy, surge }: Rollout, groups: number): JsonObject {
  const maxUnavailable = strategy === 'Recreate' ? groups : 1 - surge;
  return { type: 'RollingUpdate', rollingUpdateConfiguration: { maxUnavailable, maxSurge: surge } };
}

/** Runs a pod alone as a Deployment. */
export const deploymentRenderer: WorkloadRenderer = {
  name: 'Deployment',

  reject: (engine) => (standalone(engine) ? undefined : 'it is a gang'),

  render(replica, engine) {
    const member = standalone(engine);
    if (!member) return [];
    return [
      ...renderClaimTemplates(replica, engine),
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: workloadMetaOf(replica, engine),
        spec: {
          replicas: engine.engine.copies,
          selector: { matchLabels: podSelectorOf(replica, engine) },
          strategy: deploymentStrategyOf(replica.deployment.spec.rollout),
          progressDeadlineSeconds: progressSecondsOf(engine.engine, modelSizeOf(replica.caches)),
          template: renderPodTemplate(replica, engine, member),
        },
      },
    ];
  },
};

function standalone({ members }: ComputedEngine): ComputedMember | undefined {
  return members.find(({ member }) => member.role === 'Standalone');
}

/** Runs a gang as a LeaderWorkerSet: each copy is a group of one leader and its workers. */
export const leaderWorkerSetRenderer: WorkloadRenderer = {
  name: 'LeaderWorkerSet',

  reject: (engine) => (gangOf(engine) ? undefined : 'it has no leader and worker'),

  render(replica, engine) {
    const pods = gangOf(engine);
    if (!pods) return [];
    return [
      ...renderClaimTemplates(replica, engine),
      {
        apiVersion: 'leaderworkerset.x-k8s.io/v1',
        kind: 'LeaderWorkerSet',
        metadata: workloadMetaOf(replica, engine),
        spec: {
          replicas: engine.engine.copies,
          // Every runtime that we know is ready only once its workers have joined, so they must not wait for that.
          startupPolicy: 'LeaderCreated',
          rolloutStrategy: groupStrategyOf(replica.deployment.spec.rollout, engine.engine.copies),
          leaderWorkerTemplate: {
            size: 1 + (pods.worker.member.worker?.nodes ?? 1),
            // The ranks of a gang share one communicator: one that restarts alone cannot join again.
            restartPolicy: 'RecreateGroupOnPodRestart',
            leaderTemplate: renderPodTemplate(replica, engine, pods.leader),
            workerTemplate: renderPodTemplate(replica, engine, pods.worker),
          },
        },
      },
    ];
  },
};

function gangOf({ members }: ComputedEngine): { leader: ComputedMember; worker: ComputedMember } | undefined {
  const of = (role: Role): ComputedMember | undefined => members.find(({ member }) => member.role === role);
  const [leader, worker] = [of('Leader'), of('Worker')];
  return leader && worker && { leader, worker };
}

/** Every kind of workload, in the order in which they are asked. */
export const WORKLOAD_RENDERERS: readonly WorkloadRenderer[] = [deploymentRenderer, leaderWorkerSetRenderer];

/** The first kind of workload that takes an engine. */
export function selectWorkloadRenderer(engine: ComputedEngine): WorkloadRenderer {
  const found = WORKLOAD_RENDERERS.find((workload) => workload.reject(engine) === undefined);
  if (found) return found;
  const reasons = WORKLOAD_RENDERERS.map((workload) => `${workload.name}: ${workload.reject(engine)}`);
  throw new Error(`bug: nothing renders engine ${engine.engine.name} (${reasons.join('; ')})`);
}

/** How an engine runs where Kubernetes itself runs it. Pure: the same replica gives the same objects. */
export interface WorkloadRenderer {
  /** The kind of workload that it makes. */
  readonly name: string;

  /** Why it cannot run an engine, as a clause without a full stop, or nothing. */
  reject(engine: ComputedEngine): string | undefined;

  /** The workload of an engine and what it needs. Only for engines that it does not reject. */
  render(replica: ComputedReplica, engine: ComputedEngine): Manifest[];
}
