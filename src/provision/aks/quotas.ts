import { groupBy, sortedBy } from '../../base/order';
import { formatCount } from '../../base/figures';
import type { Fleet } from '../../fleet/fleet';
import { listCloudPools } from '../node-pools';
import { AKS_SYSTEM_MACHINE } from './cluster';

/** CPUs of a family of machines that Azure must grant in a region. */
interface Quota {
  readonly location: string;
  readonly family: string;
  readonly cpu: number;
}

/** The family of spot machines of all sizes. */
const SPOT_FAMILY = 'lowPriorityCores';

/**
 * Returns the quota that the clusters of a fleet on AKS need, at the most nodes of each pool. Pools with machines that
 * the catalog does not have are not included.
 */
export function aksQuotasOf(fleet: Pick<Fleet, 'classes' | 'clusters' | 'hardware'>): Quota[] {
  const clusters = fleet.clusters.filter(({ spec }) => spec.cluster.source === 'AKS');
  const each = clusters.flatMap((cluster) => {
    const location = cluster.spec.cluster.aks?.location ?? '';
    const pools = listCloudPools(cluster, fleet, 'aks').flatMap(({ pool, machine }): Quota[] => {
      const { cpu, quotaFamily } = fleet.hardware.catalogue.instanceTypes.get(`azure/${machine.vmSize}`) ?? {};
      if (cpu === undefined || quotaFamily === undefined) return [];
      const family = machine.spot ? SPOT_FAMILY : quotaFamily;
      return [{ location, family, cpu: cpu * (pool.maxNodeCount ?? pool.nodeCount) }];
    });
    const { quotaFamily: family, cpu, most } = AKS_SYSTEM_MACHINE;
    return [...pools, { location, family, cpu: cpu * most }];
  });
  const groups = groupBy(each, ({ location, family }) => `${location} ${family}`);
  return sortedBy(groups.values(), ([first]) => `${first?.location} ${first?.family}`).flatMap((all) =>
    all.slice(0, 1).map((first) => ({ ...first, cpu: all.reduce((sum, one) => sum + one.cpu, 0) })),
  );
}

/** Describes the quota on AKS, one sentence per region. Azure reports a missing quota only when nodes are created. */
export function describeAksQuotas(fleet: Pick<Fleet, 'classes' | 'clusters' | 'hardware'>): string[] {
  return [...groupBy(aksQuotasOf(fleet), ({ location }) => location)].map(([location, all]) => {
    const parts = all.map(({ family, cpu }) => `${formatCount(cpu)} of '${family}'`);
    return `Azure must grant these vCPUs in ${location}: ${parts.join(', ')}.`;
  });
}
