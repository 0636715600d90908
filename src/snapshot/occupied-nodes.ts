import { DEPLOYMENT_LABEL, ENGINE_LABEL, REPLICA_INDEX_LABEL } from '../api/labels';
import type { OccupiedNode, ReplicaPod } from '../fleet/recorded-pods';
import type { NodeInfo } from './node-info';
import { holdsDevices, sumPodRequests } from './pod-requests';
import type { RecordedPod } from './recorded-objects';
import { type ExpectedNode, listStatedResources } from './unusable-nodes';

/** Finds the nodes that run pods of replicas. The lock says later which of the pods a plan accounts for. */
export function findOccupiedNodes(nodes: readonly NodeInfo[], expected: ExpectedNode): OccupiedNode[] {
  return nodes.flatMap((node) => {
    if (node.own.length === 0) return [];
    const room = listStatedResources(node, expected).map(({ resource, left, promised }) => [resource, left - promised]);
    const pods = node.own.map(toReplicaPod);
    return [{ name: node.name, place: node.place(), pods, room: Object.fromEntries(room) as OccupiedNode['room'] }];
  });
}

function toReplicaPod(pod: RecordedPod): ReplicaPod {
  const { name, namespace = 'default', labels } = pod.metadata;
  const engine = labels[ENGINE_LABEL];
  return {
    namespace,
    name,
    deployment: labels[DEPLOYMENT_LABEL] ?? '',
    index: labels[REPLICA_INDEX_LABEL] ?? '',
    ...(engine !== undefined && { engine }),
    holdsDevices: holdsDevices(pod),
    cpu: sumPodRequests(pod, 'cpu'),
    memory: sumPodRequests(pod, 'memory'),
  };
}
