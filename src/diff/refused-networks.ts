import type { InferenceCluster } from '../api/inference-cluster';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { groupBy } from '../base/order';
import { decapitalize } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import { CONTROL_PLANE_KINDS } from '../provision/cloud-resources';
import type { FleetDiff } from './fleet-diff';
import { keepCluster } from './gateway-warnings';

interface ChangedClusters {
  readonly after: Pick<PlacedFleet, 'fleet'>;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** Finds changes of the networks of clusters that a cloud refuses, so that they cannot be applied. */
export function findRefusedNetworks({ cloud }: Pick<FleetDiff, 'cloud'>, { after, at }: ChangedClusters): Diagnostic[] {
  const refused = groupBy(
    cloud.filter((one) => one.refused),
    ({ cluster }) => cluster,
  );
  return after.fleet.clusters.flatMap((cluster): Diagnostic[] => {
    const changes = refused.get(cluster.metadata.name) ?? [];
    const parts = groupBy(changes, ({ kind }) => (CONTROL_PLANE_KINDS.has(kind) ? 'api' : 'range'));
    return [...parts].map(([part, all]) => {
      const where = all.flatMap(({ causes }) => causes)[0]?.where ?? at;
      const { what, keep, ifNeeded } = REFUSALS[part](cluster);
      const hint = `${keep}. ${ifNeeded}, ${decapitalize(keepCluster('its replicas have moved'))}`;
      return warningAt('fixed-network', where, `${what}: the change cannot be applied`, hint);
    });
  });
}

interface Refusal {
  readonly what: string;
  readonly keep: string;
  readonly ifNeeded: string;
}

/** What is refused: of the network, or of the control plane in it. */
const REFUSALS: Readonly<Record<'range' | 'api', (cluster: InferenceCluster) => Refusal>> = {
  range: ({ metadata, spec }) => ({
    what: `the network of ${metadata.name} gets another range, which ${spec.cluster.source} refuses while the cluster uses it`,
    keep: 'Keep the range',
    ifNeeded: 'If you need another one',
  }),
  api: ({ metadata, spec }) => ({
    what: `the Kubernetes API of ${metadata.name} ${spec.network.private ? 'gets a private address only' : 'is no longer private'}, which ${spec.cluster.source} refuses for a cluster that exists`,
    keep: `Keep 'network.private: ${!spec.network.private}'`,
    ifNeeded: 'If you need the other value',
  }),
};
