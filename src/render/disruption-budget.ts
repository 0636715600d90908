import { ENGINE_LABEL } from '../api/labels';
import {
  deploymentSelectorOf,
  objectLabelsOf,
  objectMetaOf,
} from '../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { budgetNameOf } from '../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../replicas/replica';

/**
 * Lets a drain of nodes take one pod of a deployment on a cluster at a time, where more than one serves.
 *
 * One budget over all pods of the deployment there: budgets may not overlap, or evictions fail; and a replica is down
 * as soon as one of its engines is, so that a budget for each engine or replica would let all of them go at once. A pod
 * of a gang that goes takes its group with it, which then counts against the budget until it serves again: one group
 * at a time. Pods that do not serve yet may always be evicted: a model that loads would hold up a drain for an hour.
 */
export function renderDisruptionBudget({ deployment, cluster, engines, here }: ComputedReplica): Manifest[] {
  if (here === 1 && engines.every(({ engine }) => engine.copies === 1)) return [];
  const ours = objectLabelsOf({ deployment, cluster: cluster.metadata.name });
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: objectMetaOf(deployment, budgetNameOf(deployment.metadata), ours),
      spec: {
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: {
          matchLabels: deploymentSelectorOf(deployment),
          matchExpressions: [{ key: ENGINE_LABEL, operator: 'Exists' }],
        },
      },
    },
  ];
}
