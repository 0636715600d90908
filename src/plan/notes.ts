import { formatCount } from '../base/figures';
import { type CacheDelivery, deliveryOf } from '../api/cache/delivery';
import { cloudNameOf } from '../api/cluster-labels';
import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import {
  CLAIM_FEATURES,
  type ClaimFeature,
  CLAIMS_SINCE,
  kubernetesMinorOf,
  kubernetesVersionPathOf,
  usedClaimFeaturesOf,
} from '../api/kubernetes-features';
import { PROVIDER_LABEL, REGION_LABEL } from '../api/labels';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import type { EngineContainerSpec } from '../api/pod/container';
import { qualifiedNameOf } from '../api/resource';
import { groupBy, sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import { isTierUnknown, SMALLEST_FILESTORE, volumeRoundingOf } from '../fleet/hardware/shared-storage';
import { hasLongTermSupport } from '../provision/aks/cluster';
import { describeAksQuotas } from '../provision/aks/quotas';
import { planDnsRecords } from '../provision/dns-records';
import { eksZonesOf } from '../provision/eks/network';
import { isManagedCloud, type ManagedCloud } from '../provision/managed-cloud';
import { native } from '../render/native';
import { assessPodSecurity } from '../render/pod/pod-security-standards';
import type { RendererSelector } from '../render/renderer';
import { describeOtherRenderers } from '../render/renderers';
import type { CacheLocation } from '../replicas/cache-clusters';
import { type ComputedReplica, groupReplicasByDeployment } from '../replicas/replica';
import type { Routing } from '../routing/routing';
import { describeAccess } from './access-notes';
import { describeBucketAccess } from './bucket-access-notes';
import { describeFabrics } from './fabric-notes';
import { describeMissingMetrics } from './monitoring-notes';
import { describeUnreachable } from './reachability-notes';
import { describeScaling, describeWarmNodes } from './scaling-notes';

/** Collects the notes of a plan on replicas, caches and clusters. They need no action. */
export function collectFleetNotes(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  caches: readonly CacheLocation[],
  rendererFor: RendererSelector,
): string[] {
  return [
    ...describeUncheckedVersions(replicas),
    ...describeUncreatedClusters(fleet.clusters),
    ...describeProvisioning(fleet.clusters),
    ...describeAksQuotas(fleet),
    ...caches.map(describeCacheLocation),
    ...describeScaling(replicas, fleet.models),
    ...describeWarmNodes(fleet.clusters),
    ...describeMissingMetrics(replicas),
    ...describeAccess(fleet),
    ...describeUnreachable(fleet, replicas),
    ...describeFabrics(fleet, replicas),
    ...describeOtherRenderers(replicas, rendererFor),
    ...describePrivilegedDeployments(replicas, rendererFor),
  ];
}

/** Describes where a cache is staged, how large its volumes become, and who must be allowed to read its source. */
export function describeCacheLocation({ cache, clusters }: CacheLocation): string {
  const id = resourceIdOf(cache);
  if (clusters.length === 0) return `${id} is not staged, because no replica mounts it.`;
  const where = joinClusterNames(clusters);
  if (deliveryOf(cache.spec) !== 'Staged') return `${id} is ${describeMount(cache, where)}`;
  const staged = `${id} is staged on ${where}, ${formatCount(cache.spec.sizeGiB ?? 0)} GiB${clusters.length > 1 ? ' each' : ''}.`;
  return [staged, ...describeRounding(cache, clusters), ...describeBucketAccess(cache)].join(' ');
}

type DescribeMount = (spec: ModelCache['spec'], where: string) => string;

/** What caches are that no Job stages, by delivery: the end of a sentence. */
const MOUNTS: Readonly<Record<Exclude<CacheDelivery, 'Staged'>, DescribeMount>> = {
  PodDisk: ({ sizeGiB }, where) =>
    `staged on ${where} by each pod, on its own disk of ${formatCount(sizeGiB ?? 0)} GiB. A pod that replaces another stages it again.`,
  Snapshot: ({ blockDevice }, where) =>
    `a volume of VolumeSnapshot ${blockDevice?.snapshot?.name} on ${where}: nothing is staged.`,
  Claim: ({ existingPVC }, where) => `PersistentVolumeClaim ${existingPVC?.claimName} on ${where}: nothing is staged.`,
  Bucket: ({ source, s3, gcs }, where) => {
    const reader = source === 'S3' ? 'the role of the driver' : 'the ServiceAccount of its engines';
    return `the bucket ${s3?.uri ?? gcs?.uri} on ${where}, which ${reader} must be allowed to read. Nothing is staged.`;
  },
  Image: ({ oci }, where) => `the image ${oci?.image} on ${where}: nothing is staged.`,
  ConfigMap: ({ configMap }, where) => `ConfigMap ${configMap?.name} on ${where}: nothing is staged.`,
  Inline: (_, where) => `a rendered ConfigMap on ${where}: nothing is staged.`,
};

function describeMount({ spec }: ModelCache, where: string): string {
  const delivery = deliveryOf(spec);
  return delivery === 'Staged' ? '' : MOUNTS[delivery](spec, where);
}

/** Describes volume sizes that differ from the declared size, once per kind of file system. */
function describeRounding(cache: ModelCache, clusters: readonly InferenceCluster[]): string[] {
  return [...groupBy(clusters, (one) => volumeRoundingOf(one)?.fileSystem)].flatMap(([fileSystem, all]) => {
    if (fileSystem === undefined) return describeUnknownTiers(cache, all);
    const where = joinClusterNames(all);
    const { minimum, shared } = (all[0] && volumeRoundingOf(all[0])) ?? {};
    if (shared !== undefined) return [`On ${where}, it shares ${fileSystem} with the other caches.`];
    if (minimum === undefined) return [`On ${where}, ${fileSystem} grows with its files.`];
    const { sizeGiB = 0 } = cache.spec;
    return sizeGiB < minimum ? [`On ${where}, ${fileSystem} makes ${formatCount(minimum)} GiB of it.`] : [];
  });
}

/** Says where volumes may be larger than declared: in a class of Filestore, if the storage class is one. */
function describeUnknownTiers({ spec: { sizeGiB = 0 } }: ModelCache, clusters: readonly InferenceCluster[]): string[] {
  const filestore = clusters.filter((one) => isTierUnknown(one, sizeGiB));
  if (filestore.length === 0) return [];
  const what = `If the storage class of ${joinClusterNames(filestore)} is one of Filestore`;
  return [
    `${what}, set sharedFilesystem.tier there: its volumes have at least ${formatCount(SMALLEST_FILESTORE)} GiB.`,
  ];
}

function joinClusterNames(clusters: readonly InferenceCluster[]): string {
  return joinNames(clusters.map(({ metadata }) => metadata.name));
}

/** A note on provisioned clusters, and what it applies to: clusters, or parts of them such as pools (`cluster/pool`). */
interface ProvisioningNote {
  about(cluster: InferenceCluster, cloud: ManagedCloud): readonly string[];
  says(named: string): string;
}

/** The note on pools that cannot be empty on a cloud. */
function noteLeastNodes(on: ManagedCloud, owner: string): ProvisioningNote {
  return {
    about: ({ metadata, spec }, cloud) =>
      spec.nodePools
        .filter(({ maxNodeCount, minNodeCount = 0 }) => cloud === on && spec.dra && maxNodeCount && !minNodeCount)
        .map(({ name }) => `${metadata.name}/${name}`),
    says: (pools) =>
      `At least 1 node always runs in ${pools}, because the autoscaler of ${owner} does not know the devices of a pool without nodes.`,
  };
}

const PROVISIONING_NOTES: readonly ProvisioningNote[] = [
  noteLeastNodes('EKS', 'AWS'),
  noteLeastNodes('AKS', 'Azure'),
  {
    about: (cluster, cloud) =>
      cloud === 'EKS' && !cluster.spec.dra && cluster.spec.nodePools.length > 0 ? nameOf(cluster) : [],
    says: (clusters) => `No device plugin for GPUs is installed on ${clusters}: EKS does not include one.`,
  },
  {
    about: (cluster, cloud) =>
      cloud === 'EKS' ? eksZonesOf(cluster).added.map((zone) => `${cluster.metadata.name}/${zone}`) : [],
    says: (zones) =>
      `EKS requires two zones, so subnets are created in ${zones} too. Set spec.cluster.eks.zones to keep both when you add pools in other zones, or if a zone of this name does not exist.`,
  },
  {
    about: (cluster, cloud) => (cloud === 'EKS' && cluster.spec.network.private ? nameOf(cluster) : []),
    says: (clusters) => `spec.network.private has no effect on ${clusters}: nodes on EKS are always private.`,
  },
  {
    about: (cluster, cloud) => (cloud === 'AKS' && cluster.spec.network.private ? nameOf(cluster) : []),
    says: (clusters) =>
      `The Kubernetes API of ${clusters} has a private address only: run Pulumi in its network or a connected one.`,
  },
  {
    about: (cluster, cloud) => (cloud === 'AKS' && hasLongTermSupport(cluster) ? nameOf(cluster) : []),
    says: (clusters) =>
      `AKS has the Kubernetes version of ${clusters} with long-term support only, in the tier Premium, which costs more.`,
  },
  {
    about: ({ metadata, spec }, cloud) =>
      spec.nodePools
        .filter(({ fabric }) => cloud === 'AKS' && fabric.type === 'InfiniBand')
        .map(({ name }) => `${metadata.name}/${name}`),
    says: (pools) =>
      `For InfiniBand in ${pools}, register the feature AKSInfinibandSupport of Microsoft.ContainerService before you create the pool, and install NVIDIA's Network Operator, which Fleetwright does not.`,
  },
  {
    about: (cluster, cloud) => (cluster.spec.storage.sharedFilesystem?.tier && cloud !== 'GKE' ? nameOf(cluster) : []),
    says: (clusters) =>
      `spec.storage.sharedFilesystem.tier has no effect on ${clusters}: no Filestore is created there.`,
  },
];

function nameOf({ metadata }: InferenceCluster): string[] {
  return [metadata.name];
}

/** Notes the clusters that only a program creates: manifests alone, or a tool other than Pulumi, do not. */
export function describeUncreatedClusters(clusters: readonly InferenceCluster[]): string[] {
  const uncreated = clusters.filter(({ spec: { cluster } }) => {
    return cluster.source !== 'Existing' && !isManagedCloud(cluster.source);
  });
  return [...groupBy(uncreated, ({ spec }) => cloudNameOf(spec.cluster))].map(([cloud, group]) => {
    const source = group[0]?.spec.cluster.source ?? cloud;
    const what = `InferenceCluster ${joinClusterNames(group)}: only a Cloud of a Pulumi program creates clusters with source: ${source}`;
    return `${what}. For one that exists, set source: Existing, and the labels ${PROVIDER_LABEL}: ${cloud} and ${REGION_LABEL}.`;
  });
}

/** Describes properties of provisioned clusters that need no action, one sentence per property. */
export function describeProvisioning(clusters: readonly InferenceCluster[]): string[] {
  return PROVISIONING_NOTES.flatMap(({ about, says }) => {
    const named = clusters.flatMap((cluster) => {
      const { source } = cluster.spec.cluster;
      return isManagedCloud(source) ? about(cluster, source) : [];
    });
    return named.length > 0 ? [says(joinNames(named))] : [];
  });
}

/** Describes deployments that need the Pod Security level `privileged`, which restricts no pods of a namespace. */
export function describePrivilegedDeployments(
  replicas: readonly ComputedReplica[],
  rendererFor: RendererSelector,
): string[] {
  const notes = [...groupReplicasByDeployment(replicas).values()].flatMap(([replica]) => {
    if (!replica) return [];
    const renderer = rendererFor(replica);
    // Rendering is slow, and most templates need no privileges.
    if (renderer === native && !mayNeedPrivileges(replica.deployment)) return [];
    const { level, reasons } = assessPodSecurity(renderer.render(replica));
    if (level !== 'privileged') return [];
    const { namespace = 'default' } = replica.deployment.metadata;
    const needed = `needs the Pod Security level privileged in namespace ${namespace}`;
    return [`${resourceIdOf(replica.deployment)} ${needed}: ${reasons.join('; ')}.`];
  });
  return sortUnique(notes);
}

/** Where a namespace restricts its pods less than before. */
export interface LowerLevel {
  readonly cluster: string;
  readonly namespace: string;

  /** The level that it has now. */
  readonly level: string;
}

/**
 * Finds a deployment that needs the Pod Security level of a namespace, and why: `ml/chat does not forbid root in container
 * engine`, and whether it is the only one there.
 */
export function explainSecurityLevel(
  replicas: readonly ComputedReplica[],
  rendererFor: RendererSelector,
  { cluster, namespace, level }: LowerLevel,
): string | undefined {
  const placed = replicas.filter(({ deployment, cluster: { metadata } }) => {
    return deployment.metadata.namespace === namespace && metadata.name === cluster;
  });
  const deployments = groupReplicasByDeployment(placed);
  const alone = deployments.size === 1 ? '; nothing else of the fleet runs in the namespace' : '';
  for (const [replica] of deployments.values()) {
    if (!replica) continue;
    const { level: needed, reasons } = assessPodSecurity(rendererFor(replica).render(replica));
    const [reason] = reasons;
    if (needed !== level || reason === undefined) continue;
    const keeps = reasons.length === 1 && reason.startsWith(ROOT_ALLOWED) ? KEEP_RESTRICTED : '';
    return `${qualifiedNameOf(replica.deployment)}${reason.replace(/^it/, '')}${keeps}${alone}`;
  }
  return undefined;
}

const ROOT_ALLOWED = 'it does not forbid root';

const KEEP_RESTRICTED =
  "; if its image needs no root, 'securityContext: { runAsNonRoot: true }' there keeps restricted";

/** Whether a template has a field that the level `baseline` may reject. */
function mayNeedPrivileges({ spec }: ModelDeployment): boolean {
  const members = spec.template.spec.engines.flatMap((engine) => engine.members);
  return members.some(({ template }) => {
    const { containers, initContainers = [], volumes = [], securityContext } = template.spec;
    return (
      securityContext?.seccompProfile !== undefined ||
      [...containers, ...initContainers].some(hasRaisedPrivileges) ||
      volumes.some(({ hostPath }) => hostPath !== undefined)
    );
  });
}

function hasRaisedPrivileges({ securityContext }: Pick<EngineContainerSpec, 'securityContext'>): boolean {
  return Boolean(securityContext?.privileged || securityContext?.capabilities?.add || securityContext?.seccompProfile);
}

/** Notes clusters without a declared version whose replicas use features that not every version has. */
export function describeUncheckedVersions(replicas: readonly ComputedReplica[]): string[] {
  // Deployments can share a spec.
  const known = new Map<ModelDeployment['spec'], readonly ClaimFeature[]>();
  const uses = [...groupReplicasByDeployment(replicas)].flatMap(([{ spec }, group]) => {
    const later = known.get(spec) ?? laterFeaturesOf(spec);
    known.set(spec, later);
    if (later.length === 0) return [];
    const unknown = group.filter(({ cluster }) => cluster.spec.dra && kubernetesMinorOf(cluster) === undefined);
    return unknown.flatMap(({ cluster }) => later.map((feature) => ({ cluster, feature })));
  });
  if (uses.length === 0) return [];
  const clusters = sortUnique(uses.map(({ cluster }) => cluster.metadata.name)).join(', ');
  const features = uses.map(
    ({ feature }) => `${CLAIM_FEATURES[feature].name} (1.${CLAIM_FEATURES[feature].since} or later)`,
  );
  const what = `Whether Kubernetes on ${clusters} is recent enough for ${joinNames(sortUnique(features))} is not checked`;
  const fields = sortUnique(uses.map(({ cluster }) => kubernetesVersionPathOf(cluster).join('.')));
  return [`${what}. Set ${joinNames(fields)}.`];
}

/** The features that the engines of a deployment use and that clusters with DRA may lack. */
function laterFeaturesOf({ template }: ModelDeployment['spec']): ClaimFeature[] {
  return template.spec.engines
    .flatMap(({ members }) => members.flatMap(({ nodeSelector }) => usedClaimFeaturesOf(nodeSelector)))
    .map(({ feature }) => feature)
    .filter((feature) => CLAIM_FEATURES[feature].since > CLAIMS_SINCE);
}

/** Notes the DNS records that a Pulumi stack writes, so that users need not create them. */
export function describeDnsRecords(routing: Routing): string[] {
  const hosts = planDnsRecords(routing).map(({ host, provider, zone }) => `${host} (${provider} ${zone})`);
  if (hosts.length === 0) return [];
  const records = `A Pulumi stack that applies these objects writes the DNS records of ${joinNames(hosts)}`;
  return [`${records}. Without a stack, create the records yourself.`];
}
