import { hash } from 'node:crypto';
import type { Metadata } from '../../api/resource';
import { Interner } from '../../base/interning';
import { trimTrailing } from '../../base/text';

/**
 * The names of all objects and files.
 *
 * A name is a readable part, truncated to fit, and a digest of the whole identity: kind of name, namespace and all
 * parts. So equal names in two namespaces differ, as do truncated names, and no name depends on a position or on the
 * cluster. A changed name replaces a running object: treat these names as an API.
 */

/** The file with the namespaces of a cluster. It is applied first: files are applied in the order of their names. */
export const NAMESPACES_FILE = '00-namespaces.yaml';

/** The file with the Gateways of a cluster. It sorts before files of deployments. Namespaces have no underscore. */
export const GATEWAYS_FILE = '02_gateways.yaml';

/** The file with the queues of a cluster. It sorts before all workloads. */
export const QUEUES_FILE = '01_queues.yaml';

/** The file with monitors, rules and dashboards of a cluster. It sorts before files of deployments, too. */
export const MONITORING_FILE = '03_monitoring.yaml';

/** The file with the presets of KServe in the namespaces of a cluster. It sorts before all workloads. */
export const PRESETS_FILE = '01_kserve-presets.yaml';

/** The file with the pods that keep nodes of pools in reserve. */
export const WARM_NODES_FILE = '04_warm-nodes.yaml';

/** The limit of a DNS-1035 label: letters, digits and `-`, starting with a letter. Services and LeaderWorkerSets require it. */
const LONGEST = 63;

/**
 * The controller of LeaderWorkerSets appends the group and the revision to the name in labels. With names of 50
 * characters or more, groups with two-digit indexes fail to start.
 */
const LONGEST_WORKLOAD = 49;

/** The controller of CronJobs appends a timestamp to the name, and the API server rejects longer names. */
const LONGEST_CRON_JOB = 52;

/** Below the limit of 255 bytes of file systems, with room for the suffix of a temporary file. */
const LONGEST_FILE = 200;

/**
 * The name of the Deployment or LeaderWorkerSet of an engine of a replica.
 *
 * @param longest the most characters, if another controller takes fewer than that of LeaderWorkerSets
 */
export function workloadNameOf(
  deployment: ResourceIdentity,
  index: number,
  engine: string,
  longest = LONGEST_WORKLOAD,
): string {
  return formatName('workload', deployment, [deployment.name, index, engine], { longest });
}

/** The name of the PodGroup of a gang of a replica. Its policy is immutable in Kubernetes 1.36, so the name includes the size. */
export function podGroupNameOf(deployment: ResourceIdentity, index: number, engine: string, size: number): string {
  return formatName('group', deployment, [deployment.name, index, engine, `x${size}`], { longest: LONGEST });
}

/**
 * The name of the LLMInferenceService of a replica. Size and role of gangs and the selectors of pods are immutable, so
 * they are part of the name.
 *
 * @param engine the engine, or `pair`
 * @param form the size of each gang
 * @param selectors what changes the selectors of its pods
 */
export function kserveNameOf(
  deployment: ResourceIdentity,
  index: number,
  engine: string,
  {
    form,
    selectors,
    longest,
  }: { readonly form: readonly string[]; readonly selectors: readonly string[]; readonly longest: number },
): string {
  return formatName('kserve', deployment, [deployment.name, index, engine, ...form], { hidden: selectors, longest });
}

/**
 * The name of the DynamoGraphDeployment of a replica. Its components, their sizes and their framework cannot change in
 * place, so they are part of its digest.
 */
export function graphNameOf(
  deployment: ResourceIdentity,
  index: number,
  { form, longest }: { readonly form: readonly string[]; readonly longest: number },
): string {
  return formatName('graph', deployment, [deployment.name, index], { hidden: form, longest });
}

/**
 * The name that the controllers of the alias group give to a replica: 57 characters of the name of its deployment, and
 * a digest of five digits.
 *
 * @example
 * modelplaneReplicaNameOf('my-model', 'cluster-a', 0); // 'my-model-5ab63'
 */
export function modelplaneReplicaNameOf(deployment: string, cluster: string, index: number): string {
  const digest = hash('sha256', [deployment, cluster, index].join('-'));
  return `${trimTrailing(deployment.slice(0, 57), '-')}-${digest.slice(0, 5)}`;
}

/**
 * The name of the Service of a deployment. Its digest has another length than that of a workload, so that it never
 * equals the name of a LeaderWorkerSet, under which the controller creates its own Service.
 */
export function serviceNameOf(deployment: ResourceIdentity): string {
  return formatName('service', deployment, [deployment.name], { digits: 6 });
}

/** The port of Services, independent of the port of the engine. */
export const SERVICE_PORT = 8000;

/** The name, in pods and Services, of the port on which pods serve requests. */
export const HTTP_PORT_NAME = 'http';

/** The name of the Service of one replica, for services that do not use all replicas of a deployment on a cluster. */
export function replicaServiceNameOf(deployment: ResourceIdentity, index: number): string {
  return formatName('replica-service', deployment, [deployment.name, index], { digits: 6 });
}

/** The name of the Gateway, the EnvoyProxy and the Service of an InferenceGateway. */
export function frontNameOf(gateway: string): string {
  return formatName('front', { namespace: SYSTEM_NAMESPACE }, ['front', gateway]);
}

/** Several such parts must fit into a host name of 253 characters, with which fronts address members. */
const LONGEST_HOST_PART = 34;

/** Converts a name to one label of a host name. A long name, or a name with dots, is truncated and gets a digest. */
export function hostLabelOf(name: string): string {
  if (name.length <= LONGEST_HOST_PART && !name.includes('.')) return name;
  const suffix = `-${hexDigestOf(name, 8)}`;
  const start = name.replaceAll('.', '-').slice(0, LONGEST_HOST_PART - suffix.length);
  return trimTrailing(start, '-') + suffix;
}

export function budgetNameOf(deployment: ResourceIdentity): string {
  return formatName('budget', deployment, [deployment.name]);
}

export function networkPolicyNameOf(deployment: ResourceIdentity, index: number): string {
  return formatName('network', deployment, [deployment.name, index]);
}

/** The name of the PodMonitor of an engine. */
export function podMonitorNameOf(deployment: ResourceIdentity, engine: string): string {
  return formatName('pod-monitor', deployment, [deployment.name, engine]);
}

/** The name of the PrometheusRule of a deployment. */
export function deploymentRulesNameOf(deployment: ResourceIdentity): string {
  return formatName('rules', deployment, [deployment.name]);
}

/** The name of the PrometheusRule of a service. */
export function serviceRulesNameOf(service: ResourceIdentity): string {
  return formatName('slo', service, [service.name, 'slo']);
}

/** The name of the ConfigMap of the dashboard of a deployment, or of the fleet. */
export function dashboardNameOf(deployment?: ResourceIdentity): string {
  return deployment === undefined
    ? 'fleetwright-fleet'
    : formatName('dashboard', deployment, ['dashboard', deployment.namespace ?? '', deployment.name]);
}

/** The names of the PodMonitors of gateways and endpoint pickers, and of the PrometheusRule of a cluster. */
export const GATEWAYS_MONITOR = 'gateways';
export const PICKERS_MONITOR = 'endpoint-pickers';
export const CLUSTER_RULES = 'fleetwright-cluster';

/** The name of the ResourceFlavor of a pool, which is in no namespace. Other teams name flavors after pools, too. */
export function flavorNameOf(pool: string): string {
  return `fleetwright-${pool}`;
}

/** The name of the Topology of levels, which is in no namespace. Its levels are immutable, so the name includes a digest. */
export function topologyNameOf(levels: readonly string[]): string {
  return `fleetwright-${hexDigestOf(JSON.stringify(levels), 8)}`;
}

/** The namespace of gateways and endpoint pickers on every cluster. */
export const SYSTEM_NAMESPACE = 'fleetwright-system';

/** The GatewayClass of all Gateways that Fleetwright renders. */
export const GATEWAY_CLASS = 'fleetwright';

/** The name of a member of a service at the front, which includes the cluster of the member. */
export function memberNameOf(service: ResourceIdentity, member: MemberIdentity, cluster: string): string {
  return memberRouteNameOf(service, { ...member, target: `${member.target}-${cluster}` });
}

/** The name, at the front, of several members of a service that form one backend of a rule. */
export function bundleNameOf(
  service: ResourceIdentity,
  { tier, identity }: { readonly tier: number; readonly identity: string },
): string {
  return formatName('bundle', service, [service.name, tier, 'bundle'], { hidden: [identity] });
}

/** The name of the route, and its policies, of a member of a service at the gateway in front of the member. */
export function memberRouteNameOf(service: ResourceIdentity, { tier, target, hostname }: MemberIdentity): string {
  // The host name distinguishes members of a service with the same tier and target.
  return formatName('member', service, [service.name, tier, target], { hidden: [hostname] });
}

/** The name of all objects of the endpoint picker of a member. Some are in other namespaces, so all parts count. */
export function pickerNameOf(service: ResourceIdentity, { tier, target, hostname }: MemberIdentity): string {
  const visible = [service.name, tier, target, 'picker'];
  // Its pods append a suffix to the name, and are identified by the result.
  return formatName('picker', service, visible, { hidden: [hostname], longest: LONGEST_WORKLOAD });
}

/** The names of the objects in front of a prefill/decode pair without routes: picker, proxy, and Service of the pods. */
export function pairNamesOf(deployment: ResourceIdentity): Readonly<Record<'picker' | 'proxy' | 'pods', string>> {
  const nameOf = (part: string): string =>
    formatName(`pair-${part}`, deployment, [deployment.name, part], { longest: LONGEST_WORKLOAD });
  return { picker: nameOf('picker'), proxy: nameOf('proxy'), pods: nameOf('pods') };
}

interface MemberIdentity {
  readonly tier: number;

  /** The name of the deployment or endpoint. */
  readonly target: string;
  readonly hostname: string;
}

/** The name of the route of a service at a front, and of its policies. */
export function routeNameOf(service: ResourceIdentity, gateway: string): string {
  return formatName('route', service, [service.name, gateway]);
}

/** The name of the route at a front for WebSocket requests, and of its policies. */
export function webSocketRouteNameOf(service: ResourceIdentity, gateway: string): string {
  return formatName('websocket', service, [service.name, gateway, 'websocket']);
}

/** The name of the route of a service for requests that the front answers itself. */
export function directResponseRouteNameOf(service: ResourceIdentity, gateway: string): string {
  return formatName('answers', service, [service.name, gateway, 'answers']);
}

/** The name of a filter of the rules of a service, or of a script that they share. */
export function filterNameOf(service: ResourceIdentity, purpose: string): string {
  return formatName('filter', service, [service.name, purpose]);
}

/** The name of the script that reads the model from requests to a service. */
export function scriptNameOf(service: ResourceIdentity): string {
  return filterNameOf(service, 'model');
}

/** The name of a filter or a script for a single member of a service. */
export function memberFilterNameOf(service: ResourceIdentity, member: MemberIdentity, purpose: string): string {
  return `${memberRouteNameOf(service, member)}-${purpose}`;
}

/** The name of the ReferenceGrant that lets routes of a service refer to objects in another namespace. */
export function grantNameOf(service: ResourceIdentity, namespace: string): string {
  return formatName('grant', service, [service.name, namespace]);
}

/** The name of the ResourceClaimTemplate of a member. Its spec is immutable, so the name includes a content digest. */
export function claimTemplateNameOf(
  deployment: ResourceIdentity,
  engine: string,
  role: string,
  content: string,
): string {
  const suffix = `-${CLAIM_DIGESTS.intern(content, () => hexDigestOf(content, 8))}`;
  return (
    formatName('claim', deployment, [deployment.name, engine, role], { longest: LONGEST - suffix.length }) + suffix
  );
}

/**
 * The name of the PersistentVolumeClaim of a cache on a cluster, in the namespace of the cache. The storage class of a
 * claim is immutable, so another class gives another name.
 */
export function cacheClaimNameOf(cache: ResourceIdentity, storageClass?: string): string {
  return formatName('cache', cache, [cache.name], { hidden: storageClass === undefined ? [] : [storageClass] });
}

/**
 * The name of the volume, the claim or the ConfigMap of a cache that is not staged. Its spec is immutable, so the name
 * includes a digest of the content. A PersistentVolume is in no namespace, which the digest of the name covers.
 */
export function cacheVolumeNameOf(cache: ResourceIdentity, content: string): string {
  const suffix = `-${hexDigestOf(content, 8)}`;
  return formatName('mount', cache, [cache.name, 'mount'], { longest: LONGEST - suffix.length }) + suffix;
}

/** The name of the Job that stages a cache. Its template is immutable, so the name includes a content digest. */
export function cacheJobNameOf(cache: ResourceIdentity, content: string): string {
  const suffix = `-${hexDigestOf(content, 8)}`;
  return formatName('stage', cache, [cache.name, 'stage'], { longest: LONGEST - suffix.length }) + suffix;
}

/** The name of the CronJob that deletes unused files of a cache. */
export function cacheSweepNameOf(cache: ResourceIdentity): string {
  return formatName('sweep', cache, [cache.name, 'sweep'], { longest: LONGEST_CRON_JOB });
}

/** The name of the ServiceAccount of the Job that stages a cache, where an identity is made for it. */
export function cacheAccountNameOf(cache: ResourceIdentity): string {
  return formatName('reader', cache, [cache.name, 'reader']);
}

/** The file with the objects of a deployment, relative to the folder of a cluster. Namespaces have no dots. */
export function deploymentFileNameOf({ namespace = '', name }: ResourceIdentity): string {
  return fileOf(`${namespace}.`, name);
}

/** The file with the objects of a cache. It sorts before files of deployments. Namespaces have no underscore. */
export function cacheFileNameOf({ namespace = '', name }: ResourceIdentity): string {
  return fileOf(`01_cache.${namespace}.`, name);
}

/** The file with the routes of a service. It sorts after the files of deployments in most namespaces. */
export function routesFileNameOf({ namespace = '', name }: ResourceIdentity): string {
  return fileOf(`zz_routes.${namespace}.`, name);
}

function fileOf(start: string, name: string): string {
  const end = '.yaml';
  return start + shortenName(name, LONGEST_FILE - start.length - end.length) + end;
}

/**
 * Shortens a name that is longer than `longest`: truncates it and appends a digest. The default is the limit of a label
 * value. Names have no underscore, so a shortened name never equals another name.
 */
export function shortenName(name: string, longest = LONGEST): string {
  if (name.length <= longest) return name;
  const suffix = `_${hexDigestOf(name, 8)}`;
  return name.slice(0, longest - suffix.length) + suffix;
}

type ResourceIdentity = Pick<Metadata, 'namespace' | 'name'>;

interface NameOptions {
  /** Parts of the identity that only the digest includes. */
  readonly hidden?: readonly string[];

  /** The maximum length of the name. */
  readonly longest?: number;

  /** The number of digits of the digest. */
  readonly digits?: number;
}

/** Formats the name of an object of a resource: the visible parts, truncated to fit, and a digest of all parts. */
function formatName(
  kind: string,
  { namespace = '' }: Pick<Metadata, 'namespace'>,
  visible: readonly (string | number)[],
  { hidden = [], longest = LONGEST, digits = 5 }: NameOptions = {},
): string {
  // Parts have no slashes, so different identities never join to the same text.
  const identity = [kind, namespace, ...visible, ...hidden].join('/');
  return NAMES.intern(`${visible.length} ${longest} ${digits} ${identity}`, () => {
    const suffix = `-${hexDigestOf(identity, digits)}`;
    const words = visible.join('-').toLowerCase().replaceAll('.', '-');
    const start = /^[a-z]/.test(words) ? words : `m-${words}`;
    return trimTrailing(start.slice(0, longest - suffix.length), '-') + suffix;
  });
}

/** Objects that refer to each other ask for the same names, and a digest takes longer than to remember some. */
const NAMES = new Interner<string>(10_000);
const CLAIM_DIGESTS = new Interner<string>(10_000);

function hexDigestOf(text: string, digits: number): string {
  return hash('sha256', text).slice(0, digits);
}
