import { ANY_EDGE, EDGE, EGRESS, HTTPS_PORT, inCluster } from '../../routing/addresses';
import type { Front } from '../../routing/places';
import type { Member, RoutedService, Routing } from '../../routing/routing';
import type { Manifest } from '../manifest';
import type { FrontBackend } from './front-backends';
import { API, toBackend } from './kinds';
import { type Place, routeMeta } from './meta';

/** Where members of a service are, and by which names, as the fronts of one cluster see it. */
export interface Sight {
  readonly routing: Routing;

  /** Of the cluster: any of its fronts. */
  readonly front: Front;
  readonly place: Place;
}

/**
 * What the fronts of a cluster know of members: their addresses, and the name that their certificates have to have. A
 * Host that nobody resolves tells each from others at the same address.
 */
export function memberObjects(service: RoutedService, backend: FrontBackend, sight: Sight): Manifest[] {
  const { front, place } = sight;
  const { name, members, fallback, webSocket } = backend;
  const found = members.map((member) => ({ member, ...addresses(member, sight) }));
  return [
    {
      apiVersion: API.envoy,
      kind: 'Backend',
      metadata: routeMeta(service, place, name),
      spec: {
        ...(fallback && { fallback: true }),
        ...(webSocket && { appProtocols: ['gateway.envoyproxy.io/wss'] }),
        endpoints: found.map(({ member, address }) => {
          return { hostname: member.hostname, fqdn: { hostname: address, port: HTTPS_PORT } };
        }),
      },
    },
    {
      apiVersion: API.gateway,
      kind: 'BackendTLSPolicy',
      metadata: routeMeta(service, place, name),
      spec: {
        targetRefs: [toBackend(name)],
        // Without a name nothing but the authority would be checked.
        validation: {
          hostname: commonName(found.map(({ serverName }) => serverName)),
          caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: front.ca }],
        },
      },
    },
  ];
}

/** The name of them all. A policy has one, and edges of a bundle have one name more for that. */
function commonName([first = ANY_EDGE, ...others]: readonly string[]): string {
  return others.every((name) => name === first) ? first : ANY_EDGE;
}

/** The egress is always that beside the front, and so is the edge of its own cluster: neither is left for the internet. */
function addresses({ kind, cluster, hostname }: Member, { routing, front }: Sight) {
  const behind: Behind | undefined =
    kind === 'External'
      ? routing.egresses.find((egress) => egress.cluster === front.cluster)
      : routing.edges.find((edge) => edge.cluster === cluster);
  const service = kind === 'External' ? EGRESS : EDGE;
  const address = behind?.cluster === front.cluster ? inCluster(service) : behind?.hostname;
  if (!behind || address === undefined) {
    throw new Error(`bug: front ${front.name} on ${front.cluster} does not reach ${hostname}`);
  }
  return { address, serverName: behind.serverName };
}

/** What members are behind: an edge, or an egress, which has no host name. */
interface Behind {
  readonly cluster: string;
  readonly hostname?: string;
  readonly serverName: string;
}
