import type { Resource, ResourcePath } from '../../api/kinds';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { type IpAddress, parseIpAddress } from '../../base/ip-address';
import { spellingsOf } from '../../base/ip-embedding';
import { isInRange, parseIpRange } from '../../base/ip-range';
import { type AddressRange, FORBIDDEN_NAMES, FORBIDDEN_RANGES, PRIVATE_RANGES } from '../../catalog/address-ranges';
import type { FleetCheck } from '../../fleet/checks/fleet-check';
import type { Fleet } from '../../fleet/fleet';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { INTERNAL_SUFFIX } from '../../routing/addresses';
import { baseUrlOf, isPrivate } from '../../routing/backends';
import { holderOfNamespace } from './reserved-namespaces';

/** What a host leads to, if gateways must not send requests there, or only if that is declared. */
interface HostVerdict {
  readonly is: 'forbidden' | 'private';

  /** A noun: `the API server`. */
  readonly what: string;
}

/** Names that resolve within a cluster or a network alone, with all names below them. */
const PRIVATE_SUFFIXES: Readonly<Record<string, string>> = {
  'cluster.local': 'a name within the cluster',
  'home.arpa': 'a name within a network',
  internal: 'a name within a network',
  local: 'a name within a network',
  pod: 'a name within the cluster',
  svc: 'a name within the cluster',
};

/** Names of our own gateways. */
const GATEWAY_SUFFIXES = [
  INTERNAL_SUFFIX,
  SYSTEM_NAMESPACE,
  `${SYSTEM_NAMESPACE}.svc`,
  `${SYSTEM_NAMESPACE}.svc.cluster.local`,
];

/** What is known of a fleet about names of hosts. */
export interface KnownHosts {
  /** The host names of gateways and edges. */
  readonly gateways: ReadonlySet<string>;

  /** The namespaces of its resources. */
  readonly namespaces: ReadonlySet<string>;
}

/**
 * Returns what a host of a URL leads to. Undefined for hosts on the internet. `URL` reads every spelling of an address:
 * numbers in octal and hexadecimal, fewer than four numbers, full-width digits.
 *
 * @param hostname the `hostname` of a `URL`
 */
export function judgeHost(hostname: string, known: KnownHosts): HostVerdict | undefined {
  const host = normalizeHost(hostname);
  const forbidden = findForbidden(host, known);
  if (forbidden !== undefined) return { is: 'forbidden', what: forbidden };
  const address = parseHostAddress(host);
  if (!address) return judgeName(host, known);
  const within = findRange(address, PRIVATE_RANGES);
  return within === undefined ? undefined : { is: 'private', what: within };
}

/** Returns what a normalized host leads to if no resource of a model team may name it. */
function findForbidden(host: string, { gateways }: KnownHosts): string | undefined {
  const address = parseHostAddress(host);
  if (address) return findRange(address, FORBIDDEN_RANGES);
  const name = findSuffix(Object.keys(FORBIDDEN_NAMES), host);
  if (name !== undefined) return FORBIDDEN_NAMES[name];
  const isGateway = gateways.has(host) || findSuffix(GATEWAY_SUFFIXES, host) !== undefined;
  return isGateway ? 'a gateway of this fleet' : undefined;
}

function parseHostAddress(host: string): IpAddress | undefined {
  return parseIpAddress(host.replace(/^\[|\]$/g, ''));
}

function findRange(address: IpAddress, ranges: readonly AddressRange[]): string | undefined {
  const spellings = spellingsOf(address);
  return ranges.find(({ cidr }) => spellings.some((one) => isInRange(one, parseIpRange(cidr))))?.what;
}

/** Removes dots at the end, which DNS ignores, and reads the rest again: it may be another spelling of an address. */
function normalizeHost(hostname: string): string {
  let end = hostname.length;
  while (hostname[end - 1] === '.') end--;
  const host = hostname.slice(0, end).toLowerCase();
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : host;
}

function judgeName(host: string, { namespaces }: KnownHosts): HostVerdict | undefined {
  const [, last = '', ...more] = host.split('.');
  // A proxy resolves such a name in its own namespace first.
  if (last === '') return { is: 'forbidden', what: `a Service in ${SYSTEM_NAMESPACE}` };
  const isService = more.length === 0 && (namespaces.has(last) || holderOfNamespace(last) !== undefined);
  if (isService) return { is: 'private', what: 'a name within the cluster' };
  const within = findSuffix(Object.keys(PRIVATE_SUFFIXES), host);
  return within === undefined ? undefined : { is: 'private', what: PRIVATE_SUFFIXES[within] ?? '' };
}

function findSuffix(suffixes: readonly string[], host: string): string | undefined {
  return suffixes.find((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/**
 * Checks the hosts to which gateways send requests: of endpoints, and of the keys of tokens. A name may resolve to
 * another address later, so the NetworkPolicy of the egress denies the same addresses.
 */
export const checkEndpointHosts: FleetCheck = function* (fleet) {
  const known = knownHostsOf(fleet);
  for (const resource of fleet.endpoints) {
    const verdict = judgeHost(baseUrlOf(resource).hostname, known);
    if (!verdict || (verdict.is === 'private' && isPrivate(resource))) continue;
    yield describeHost(resource, ['spec', 'url'], verdict);
  }
  for (const resource of [...fleet.gateways, ...fleet.services]) {
    const uri = resource.spec.auth?.jwt?.jwksUri;
    const verdict = uri === undefined ? undefined : judgeHost(new URL(uri).hostname, known);
    if (verdict?.is === 'forbidden') yield describeHost(resource, ['spec', 'auth', 'jwt', 'jwksUri'], verdict);
  }
};

/**
 * Checks the hosts from which caches read. Private ones are allowed: stores of objects are often in the cluster or in
 * the network of the company, and the Job reaches no more than other pods of its namespace.
 */
export const checkCacheHosts: FleetCheck = function* (fleet) {
  const known = knownHostsOf(fleet);
  for (const resource of fleet.caches) {
    const { s3, http } = resource.spec;
    const addresses = { s3: ['endpoint', s3?.endpoint], http: ['url', http?.url] } as const;
    for (const [block, [field, url]] of Object.entries(addresses)) {
      const what = url === undefined ? undefined : findForbidden(normalizeHost(new URL(url).hostname), known);
      if (what === undefined) continue;
      const message = `the host is ${what}, which caches must not read from`;
      const hint = 'Use the host of the server that has the files';
      yield errorAt('refused-host', { resource, path: ['spec', block, field] }, message, hint);
    }
  }
};

/** The message does not quote the address: its path or its query can contain a key. */
function describeHost(resource: Resource, path: Path, { is, what }: HostVerdict): Diagnostic<ResourcePath> {
  if (is === 'private') {
    const hint = "Set 'private: true' to allow that";
    return errorAt('refused-host', { resource, path }, `the host is ${what}`, hint);
  }
  const hint =
    'Use the host of a server that serves the model. To reach deployments of the fleet, select them by labels';
  return errorAt('refused-host', { resource, path }, `the host is ${what}, which gateways must not connect to`, hint);
}

function knownHostsOf({ gateways, clusters, ...fleet }: Fleet): KnownHosts {
  const hosts = [...gateways.map(({ spec }) => spec.hostname), ...clusters.map(({ spec }) => spec.gateway.hostname)];
  const namespaced = [fleet.deployments, fleet.caches, fleet.services, fleet.endpoints].flat();
  return {
    gateways: new Set(hosts.flatMap((host) => (host === undefined ? [] : [host.toLowerCase()]))),
    namespaces: new Set(['default', ...namespaced.flatMap(({ metadata }) => metadata.namespace ?? [])]),
  };
}
