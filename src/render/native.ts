import { disruptionBudget } from './disruption-budget';
import { workloadFor } from './engine-workloads';
import { networkPolicy } from './network-policy';
import type { Renderer } from './renderer';
import { COMPUTED_VERSION } from './replica';
import { service } from './service';

/** Kubernetes itself: a Deployment or LeaderWorkerSet for each engine, and a Service before them. */
export const native: Renderer = {
  name: 'Native',
  version: COMPUTED_VERSION,

  reject: () => undefined,

  render(replica) {
    const workloads = replica.engines.flatMap((engine) => workloadFor(engine).render(replica, engine));
    return [service(replica), ...networkPolicy(replica), ...disruptionBudget(replica), ...workloads];
  },
};
