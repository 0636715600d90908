import { progressSeconds } from '../engine/startup';
import { modelSize } from './cache/mounted';
import { podSelector } from './labels';
import { podTemplate } from './pod';
import { deploymentStrategy } from './rollout';
import type { EngineWorkload } from './engine-workload';
import type { ComputedEngine, ComputedMember } from './replica';
import { claimTemplates, workloadMeta } from './workload';

/** Runs a pod alone as a Deployment. */
export const deployment: EngineWorkload = {
  name: 'Deployment',

  reject: (engine) => (standalone(engine) ? undefined : 'it is a gang'),

  render(replica, engine) {
    const member = standalone(engine);
    if (!member) return [];
    return [
      ...claimTemplates(replica, engine),
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: workloadMeta(replica, engine),
        spec: {
          replicas: engine.engine.copies,
          selector: { matchLabels: podSelector(replica, engine) },
          strategy: deploymentStrategy(replica.deployment.spec.rollout),
          progressDeadlineSeconds: progressSeconds(engine.engine, modelSize(replica.caches)),
          template: podTemplate(replica, engine, member),
        },
      },
    ];
  },
};

function standalone({ members }: ComputedEngine): ComputedMember | undefined {
  return members.find(({ member }) => member.role === 'Standalone');
}
