import { EDGE, EGRESS, HTTPS_PORT, inCluster } from '../../routing/addresses';
import type { Front } from '../../routing/places';
import type { Member, RoutedService, Routing } from '../../routing/routing';
import type { Manifest } from '../manifest';
import { memberName } from '../names';
import { API, toBackend } from './kinds';
import { type Place, routeMeta } from './meta';

/** The name of a member at a front. */
export function nameOfMember(service: RoutedService, member: Member): string {
  const { tier, cluster = 'egress', target, hostname } = member;
  return memberName(service, { tier, target: target.name, hostname }, cluster);
}

/** Where members of a service are, and by which names, as the fronts of one cluster see it. */
export interface Sight {
  readonly routing: Routing;

  /** Of the cluster: any of its fronts. */
  readonly front: Front;
  readonly place: Place;
}

/**
 * What the fronts of a cluster know of a member: its address, and the name that its certificate has to have. A Host
 * that nobody resolves tells it from others at the same address.
 */
export function memberObjects(service: RoutedService, member: Member, sight: Sight): Manifest[] {
  const { front, place } = sight;
  const name = nameOfMember(service, member);
  const { address, serverName } = addresses(member, sight);
  return [
    {
      apiVersion: API.envoy,
      kind: 'Backend',
      metadata: routeMeta(service, place, name),
      spec: {
        ...(comesSecond(service, member) && { fallback: true }),
        endpoints: [{ hostname: member.hostname, fqdn: { hostname: address, port: HTTPS_PORT } }],
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
          hostname: serverName,
          caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: front.ca }],
        },
      },
    },
  ];
}

/** With nothing before it in any rule, the second tier is the only one. */
function comesSecond({ rules }: RoutedService, { tier, hostname }: Member): boolean {
  const beside = rules.filter(({ members }) => members.some((one) => one.hostname === hostname));
  return tier === 1 && beside.some(({ members }) => members.some((one) => one.tier === 0));
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
