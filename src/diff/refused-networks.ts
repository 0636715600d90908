import { type Diagnostic, warningAt } from '../base/diagnostic';
import { groupBy } from '../base/order';
import { decapitalize } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import type { FleetDiff } from './fleet-diff';
import { keepCluster } from './gateway-warnings';

interface ChangedClusters {
  readonly after: Pick<PlacedFleet, 'fleet'>;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** Finds clusters whose network gets another range: clouds keep the range of a network in use, so the change cannot be applied. */
export function findRefusedNetworks({ cloud }: Pick<FleetDiff, 'cloud'>, { after, at }: ChangedClusters): Diagnostic[] {
  const refused = groupBy(
    cloud.filter((one) => one.refused),
    ({ cluster }) => cluster,
  );
  return after.fleet.clusters.flatMap(({ metadata: { name }, spec }): Diagnostic[] => {
    const changes = refused.get(name);
    if (!changes) return [];
    const where = changes.flatMap(({ causes }) => causes)[0]?.where ?? at;
    const what = `the network of ${name} gets another range, which ${spec.cluster.source} refuses while the cluster uses it: the change cannot be applied`;
    const hint = `Keep the range. If you need another one, ${decapitalize(keepCluster('its replicas have moved'))}`;
    return [warningAt('fixed-network', where, what, hint)];
  });
}
