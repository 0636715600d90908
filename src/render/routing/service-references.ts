import type { InferenceCluster } from '../../api/inference-cluster';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import type { ReferencedObject } from '../../manifest/kubernetes/references';
import type { EdgeBackend, EgressBackend, Front, NamespacedName } from '../../routing/gateway-types';
import type { RoutedService, Routing, ServiceListener } from '../../routing/routing';
import { isPatched } from './front-policies';

/** What the objects of a service on a cluster refer to. A service can be listed several times. */
export interface ServiceReferences {
  readonly service: NamespacedName;

  /** Namespaces of its objects. */
  readonly namespaces: readonly string[];

  /** Objects that the fleet does not create, with `namespace`, except Secrets of keys and credentials. */
  readonly references: readonly ReferencedObject[];
}

/**
 * Lists what the objects that `renderClusterRouting` renders for services refer to, from what services declare: to
 * render the objects of a large fleet takes longer than to decide it.
 */
export function listServiceReferences(routing: Routing, cluster: InferenceCluster): ServiceReferences[] {
  const isLocal = (place: { readonly cluster: string }): boolean => place.cluster === cluster.metadata.name;
  const fronts = routing.fronts.filter(isLocal);
  return [
    ...(fronts.length > 0 ? routing.services.flatMap((service) => referencesAtFronts(service, fronts)) : []),
    ...routing.edges.filter(isLocal).flatMap(({ backends }) => backends.map(referencesAtEdge)),
    ...routing.egresses.filter(isLocal).flatMap(({ backends }) => backends.map(referencesAtEgress)),
  ];
}

function referencesAtFronts(service: RoutedService, fronts: readonly Front[]): ServiceReferences[] {
  const at = fronts.flatMap((front) => {
    const listener = service.gateways.find((one) => one.gateway === front.gateway && one.cluster === front.cluster);
    return listener ? [{ front, listener }] : [];
  });
  return at.slice(0, 1).map(({ front }) => ({
    service,
    namespaces: [
      service.namespace,
      ...(isPatched(service) ? [SYSTEM_NAMESPACE] : []),
      ...at.flatMap(({ listener }) => keyNamespacesOf(listener)),
    ],
    references: [authority(service.namespace, front.ca)],
  }));
}

/** The namespaces of keys: each has a grant for their policy. */
function keyNamespacesOf({ auth }: ServiceListener): string[] {
  return auth.kind === 'ApiKeys' ? auth.keys.map(({ secret }) => secret.namespace) : [];
}

function referencesAtEdge({ service, deployment, replica, holder, picker }: EdgeBackend): ServiceReferences {
  const isPicked = picker.kind === 'PrefixCache';
  // The objects in the namespace of the engines: the Service of a replica, what its picker may read, and grants.
  const nextToEngines = replica !== undefined || isPicked || !holder;
  const namespaces = [
    service.namespace,
    ...(nextToEngines ? [deployment.namespace] : []),
    ...(isPicked ? [SYSTEM_NAMESPACE] : []),
  ];
  return { service, namespaces, references: [] };
}

function referencesAtEgress({ service, endpoint, credential, tls }: EgressBackend): ServiceReferences {
  return {
    service,
    namespaces: [service.namespace, endpoint.namespace, ...(credential ? [credential.secret.namespace] : [])],
    references: tls?.ca === undefined ? [] : [authority(endpoint.namespace, tls.ca)],
  };
}

/** The certificates by which a gateway verifies what it calls. */
function authority(namespace: string, name: string): ReferencedObject {
  return { kind: 'ConfigMap', namespace, name, key: 'ca.crt' };
}
