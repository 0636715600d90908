import type { EngineMember } from '../api/engine';
import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import {
  CLAIM_FEATURES,
  type ClaimFeature,
  CLAIMS_SINCE,
  kubernetesMinorOf,
  usedClaimFeaturesOf,
} from '../api/kubernetes-features';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import type { EngineContainerSpec } from '../api/pod/container';
import { groupBy, sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import { volumeRoundingOf } from '../fleet/hardware/shared-storage';
import { planDnsRecords } from '../provision/dns-records';
import { eksZonesOf } from '../provision/eks/network';
import { isManagedCloud, type ManagedCloud } from '../provision/managed-cloud';
import { assessPodSecurity } from '../render/pod/pod-security-standards';
import { describeOtherRenderers, native, type RendererSelector } from '../render/renderer';
import type { CacheLocation } from '../replicas/cache-clusters';
import { groupReplicasByDeployment } from '../replicas/compare-replicas';
import type { ComputedReplica } from '../replicas/replica';
import type { Routing } from '../routing/routing';

/** What the reader of a plan should know of what lands on clusters, and need not mend. */
export function collectFleetNotes(
  { clusters }: Fleet,
  replicas: readonly ComputedReplica[],
  caches: readonly CacheLocation[],
  rendererFor: RendererSelector,
): string[] {
  return [
    ...describeUncheckedVersions(replicas),
    ...describeProvisioning(clusters),
    ...describeCaches(caches),
    ...describeOtherRenderers(replicas, rendererFor),
    ...describePrivilegedDeployments(replicas, rendererFor),
  ];
}

/** Where caches are staged and how large their volumes become, a sentence each for the plan. */
export function describeCaches(held: readonly CacheLocation[]): string[] {
  return held.map(({ cache, clusters }) => {
    const id = resourceIdOf(cache);
    if (clusters.length === 0) return `${id} is not staged: no replica mounts it.`;
    const where = joinClusterNames(clusters);
    if (cache.spec.source === 'ExistingPVC') {
      return `${id} is PersistentVolumeClaim ${cache.spec.existingPVC?.claimName} on ${where}: nothing is staged.`;
    }
    const staged = `${id} is staged on ${where}, ${cache.spec.sizeGiB} GiB${clusters.length > 1 ? ' each' : ''}.`;
    return [staged, ...describeRounding(cache, clusters)].join(' ');
  });
}

/** What file systems make of the size, once for each kind of file system. */
function describeRounding(cache: ModelCache, clusters: readonly InferenceCluster[]): string[] {
  const known = clusters.flatMap((cluster) => {
    const rounding = volumeRoundingOf(cluster);
    return rounding ? [{ rounding, cluster }] : [];
  });
  return [...groupBy(known, ({ rounding }) => rounding.fileSystem)].flatMap(([fileSystem, all]) => {
    const where = joinClusterNames(all.map(({ cluster }) => cluster));
    const minimum = all[0]?.rounding.minimum;
    if (minimum === undefined) return [`On ${where}, ${fileSystem} grows with its files instead.`];
    const { sizeGiB = 0 } = cache.spec;
    return sizeGiB < minimum ? [`On ${where}, ${fileSystem} makes ${minimum} GiB of it.`] : [];
  });
}

function joinClusterNames(clusters: readonly InferenceCluster[]): string {
  return joinNames(clusters.map(({ metadata }) => metadata.name));
}

/** Something about clusters that are made, and those that it is true of. */
interface ProvisioningNote {
  /** What of a cluster it is true of: itself, or its pools as `cluster/pool`. */
  about(cluster: InferenceCluster, cloud: ManagedCloud): readonly string[];
  says(named: string): string;
}

const PROVISIONING_NOTES: readonly ProvisioningNote[] = [
  {
    about: ({ metadata, spec }, cloud) =>
      spec.nodePools
        .filter(
          ({ maxNodeCount, minNodeCount = 0 }) =>
            cloud === 'EKS' && spec.dra && maxNodeCount && !minNodeCount,
        )
        .map(({ name }) => `${metadata.name}/${name}`),
    says: (pools) =>
      `Never fewer than 1 node in ${pools}: the autoscaler of AWS does not know the devices of a pool without nodes.`,
  },
  {
    about: (cluster, cloud) =>
      cloud === 'EKS' && !cluster.spec.dra && cluster.spec.nodePools.length > 0 ? nameOf(cluster) : [],
    says: (clusters) =>
      `Nothing installs the device plugin that counts GPUs on ${clusters}: EKS brings none.`,
  },
  {
    about: (cluster, cloud) =>
      cloud === 'EKS' ? eksZonesOf(cluster).added.map((zone) => `${cluster.metadata.name}/${zone}`) : [],
    says: (zones) =>
      `EKS wants two zones, so subnets are made in ${zones} too: name both in spec.cluster.eks.zones, so that they stay when pools in other zones come, or others where there is none of this name.`,
  },
  {
    about: (cluster, cloud) => (cloud === 'EKS' && cluster.spec.network.private ? nameOf(cluster) : []),
    says: (clusters) => `spec.network.private has no effect on ${clusters}: nodes of EKS are always private.`,
  },
  {
    about: (cluster, cloud) => {
      const { tier, storageClassName } = cluster.spec.storage.sharedFilesystem ?? {};
      return tier && (cloud === 'EKS' || storageClassName) ? nameOf(cluster) : [];
    },
    says: (clusters) =>
      `spec.storage.sharedFilesystem.tier has no effect on ${clusters}: no Filestore is made there.`,
  },
];

function nameOf({ metadata }: InferenceCluster): string[] {
  return [metadata.name];
}

/** What users should know of what is made for clusters, and need not mend. A sentence each. */
export function describeProvisioning(clusters: readonly InferenceCluster[]): string[] {
  return PROVISIONING_NOTES.flatMap(({ about, says }) => {
    const named = clusters.flatMap((cluster) => {
      const { source } = cluster.spec.cluster;
      return isManagedCloud(source) ? about(cluster, source) : [];
    });
    return named.length > 0 ? [says(joinNames(named))] : [];
  });
}

/**
 * Deployments that need the Pod Security level `privileged`, which lets every pod of their namespaces do what it
 * likes: sentences for the plan.
 */
export function describePrivilegedDeployments(
  replicas: readonly ComputedReplica[],
  rendererFor: RendererSelector,
): string[] {
  const notes = [...groupReplicasByDeployment(replicas).values()].flatMap(([replica]) => {
    if (!replica) return [];
    const renderer = rendererFor(replica);
    // Rendering takes a while, and most templates ask for nothing that could matter.
    if (renderer === native && !mayNeedPrivileges(replica.deployment)) return [];
    const { level, reasons } = assessPodSecurity(renderer.render(replica));
    return level === 'privileged' ? [formatPrivilegedNote(replica.deployment, reasons)] : [];
  });
  return sortUnique(notes);
}

function formatPrivilegedNote(deployment: ModelDeployment, reasons: readonly string[]): string {
  const { namespace = 'default' } = deployment.metadata;
  return `${resourceIdOf(deployment)} needs the Pod Security level privileged in namespace ${namespace}: ${reasons.join('; ')}.`;
}

/** Whether a template has anything that the level `baseline` could refuse. */
function mayNeedPrivileges({ spec }: ModelDeployment): boolean {
  return spec.template.spec.engines.some(({ members }) => members.some(memberMayNeedPrivileges));
}

function memberMayNeedPrivileges({ template: { spec } }: EngineMember): boolean {
  const { containers, initContainers = [], volumes = [], securityContext } = spec;
  return (
    securityContext?.seccompProfile !== undefined ||
    containers.some(hasRaisedPrivileges) ||
    initContainers.some(hasRaisedPrivileges) ||
    volumes.some(({ hostPath }) => hostPath !== undefined)
  );
}

function hasRaisedPrivileges({
  securityContext: own,
}: Pick<EngineContainerSpec, 'securityContext'>): boolean {
  return Boolean(own?.privileged || own?.capabilities?.add || own?.seccompProfile);
}

/** A note about clusters whose version nobody declares, where replicas on them use what only later versions have. */
export function describeUncheckedVersions(replicas: readonly ComputedReplica[]): string[] {
  const uses = [...groupReplicasByDeployment(replicas)].flatMap(([deployment, own]) => {
    const later = laterFeaturesOf(deployment);
    if (later.length === 0) return [];
    const unknown = own.filter(({ cluster }) => cluster.spec.dra && kubernetesMinorOf(cluster) === undefined);
    return unknown.flatMap(({ cluster }) =>
      later.map((feature) => ({ cluster: cluster.metadata.name, feature })),
    );
  });
  if (uses.length === 0) return [];
  const clusters = sortUnique(uses.map(({ cluster }) => cluster)).join(', ');
  const features = sortUnique(
    uses.map(({ feature }) => `${feature} (1.${CLAIM_FEATURES[feature].since})`),
  ).join(', ');
  return [
    `Whether Kubernetes on ${clusters} has ${features} is not checked: declare spec.cluster.existing.kubernetesVersion.`,
  ];
}

/** What the engines of a deployment use that not every cluster with claims has. */
function laterFeaturesOf({ spec }: ModelDeployment): ClaimFeature[] {
  return spec.template.spec.engines
    .flatMap(({ members }) => members.flatMap(({ nodeSelector }) => usedClaimFeaturesOf(nodeSelector)))
    .map(({ feature }) => feature)
    .filter((feature) => CLAIM_FEATURES[feature].since > CLAIMS_SINCE);
}

/** Which records of host names are no need, because a stack writes them: a sentence. */
export function describeDnsRecords(routing: Routing): string[] {
  const hosts = planDnsRecords(routing).map(({ host, provider, zone }) => `${host} (${provider} ${zone})`);
  if (hosts.length === 0) return [];
  return [
    `A Pulumi stack that applies these objects writes the DNS records of ${joinNames(hosts)}; without one, write them yourself.`,
  ];
}
