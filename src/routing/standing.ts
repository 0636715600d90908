import type { Fault } from '../api/checks/fault';
import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';
import { resourceId } from '../api/kinds';
import type { Fleet } from '../fleet';

/** A gateway on one cluster. */
export interface Standing {
  readonly gateway: InferenceGateway;
  readonly cluster: InferenceCluster;
}

/** Where gateways stand, and what is wrong with that. */
export interface Standings {
  /** By cluster, then by gateway. */
  readonly standings: readonly Standing[];
  readonly problems: readonly Fault[];
  readonly notes: readonly string[];
}

/**
 * The clusters that gateways stand on. One that names none stands on the only cluster of the fleet; where there are
 * several, that is wrong, and under the alias group a note with the choices.
 */
export function standingsOf({ gateways, clusters }: Pick<Fleet, 'gateways' | 'clusters'>): Standings {
  const unplaced = gateways.filter((gateway) => gateway.spec.clusters.length === 0 && clusters.length !== 1);
  const standings = clusters.flatMap((cluster) =>
    gateways
      .filter((gateway) => standsOn(gateway, cluster, clusters.length))
      .map((gateway): Standing => ({ gateway, cluster })),
  );
  const names = clusters.map(({ metadata }) => metadata.name);
  return {
    standings,
    problems: unplaced
      .filter(({ group }) => group !== 'modelplane.ai')
      .map((gateway) => nowhere(gateway, names)),
    notes: unplaced
      .filter(({ group }) => group === 'modelplane.ai')
      .map((gateway) => `${resourceId(gateway)} has no routes: ${hintFor(names)}.`),
  };
}

function standsOn({ spec }: InferenceGateway, { metadata }: InferenceCluster, count: number): boolean {
  return spec.clusters.length === 0 ? count === 1 : spec.clusters.includes(metadata.name);
}

function nowhere(resource: InferenceGateway, names: readonly string[]): Fault {
  const what = 'nothing says on which cluster the gateway stands';
  return { code: 'no-gateway-cluster', resource, path: ['spec', 'clusters'], what, hint: hintFor(names) };
}

const MOST_NAMED = 8;

function hintFor(names: readonly string[]): string {
  if (names.length === 0) return 'Declare a cluster, and name it at spec.clusters';
  const more = names.length - MOST_NAMED;
  return `Name some of ${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''} at spec.clusters`;
}
