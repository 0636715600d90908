import type { Rollout } from '../api/rollout';
import { progressSecondsOf } from '../engine/startup-and-shutdown';
import { objectLabelsOf, objectMetaOf, podSelectorOf, SYNC_WAVE } from '../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest, ObjectMeta } from '../manifest/kubernetes/manifest';
import { workloadNameOf } from '../manifest/kubernetes/object-names';
import { modelSizeOf } from '../replicas/mounted-caches';
import type { ComputedEngine, ComputedMember, ComputedReplica, Role } from '../replicas/replica';
import { renderClaimTemplate } from './claim-template';
import { renderPodTemplate } from './pod/pod';

function workloadMetaOf({ deployment, cluster, index, wave }: ComputedReplica, { engine }: ComputedEngine): ObjectMeta {
  const name = workloadNameOf(deployment.metadata, index, engine.name);
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name, index, engine: engine.name });
  return { ...objectMetaOf(deployment, name, labels), annotations: { [SYNC_WAVE]: String(wave.cluster) } };
}

function renderClaimTemplates(replica: ComputedReplica, engine: ComputedEngine): Manifest[] {
  return engine.members.flatMap((member) => renderClaimTemplate(replica, engine, member) ?? []);
}

/** Without a surge, the old pod stops first: the default of Kubernetes would wait forever on a full pool. */
function deploymentStrategyOf({ strategy, surge }: Rollout): JsonObject {
  if (strategy === 'Recreate') return { type: 'Recreate' };
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: 1 - surge } };
}

/** Returns how a LeaderWorkerSet replaces its groups. Its only strategy is a rolling update. */
function groupStrategyOf({ strategy, surge }: Rollout, groups: number): JsonObject {
  const maxUnavailable = strategy === 'Recreate' ? groups : 1 - surge;
  return { type: 'RollingUpdate', rollingUpdateConfiguration: { maxUnavailable, maxSurge: surge } };
}

/** Runs a single pod as a Deployment. */
const deploymentRenderer: WorkloadRenderer = {
  name: 'Deployment',

  reject: (engine) => (standaloneOf(engine) ? undefined : 'it is a gang'),

  render(replica, engine) {
    const member = standaloneOf(engine);
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

function standaloneOf({ members }: ComputedEngine): ComputedMember | undefined {
  return members.find(({ member }) => member.role === 'Standalone');
}

/** Runs a gang as a LeaderWorkerSet: each copy is a group of one leader and its workers. */
const leaderWorkerSetRenderer: WorkloadRenderer = {
  name: 'LeaderWorkerSet',

  reject: (engine) => (gangOf(engine) ? undefined : 'it has no leader and worker'),

  render(replica, engine) {
    const gang = gangOf(engine);
    if (!gang) return [];
    return [
      ...renderClaimTemplates(replica, engine),
      {
        apiVersion: 'leaderworkerset.x-k8s.io/v1',
        kind: 'LeaderWorkerSet',
        metadata: workloadMetaOf(replica, engine),
        spec: {
          replicas: engine.engine.copies,
          // The leader of every known runtime becomes ready only after its workers join, so workers must not wait for
          // it.
          startupPolicy: 'LeaderCreated',
          rolloutStrategy: groupStrategyOf(replica.deployment.spec.rollout, engine.engine.copies),
          leaderWorkerTemplate: {
            size: 1 + (gang.worker.member.worker?.nodes ?? 1),
            // The ranks of a gang share one communicator: a rank that restarts alone cannot join again.
            restartPolicy: 'RecreateGroupOnPodRestart',
            leaderTemplate: renderPodTemplate(replica, engine, gang.leader),
            workerTemplate: renderPodTemplate(replica, engine, gang.worker),
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

/** All workload renderers, in the order in which they are tried. */
export const WORKLOAD_RENDERERS: readonly WorkloadRenderer[] = [deploymentRenderer, leaderWorkerSetRenderer];

/** Returns the first workload renderer that does not reject an engine. */
export function selectWorkloadRenderer(engine: ComputedEngine): WorkloadRenderer {
  const found = WORKLOAD_RENDERERS.find((renderer) => renderer.reject(engine) === undefined);
  if (found) return found;
  const reasons = WORKLOAD_RENDERERS.map((renderer) => `${renderer.name}: ${renderer.reject(engine)}`);
  throw new Error(`bug: nothing renders engine ${engine.engine.name} (${reasons.join('; ')})`);
}

/** Renders the workload of an engine on plain Kubernetes. Pure: the same replica results in the same objects. */
interface WorkloadRenderer {
  /** The kind of workload that it creates. */
  readonly name: string;

  /** Returns why it cannot run an engine, as a clause without a full stop. Returns undefined if it can. */
  reject(engine: ComputedEngine): string | undefined;

  /** Returns the workload of an engine and its claim templates. Called only for engines that it does not reject. */
  render(replica: ComputedReplica, engine: ComputedEngine): Manifest[];
}
