import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';
import { resourceIdOf, type ResourcePath } from '../api/kinds';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { Fleet } from '../fleet/fleet';

/** A gateway on one cluster. */
export interface PlacedGateway {
  readonly gateway: InferenceGateway;
  readonly cluster: InferenceCluster;
}

/** The clusters of all gateways, with errors and notes. */
interface GatewayPlacements {
  /** Sorted by cluster, then by gateway. */
  readonly placedGateways: readonly PlacedGateway[];
  readonly problems: readonly Diagnostic<ResourcePath>[];
  readonly notes: readonly string[];
}

/**
 * Determines the clusters of gateways. A gateway that names no cluster is on the only cluster of the fleet. With
 * several clusters this is an error, or under the alias group a note with the choices.
 */
export function placeGateways({ gateways, clusters }: Pick<Fleet, 'gateways' | 'clusters'>): GatewayPlacements {
  const unplaced = gateways.filter((gateway) => gateway.spec.clusters.length === 0 && clusters.length !== 1);
  const placedGateways = clusters.flatMap((cluster) =>
    gateways
      .filter((gateway) => isOnCluster(gateway, cluster, clusters.length))
      .map((gateway): PlacedGateway => ({ gateway, cluster })),
  );
  const names = clusters.map(({ metadata }) => metadata.name);
  return {
    placedGateways,
    problems: unplaced
      .filter(({ group }) => group !== 'modelplane.ai')
      .map((gateway) => describeUnplaced(gateway, names)),
    notes: unplaced
      .filter(({ group }) => group === 'modelplane.ai')
      .map((gateway) => `${resourceIdOf(gateway)} has no routes: ${formatClusterHint(names)}.`),
  };
}

function isOnCluster({ spec }: InferenceGateway, { metadata }: InferenceCluster, count: number): boolean {
  return spec.clusters.length === 0 ? count === 1 : spec.clusters.includes(metadata.name);
}

function describeUnplaced(resource: InferenceGateway, names: readonly string[]): Diagnostic<ResourcePath> {
  const what = 'nothing says on which cluster the gateway stands';
  return errorAt('no-gateway-cluster', { resource, path: ['spec', 'clusters'] }, what, formatClusterHint(names));
}

const MAX_NAMED = 8;

function formatClusterHint(names: readonly string[]): string {
  if (names.length === 0) return 'Declare a cluster, and name it at spec.clusters';
  const more = names.length - MAX_NAMED;
  return `Name some of ${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''} at spec.clusters`;
}
