import { isGang } from '../api/engine-copies';
import { COMPUTE_DOMAIN } from '../catalog/racks';
import { objectLabelsOf, objectMetaOf } from '../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { workloadNameOf } from '../manifest/kubernetes/object-names';
import type { ComputedEngine, ComputedMember, ComputedReplica } from '../replicas/replica';

/**
 * Renders the ComputeDomain of a gang on a rack: its pods reach the memory of each other's GPUs over NVLink. The driver
 * makes the claim template that it names, because the claims contain an ID that the cluster gives to the domain.
 */
export function renderComputeDomain(replica: ComputedReplica, computed: ComputedEngine): Manifest | undefined {
  const { deployment, cluster, index } = replica;
  const { engine, members } = computed;
  const [template] = members.flatMap((member) => channelTemplateOf(replica, computed, member) ?? []);
  if (template === undefined) return undefined;
  const subject = { deployment, cluster: cluster.metadata.name, index, engine: engine.name };
  const name = workloadNameOf(deployment.metadata, index, engine.name);
  return {
    apiVersion: COMPUTE_DOMAIN.apiVersion,
    kind: 'ComputeDomain',
    metadata: objectMetaOf(deployment, name, objectLabelsOf(subject)),
    // The number of nodes is deprecated: the driver takes those on which pods of the gang run.
    spec: { numNodes: 0, channel: { resourceClaimTemplate: { name: template } } },
  };
}

/** The name of the claim of a channel in a pod and its container. */
export const CHANNEL_CLAIM_NAME = 'channel';

/** The claim template of the channel that pods of a member claim. Nothing outside racks, and for pods without devices. */
export function channelTemplateOf(
  { deployment, index }: ComputedReplica,
  { engine, pool }: ComputedEngine,
  { claims }: ComputedMember,
): string | undefined {
  if (pool.rack === undefined || !isGang(engine) || claims.length === 0) return undefined;
  return `${workloadNameOf(deployment.metadata, index, engine.name)}-${CHANNEL_CLAIM_NAME}`;
}
