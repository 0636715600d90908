import { isAutoscaled, isGang } from '../api/engine-copies';
import { podGroupApiOf } from '../api/kubernetes-features';
import { POD_GROUP_KIND } from '../catalog/pod-groups';
import { gangSizeOf } from '../engine/kserve-layout';
import { objectLabelsOf, objectMetaOf } from '../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../manifest/kubernetes/manifest';
import { podGroupNameOf } from '../manifest/kubernetes/object-names';
import { backendOf, type ComputedEngine, type ComputedReplica } from '../replicas/replica';

/**
 * Renders the PodGroup of a gang: kube-scheduler starts none of its pods before all of them have a node. Undefined for
 * other pods, and for several copies: all groups of a LeaderWorkerSet have one template, which names one PodGroup.
 */
export function renderPodGroup(replica: ComputedReplica, computed: ComputedEngine): Manifest | undefined {
  const { deployment, cluster, index } = replica;
  const name = podGroupOf(replica, computed);
  const api = podGroupApiOf(cluster);
  if (name === undefined || !api) return undefined;
  const { engine } = computed;
  const subject = { deployment, cluster: cluster.metadata.name, index, engine: engine.name };
  return {
    apiVersion: api.apiVersion,
    kind: POD_GROUP_KIND,
    metadata: objectMetaOf(deployment, name, objectLabelsOf(subject)),
    spec: { schedulingPolicy: { gang: { minCount: gangSizeOf(engine) } } },
  };
}

/** The fields by which the pods of a gang name its PodGroup. Empty for pods without one. */
export function renderSchedulingGroup(replica: ComputedReplica, computed: ComputedEngine): JsonObject {
  const podGroupName = podGroupOf(replica, computed);
  return podGroupName === undefined ? {} : { schedulingGroup: { podGroupName } };
}

function podGroupOf(replica: ComputedReplica, { engine }: ComputedEngine): string | undefined {
  const { deployment, cluster, index } = replica;
  const isOneGang = isGang(engine) && !isAutoscaled(engine) && engine.copies === 1;
  if (!isOneGang || backendOf(replica) !== 'Native' || !podGroupApiOf(cluster)) return undefined;
  return podGroupNameOf(deployment.metadata, index, engine.name, gangSizeOf(engine));
}
