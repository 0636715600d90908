import { type FleetCheck, unknownReference } from './fault';

/** Every cluster that a gateway stands on is declared. */
export const gatewayClusters: FleetCheck = function* ({ clusters, gateways }) {
  const known = clusters.map(({ metadata }) => metadata.name);
  for (const resource of gateways) {
    for (const [index, name] of resource.spec.clusters.entries()) {
      if (known.includes(name)) continue;
      yield unknownReference({
        resource,
        path: ['spec', 'clusters', index],
        kind: 'InferenceCluster',
        name,
        known,
      });
    }
  }
};
