import { COMPUTED_VERSION } from '../replicas/replica';
import type { Renderer } from './renderer';
import { renderDisruptionBudget, renderNetworkPolicy, renderService } from './replica-objects';
import { renderWorkload } from './workloads';

/**
 * Renders plain Kubernetes objects: a Deployment or LeaderWorkerSet for each engine, and a Service.
 *
 * @example
 * const accepted = replicas.filter((replica) => native.reject(replica) === undefined);
 */
export const native: Renderer = {
  name: 'Native',
  version: COMPUTED_VERSION,

  reject: () => undefined,

  render(replica) {
    const workloads = replica.engines.flatMap((engine) => renderWorkload(replica, engine));
    return [renderService(replica), ...renderNetworkPolicy(replica), ...renderDisruptionBudget(replica), ...workloads];
  },
};
