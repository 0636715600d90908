import type { InferenceCluster } from '../api/inference-cluster';
import type { Locate } from '../api/locate';
import type { Finding } from '../api/resource';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { checkCluster } from './check-cluster';
import { checkPool, type MadeOn } from './check-pools';
import { eksZones } from './eks-network';
import { LEAST_NODES } from './eks-pool';

/**
 * Everything for which a cloud would refuse to make the clusters of a fleet, or make others than were planned with:
 * told before the first resource is registered. Nothing about clusters that exist, or that others make.
 */
export function checkProvisioning(fleet: Fleet, locate: Locate): Problem[] {
  return fleet.clusters.flatMap((cluster) =>
    findings(cluster, fleet).map(({ path, ...problem }) => ({ ...problem, where: locate(cluster, path) })),
  );
}

function findings(cluster: InferenceCluster, { classes, hardware: { catalogue } }: Fleet): Finding[] {
  const { source, gke, eks } = cluster.spec.cluster;
  if (source === 'Existing') return [];
  if (source !== 'GKE' && source !== 'EKS') return [notMade(source)];
  const region = (source === 'GKE' ? gke : eks)?.region ?? '';
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  const ofPools = cluster.spec.nodePools.flatMap((pool, index): Finding[] => {
    const declared = byName.get(pool.className);
    if (!declared) return [];
    const found = [...checkPool({ cloud: source, region, pool, declared, catalogue })];
    return found.map((one) => ({ ...one, path: ['spec', 'nodePools', index, ...one.path] }));
  });
  return [...checkCluster(cluster, source), ...ofPools];
}

function notMade(source: string): Finding {
  return {
    code: 'not-provisioned',
    path: ['spec', 'cluster', 'source'],
    what: `clusters on ${source} are planned and rendered, and not made`,
    hint: "Make it by other means and declare it with 'source: Existing'",
  };
}

/** What users should know of what is made for a cluster, and need not mend. A sentence each. */
export function provisioningNotes(cluster: InferenceCluster): string[] {
  const cloud = cluster.spec.cluster.source;
  return cloud === 'GKE' || cloud === 'EKS' ? [...NOTES[cloud](cluster)] : [];
}

const NOTES: Readonly<Record<MadeOn, (cluster: InferenceCluster) => Iterable<string>>> = {
  *GKE({ metadata: { name }, spec }) {
    const { storageClassName, tier } = spec.storage.sharedFilesystem ?? {};
    if (storageClassName && tier) yield withoutEffect(name, 'storage.sharedFilesystem.tier');
  },
  *EKS(cluster) {
    const { metadata, spec } = cluster;
    const { added } = eksZones(cluster);
    if (added.length > 0) {
      yield `Cluster '${metadata.name}' gets subnets in ${added.join(' and ')} too: EKS needs two zones.`;
    }
    for (const { name, maxNodeCount, minNodeCount = 0 } of spec.nodePools) {
      if (maxNodeCount === undefined || minNodeCount >= LEAST_NODES) continue;
      yield `Pool '${metadata.name}/${name}' keeps ${LEAST_NODES} node: the autoscaler of AWS does not know the devices of a pool without nodes.`;
    }
    if (spec.network.private) yield withoutEffect(metadata.name, 'network.private');
    if (spec.storage.sharedFilesystem?.tier)
      yield withoutEffect(metadata.name, 'storage.sharedFilesystem.tier');
  },
};

function withoutEffect(cluster: string, field: string): string {
  return `spec.${field} of cluster '${cluster}' has no effect.`;
}
