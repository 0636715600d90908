import { groupBy } from '../../base/order';
import { joinNames } from '../../base/text';
import type { ProtectedCluster } from '../../diff/protected-clusters';
import type { ManagedCloud } from '../../provision/managed-cloud';
import type { ChangeStep } from './change-steps';

/** The most clusters that are named. */
const MAX_NAMED = 5;

/** What refuses to delete a protected cluster. */
const REFUSERS: Readonly<Record<ManagedCloud, string>> = { GKE: 'the cloud', EKS: 'the cloud', AKS: 'Pulumi' };

/** Says what an earlier change does, so that clusters can be deleted. */
export function describeProtectedClusters(
  clusters: readonly ProtectedCluster[] = [],
  format: (name: string) => string = (name) => name,
): ChangeStep[] {
  return [...groupBy(clusters, ({ source }) => REFUSERS[source])].map(([refuser, all]) => {
    const names = joinNames(
      all.map(({ cluster }) => format(cluster)),
      MAX_NAMED,
    );
    const what = all.length === 1 ? 'the cluster' : 'the clusters';
    return {
      time: 'earlier',
      when: 'in a change before this one',
      what: `set 'deletionProtection: false' of ${names} and apply it; otherwise ${refuser} refuses to delete ${what}.`,
    };
  });
}
