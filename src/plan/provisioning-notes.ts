import type { InferenceCluster } from '../api/inference-cluster';
import { eksZones } from '../provision/eks-network';
import { isMade, type MadeOn } from '../provision/made-on';
import { shortList } from './format';

/** Something about clusters that are made, and those that it is true of. */
interface Fact {
  /** What of a cluster it is true of: itself, or its pools as `cluster/pool`. */
  about(cluster: InferenceCluster, cloud: MadeOn): readonly string[];
  says(named: string): string;
}

const FACTS: readonly Fact[] = [
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
      cloud === 'EKS' && !cluster.spec.dra && cluster.spec.nodePools.length > 0 ? itself(cluster) : [],
    says: (clusters) =>
      `Nothing installs the device plugin that counts GPUs on ${clusters}: EKS brings none.`,
  },
  {
    about: (cluster, cloud) =>
      cloud === 'EKS' ? eksZones(cluster).added.map((zone) => `${cluster.metadata.name}/${zone}`) : [],
    says: (zones) =>
      `EKS wants two zones, so subnets are made in ${zones} too: name both in spec.cluster.eks.zones, so that they stay when pools in other zones come, or others where there is none of this name.`,
  },
  {
    about: (cluster, cloud) => (cloud === 'EKS' && cluster.spec.network.private ? itself(cluster) : []),
    says: (clusters) => `spec.network.private has no effect on ${clusters}: nodes of EKS are always private.`,
  },
  {
    about: (cluster, cloud) => {
      const { tier, storageClassName } = cluster.spec.storage.sharedFilesystem ?? {};
      return tier && (cloud === 'EKS' || storageClassName) ? itself(cluster) : [];
    },
    says: (clusters) =>
      `spec.storage.sharedFilesystem.tier has no effect on ${clusters}: no Filestore is made there.`,
  },
];

function itself({ metadata }: InferenceCluster): string[] {
  return [metadata.name];
}

/** What users should know of what is made for clusters, and need not mend. A sentence each. */
export function provisioningNotes(clusters: readonly InferenceCluster[]): string[] {
  return FACTS.flatMap(({ about, says }) => {
    const named = clusters.flatMap((cluster) => {
      const { source } = cluster.spec.cluster;
      return isMade(source) ? about(cluster, source) : [];
    });
    return named.length > 0 ? [says(shortList(named))] : [];
  });
}
