import { ENGINE } from '../api/labels';
import { deploymentSelector, labelsOf } from './labels';
import type { Manifest } from './manifest';
import { budgetName } from './names';
import { objectMeta } from './object-meta';
import type { ComputedReplica } from './replica';

/**
 * Lets a drain of nodes take one pod of a deployment on a cluster at a time, where more than one serves.
 *
 * One budget over all pods of the deployment there: budgets may not overlap, or evictions fail; and a replica is down
 * as soon as one of its engines is, so that a budget for each engine or replica would let all of them go at once. A pod
 * of a gang that goes takes its group with it, which then counts against the budget until it serves again: one group
 * at a time. Pods that do not serve yet may always be evicted: a model that loads would hold up a drain for an hour.
 */
export function disruptionBudget({ deployment, cluster, engines, here }: ComputedReplica): Manifest[] {
  if (here === 1 && engines.every(({ engine }) => engine.copies === 1)) return [];
  const ours = labelsOf({ deployment, cluster: cluster.metadata.name });
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: objectMeta(deployment, budgetName(deployment.metadata), ours),
      spec: {
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: {
          matchLabels: deploymentSelector(deployment),
          matchExpressions: [{ key: ENGINE, operator: 'Exists' }],
        },
      },
    },
  ];
}
