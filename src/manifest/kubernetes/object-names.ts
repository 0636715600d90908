import { createHash } from 'node:crypto';
import type { Metadata } from '../../api/resource';

/**
 * The names of all objects and files.
 *
 * A name is a part for people, cut to fit, and a digest over the whole identity: kind of name, namespace and all
 * that follows. So names say what they are, equal names in two namespaces differ, cut ones too, and nothing
 * depends on a position or on the cluster. A name that changed would replace what runs: treat these as an API.
 */

/** The file with the namespaces of a cluster: applied first, because files are applied in the order of their names. */
export const NAMESPACES_FILE = '00-namespaces.yaml';

/** The file with the Gateways of a cluster. Sorts before those of deployments, and no namespace has an underscore. */
export const GATEWAYS_FILE = '02_gateways.yaml';

/** A DNS-1035 label has letters, digits and `-`, a letter first. Services and LeaderWorkerSets need one; so do all. */
const LONGEST = 63;

/**
 * The controller of LeaderWorkerSets appends group and revision to the name in labels. From 50 characters on,
 * groups of two digits do not start.
 */
const LONGEST_WORKLOAD = 49;

/** The controller of CronJobs appends a time to the name, and the API server refuses longer ones. */
const LONGEST_CRON_JOB = 52;

/** Below the 255 bytes that file systems take, with room for the suffix of a temporary file. */
const LONGEST_FILE = 200;

/** The Deployment or LeaderWorkerSet of an engine of a replica. */
export function workloadNameOf(deployment: ResourceIdentity, index: number, engine: string): string {
  const name = { visible: [deployment.name, index, engine], kind: 'workload', longest: LONGEST_WORKLOAD };
  return formatName(deployment, name);
}

/**
 * The Service of a deployment. Its digest has another length than a workload's: the controller of LeaderWorkerSets
 * keeps a Service of its own under the name of the set, which this must never be.
 */
export function serviceNameOf(deployment: ResourceIdentity): string {
  return formatName(deployment, { visible: [deployment.name], kind: 'service', longest: LONGEST, digits: 6 });
}

/** The port of the Service, whatever the engine behind it listens on. */
export const SERVICE_PORT = 8000;

/** The name of the port on which pods answer requests, in pods and Services. */
export const HTTP_PORT_NAME = 'http';

/** The Service of one replica, where a service does not mean all replicas of the deployment on a cluster. */
export function replicaServiceNameOf(deployment: ResourceIdentity, index: number): string {
  const visible = [deployment.name, index];
  return formatName(deployment, { visible, kind: 'replica-service', longest: LONGEST, digits: 6 });
}

/** The Gateway, EnvoyProxy and Service of an InferenceGateway. */
export function frontNameOf(gateway: string): string {
  const identity = { namespace: SYSTEM_NAMESPACE, name: gateway };
  return formatName(identity, { visible: ['front', gateway], kind: 'front', longest: LONGEST });
}

/** Some parts of the host names by which fronts ask for what serves have to fit into 253 characters. */
const LONGEST_HOST_PART = 34;

/** A name as one part of a host name: as it is, or cut and with a digest where it is long or has dots. */
export function hostLabelOf(name: string): string {
  if (name.length <= LONGEST_HOST_PART && !name.includes('.')) return name;
  const suffix = `-${hexDigestOf(name, 8)}`;
  const start = name.replaceAll('.', '-').slice(0, LONGEST_HOST_PART - suffix.length);
  return start.replace(/-+$/, '') + suffix;
}

/** The PodDisruptionBudget of a deployment. */
export function budgetNameOf(deployment: ResourceIdentity): string {
  return formatName(deployment, { visible: [deployment.name], kind: 'budget', longest: LONGEST });
}

/** The NetworkPolicy of a replica. */
export function networkPolicyNameOf(deployment: ResourceIdentity, index: number): string {
  return formatName(deployment, { visible: [deployment.name, index], kind: 'network', longest: LONGEST });
}

/** The namespace of what we run on every cluster besides deployments: gateways and endpoint pickers. */
export const SYSTEM_NAMESPACE = 'fleetwright-system';

/** The GatewayClass of all our Gateways. */
export const GATEWAY_CLASS = 'fleetwright';

/** A member of a service, as the front knows it. It says which cluster the member is on. */
export function memberNameOf(service: ResourceIdentity, member: MemberIdentity, cluster: string): string {
  return memberRouteNameOf(service, { ...member, target: `${member.target}-${cluster}` });
}

/** Members of a service that are one backend of a rule together, as the front knows them. */
export function bundleNameOf(
  service: ResourceIdentity,
  { tier, identity }: { readonly tier: number; readonly identity: string },
): string {
  const visible = [service.name, tier, 'bundle'];
  return formatName(service, { visible, hidden: [identity], kind: 'bundle', longest: LONGEST });
}

/** A member of a service at the gateway that it is behind: its route, and its policies. */
export function memberRouteNameOf(
  service: ResourceIdentity,
  { tier, target, hostname }: MemberIdentity,
): string {
  return formatName(service, {
    visible: [service.name, tier, target],
    // The rest of what tells it from others of its service.
    hidden: [hostname],
    kind: 'member',
    longest: LONGEST,
  });
}

/** All objects of the endpoint picker of a member. Those in namespaces of others too, so they are told apart by all. */
export function pickerNameOf(service: ResourceIdentity, { tier, target, hostname }: MemberIdentity): string {
  return formatName(service, {
    visible: [service.name, tier, target, 'picker'],
    hidden: [hostname],
    kind: 'picker',
    // Its pods have some more characters, and are known by theirs.
    longest: LONGEST_WORKLOAD,
  });
}

/** What tells a member of a service from others. */
interface MemberIdentity {
  readonly tier: number;

  /** The deployment or endpoint. */
  readonly target: string;
  readonly hostname: string;
}

/** The route of a service at a front, and its policies. */
export function routeNameOf(service: ResourceIdentity, gateway: string): string {
  return formatName(service, { visible: [service.name, gateway], kind: 'route', longest: LONGEST });
}

/** The route at a front of requests that become WebSockets, and its policies. */
export function webSocketRouteNameOf(service: ResourceIdentity, gateway: string): string {
  const visible = [service.name, gateway, 'websocket'];
  return formatName(service, { visible, kind: 'websocket', longest: LONGEST });
}

/** The route of what a front answers itself, for a service. */
export function directResponseRouteNameOf(service: ResourceIdentity, gateway: string): string {
  return formatName(service, {
    visible: [service.name, gateway, 'answers'],
    kind: 'answers',
    longest: LONGEST,
  });
}

/** A filter of the rules of a service, or a script that they share. */
export function filterNameOf(service: ResourceIdentity, purpose: string): string {
  return formatName(service, { visible: [service.name, purpose], kind: 'filter', longest: LONGEST });
}

/** The script that reads the model of requests of a service. */
export function scriptNameOf(service: ResourceIdentity): string {
  return filterNameOf(service, 'model');
}

/** A filter or script for one member of a service alone. */
export function memberFilterNameOf(
  service: ResourceIdentity,
  member: MemberIdentity,
  purpose: string,
): string {
  return `${memberRouteNameOf(service, member)}-${purpose}`;
}

/** What lets the routes of a service refer to objects of another namespace. */
export function grantNameOf(service: ResourceIdentity, namespace: string): string {
  return formatName(service, { visible: [service.name, namespace], kind: 'grant', longest: LONGEST });
}

/** The ResourceClaimTemplate of a member. Its spec is immutable, so another content needs another name. */
export function claimTemplateNameOf(
  deployment: ResourceIdentity,
  engine: string,
  role: string,
  content: string,
): string {
  const suffix = `-${hexDigestOf(content, 8)}`;
  const visible = [deployment.name, engine, role];
  return formatName(deployment, { visible, kind: 'claim', longest: LONGEST - suffix.length }) + suffix;
}

/**
 * The PersistentVolumeClaim that holds a cache on a cluster, in the namespace of the cache. The class of a claim is
 * immutable, so another class is another claim.
 */
export function cacheClaimNameOf(cache: ResourceIdentity, storageClass?: string): string {
  return formatName(cache, {
    visible: [cache.name],
    hidden: storageClass === undefined ? [] : [storageClass],
    kind: 'cache',
    longest: LONGEST,
  });
}

/** The Job that stages a cache. Its template is immutable, so another content needs another name. */
export function cacheJobNameOf(cache: ResourceIdentity, content: string): string {
  const suffix = `-${hexDigestOf(content, 8)}`;
  const visible = [cache.name, 'stage'];
  return formatName(cache, { visible, kind: 'stage', longest: LONGEST - suffix.length }) + suffix;
}

/** The CronJob that drops files of a cache that nobody needs. */
export function cacheSweepNameOf(cache: ResourceIdentity): string {
  return formatName(cache, { visible: [cache.name, 'sweep'], kind: 'sweep', longest: LONGEST_CRON_JOB });
}

/** The file with the objects of a deployment, relative to the folder of a cluster. A namespace has no dot. */
export function deploymentFileNameOf({ namespace = '', name }: ResourceIdentity): string {
  return fileOf(`${namespace}.`, name);
}

/** The file with the objects of a cache. Sorts before those of deployments, and no namespace has an underscore. */
export function cacheFileNameOf({ namespace = '', name }: ResourceIdentity): string {
  return fileOf(`01_cache.${namespace}.`, name);
}

/** The file with the routes of a service. Sorts behind those of deployments of most namespaces. */
export function routesFileNameOf({ namespace = '', name }: ResourceIdentity): string {
  return fileOf(`zz_routes.${namespace}.`, name);
}

function fileOf(start: string, name: string): string {
  const end = '.yaml';
  return start + shortenName(name, LONGEST_FILE - start.length - end.length) + end;
}

/**
 * A name, or its beginning with a digest where it is longer than `longest`: a label value by default. Names have
 * no underscore, so the two never look alike.
 */
export function shortenName(name: string, longest = LONGEST): string {
  if (name.length <= longest) return name;
  const suffix = `_${hexDigestOf(name, 8)}`;
  return name.slice(0, longest - suffix.length) + suffix;
}

/** What identifies a namespaced resource of ours. */
export type ResourceIdentity = Pick<Metadata, 'namespace' | 'name'>;

/** What a name is made of. */
export interface NameParts {
  readonly kind: string;
  readonly visible: readonly (string | number)[];

  /** Of the identity, and not shown. */
  readonly hidden?: readonly string[];
  readonly longest: number;

  /** Of the digest. Default: 5. */
  readonly digits?: number;
}

/** The name of an object that belongs to a resource: the parts for people, cut to fit, and a digest over all. */
export function formatName(
  { namespace = '' }: ResourceIdentity,
  { kind, visible, hidden = [], longest, digits = 5 }: NameParts,
): string {
  // No part has a slash, so different identities never join to the same text.
  const suffix = `-${hexDigestOf([kind, namespace, ...visible, ...hidden].join('/'), digits)}`;
  const words = visible.join('-').toLowerCase().replaceAll('.', '-');
  const start = /^[a-z]/.test(words) ? words : `m-${words}`;
  return start.slice(0, longest - suffix.length).replace(/-+$/, '') + suffix;
}

/** Hexadecimal digits of the SHA-256 of a text. */
export function hexDigestOf(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
