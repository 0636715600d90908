import { ENGINE_LABEL } from '../api/labels';
import { deploymentSelectorOf, objectLabelsOf, objectMetaOf } from '../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { budgetNameOf } from '../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../replicas/replica';

/**
 * Renders a budget that lets a node drain evict one pod of a deployment on a cluster at a time. Returns no budget for
 * a deployment with a single serving pod.
 *
 * One budget covers all pods of the deployment on the cluster. Budgets must not overlap, because evictions then fail.
 * A replica is down as soon as one of its engines is down, so a budget per engine or replica would let a drain evict
 * all of them at once. An evicted pod of a gang takes its group down, which counts against the budget until the group
 * serves again: a drain evicts one group at a time. Pods that are not ready can always be evicted: a model that loads
 * would otherwise block a drain for an hour.
 */
export function renderDisruptionBudget({ deployment, cluster, engines, here }: ComputedReplica): Manifest[] {
  if (here === 1 && engines.every(({ engine }) => engine.copies === 1)) return [];
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name });
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: objectMetaOf(deployment, budgetNameOf(deployment.metadata), labels),
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
