import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import { sortUnique } from '../base/order';
import type { ReferencedObject } from '../manifest/kubernetes/references';
import { schedulerOf } from '../render/queue-metadata';
import type { OwnedReference } from '../render/external-references';
import { type ComputedReplica, groupReplicasByDeployment } from '../replicas/replica';

/** Finds the queues that the replicas of a cluster wait in, and what Kueue must know to count their devices. */
export function findQueues(cluster: InferenceCluster, replicas: readonly ComputedReplica[]): OwnedReference[] {
  const { queue } = schedulerOf(cluster);
  const name = cluster.spec.scheduler?.queue;
  if (!queue || name === undefined) return [];
  return [...groupReplicasByDeployment(replicas)].flatMap(([deployment, group]) => {
    const { namespace = 'default' } = deployment.metadata;
    const own: ReferencedObject = { kind: queue.kind, ...(queue.namespaced && { namespace }), name };
    const mappings = needsMappings(cluster) ? claimedClassesOf(group) : [];
    const references: readonly ReferencedObject[] = [
      ...(cluster.spec.scheduler?.manage ? [] : [own]),
      ...mappings.map((mapped) => ({ kind: 'Kueue device class mapping', name: mapped }) as const),
    ];
    return references.map((reference) => ({ owner: resourceIdOf(deployment), reference }));
  });
}

/** Whether others configure Kueue on a cluster, and have to name the device classes of claims. */
function needsMappings({ spec }: InferenceCluster): boolean {
  return spec.scheduler?.type === 'Kueue' && spec.servingStack.kueue?.install !== true;
}

/** The device classes in the claims of replicas. Kueue rejects a workload with a class that its configuration lacks. */
function claimedClassesOf(replicas: readonly ComputedReplica[]): string[] {
  const members = replicas.flatMap(({ engines }) => engines.flatMap((engine) => engine.members));
  const forms = members.flatMap(({ claims }) => claims.flatMap((claim) => claim.forms));
  return sortUnique(forms.map(({ claimedAs }) => claimedAs));
}
