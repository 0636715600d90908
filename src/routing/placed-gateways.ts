import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';
import { resourceIdOf, type ResourcePath } from '../api/kinds';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { Fleet } from '../fleet/fleet';

export interface PlacedGateway {
  readonly gateway: InferenceGateway;
  readonly cluster: InferenceCluster;
}

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
  const isOn = (gateway: InferenceGateway, { metadata }: InferenceCluster): boolean =>
    namesNoCluster(gateway) ? clusters.length === 1 : gateway.spec.clusters.includes(metadata.name);
  const placedGateways = clusters.flatMap((cluster) =>
    gateways.filter((gateway) => isOn(gateway, cluster)).map((gateway) => ({ gateway, cluster })),
  );
  const unplaced = clusters.length === 1 ? [] : gateways.filter(namesNoCluster);
  const names = clusters.map(({ metadata }) => metadata.name);
  const hint =
    names.length === 0
      ? 'Declare a cluster, and add it to spec.clusters'
      : `Set spec.clusters to some of ${nameSome(names, 8)}`;
  const what = 'the gateway has no cluster';
  const own = unplaced.filter(({ group }) => group !== 'modelplane.ai');
  const aliases = unplaced.filter(({ group }) => group === 'modelplane.ai');
  return {
    placedGateways,
    problems: own.map((resource) =>
      errorAt('no-gateway-cluster', { resource, path: ['spec', 'clusters'] }, what, hint),
    ),
    notes: aliases.map((gateway) => `${resourceIdOf(gateway)} has no routes: ${hint}.`),
  };
}

function namesNoCluster({ spec }: InferenceGateway): boolean {
  return spec.clusters.length === 0;
}

/** Joins at most some names for a message on one line. */
export function nameSome(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
