import { podTemplate } from './pod';
import { groupStrategy } from './rollout';
import type { EngineWorkload } from './engine-workload';
import type { ComputedEngine, ComputedMember, Role } from './replica';
import { claimTemplates, workloadMeta } from './workload';

/** Runs a gang as a LeaderWorkerSet: each copy is a group of one leader and its workers. */
export const leaderWorkerSet: EngineWorkload = {
  name: 'LeaderWorkerSet',

  reject: (engine) => (gang(engine) ? undefined : 'it has no leader and worker'),

  render(replica, engine) {
    const pods = gang(engine);
    if (!pods) return [];
    return [
      ...claimTemplates(replica, engine),
      {
        apiVersion: 'leaderworkerset.x-k8s.io/v1',
        kind: 'LeaderWorkerSet',
        metadata: workloadMeta(replica, engine),
        spec: {
          replicas: engine.engine.copies,
          // Every runtime that we know is ready only once its workers have joined, so they must not wait for that.
          startupPolicy: 'LeaderCreated',
          rolloutStrategy: groupStrategy(replica.deployment.spec.rollout, engine.engine.copies),
          leaderWorkerTemplate: {
            size: 1 + (pods.worker.member.worker?.nodes ?? 1),
            // The ranks of a gang share one communicator: one that restarts alone cannot join again.
            restartPolicy: 'RecreateGroupOnPodRestart',
            leaderTemplate: podTemplate(replica, engine, pods.leader),
            workerTemplate: podTemplate(replica, engine, pods.worker),
          },
        },
      },
    ];
  },
};

function gang({ members }: ComputedEngine): { leader: ComputedMember; worker: ComputedMember } | undefined {
  const of = (role: Role): ComputedMember | undefined => members.find(({ member }) => member.role === role);
  const [leader, worker] = [of('Leader'), of('Worker')];
  return leader && worker && { leader, worker };
}
