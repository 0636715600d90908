import { IMAGE_VOLUMES_SINCE } from '../api/cluster-storage';
import { CLAIM_FEATURES } from '../api/kubernetes-features';
import type { MissingForScaling } from '../api/load-metrics';
import { isByteName } from '../api/schema/quantity-faults';
import { formatCount } from '../base/figures';
import { joinNames, pluralize } from '../base/text';
import type { ResourceName } from '../scheduler/compile/resource-requests';
import { isHelpedByPacking, type PackedRoom } from '../scheduler/packed-room';
import type {
  BackendMisfit,
  FurtherReason,
  Misfit,
  MissingStorage,
  Reason,
  Rejection,
  SpreadLimit,
} from '../scheduler/reason';
import type { DowntimeReason, EvictionReason } from '../scheduler/schedule-result';
import { describeUntolerated } from './drains';

/** A formatter for each member of a union, by the field that distinguishes the members. */
type Formatters<U, Field extends keyof U> = {
  readonly [Value in U[Field] & string]: (value: Extract<U, Readonly<Record<Field, Value>>>) => string;
};

/** Creates a function that formats any member of a union. */
export function formatByField<U, Field extends keyof U>(
  field: Field,
  formatters: Formatters<U, Field>,
): (value: U) => string {
  return (value) => (formatters[value[field] as U[Field] & string] as (value: U) => string)(value);
}

type ReasonOf<F extends Reason['filter']> = Extract<Reason, { filter: F }>;

const CACHE_NEEDS: Readonly<Record<MissingStorage, string>> = {
  storage: 'a shared file system, which this cluster does not declare',
  BlockDevice: 'disks, and this cluster declares no storage class for disks',
  BlockSnapshots: 'a disk that several nodes can read, which this cluster does not declare',
  S3Mounts: 'the driver s3.csi.aws.com, which this cluster does not declare',
  GCSMounts: 'the driver gcsfuse.csi.storage.gke.io, which this cluster does not declare',
  ImageVolumes: `Kubernetes 1.${IMAGE_VOLUMES_SINCE}, which mounts images by default: this cluster has an earlier version`,
};

/** What engines that scale need, and the cluster does not declare. */
const SCALING_LACKS: Readonly<Record<MissingForScaling, (reason: ReasonOf<'monitoring'>) => string>> = {
  metrics: ({ engine, min }) =>
    `${min === undefined ? 'scaling' : `copies.min ${min}`} of engine ${engine} needs load metrics of Prometheus${min === undefined ? '' : ', unlike min 0'}, and the cluster does not declare spec.monitoring`,
  series: ({ engine }) =>
    `'monitoring.rules: false' of the cluster leaves out the series that engine ${engine} scales by`,
  kedaHttpAddOn: ({ engine }) =>
    `copies.min 0 of engine ${engine} needs what holds requests until the first copy serves, and the cluster does not declare spec.servingStack.kedaHttpAddOn`,
};

const formatReasonKind = formatByField<Reason, 'filter'>('filter', {
  selector: ({ requirement, actual }) =>
    actual === undefined
      ? `${requirement} is not met: the cluster does not have the label`
      : `${requirement} is not met: it is '${actual}'`,
  cache: (reason) => formatCacheMisfit(reason),
  taint: ({ taint }) => describeUntolerated(taint),
  backend: (reason) => formatBackendMisfit(reason),
  monitoring: (reason) => SCALING_LACKS[reason.lacks](reason),
  paused: () => 'the cluster is paused',
  pools: () => 'the cluster declares no pool',
  spread: (reason) => SPREAD_LIMITS[reason.limit](reason),
  devices: (reason) => formatMisfit(reason),
  capacity: (reason) => formatCapacity(reason),
  quota: ({ queue, resource, quota, others, inUse, wanted }) =>
    `queue '${queue}' has quota for ${formatCount(quota)} of ${resource}: others use ${formatCount(others)} and replicas ${formatCount(inUse)}, and this replica needs ${formatCount(wanted)}. Raise the quota, and record the snapshot again`,
  together: ({ engines }) => `engines ${engines.join(', ')} fit one by one, but not together`,
});

function formatCacheMisfit({ cache, ...misfit }: ReasonOf<'cache'>): string {
  if (misfit.lacks === 'selector') return `cache ${cache} excludes this cluster with its clusterSelector`;
  if (misfit.lacks !== 'internet') return `cache ${cache} needs ${CACHE_NEEDS[misfit.lacks]}`;
  return `cache ${cache} reads from ${misfit.host}, and this cluster uses a mirror instead of the internet`;
}

/** Formats why a cluster or pool cannot take a replica, and of a pool that is short, what is in use and free. */
export function formatRejectionReason(rejection: Pick<Rejection, 'reason' | 'also'>): string {
  return formatObstacles(rejection, formatReason);
}

/** What packing the pods of a pool would change, behind the reason against it. Empty where it would change nothing. */
export function formatPackingHint(rejection: Rejection, packed: readonly PackedRoom[] = []): string {
  const { count, atLeast } = packed.find(({ pool }) => pool === rejection.pool) ?? {};
  if (count === undefined || !isHelpedByPacking(rejection)) return '';
  return `. With packing: BinPack, ${atLeast ? 'at least ' : ''}${formatCount(count)} more ${count === 1 ? 'fits' : 'fit'}`;
}

/** Formats why a cluster or pool cannot take a replica, without what it is used for: equal for similar pools. */
export function formatRejectionKind(rejection: Pick<Rejection, 'reason' | 'also'>): string {
  return formatObstacles(rejection, formatReasonKind);
}

function formatReason(reason: Reason): string {
  if (reason.filter !== 'capacity') return formatReasonKind(reason);
  return `${formatCapacity(reason, formatFull(reason))}${formatDeviceUse(reason)}`;
}

/** `pool h100: `, before a reason against a pool. Empty before one against its cluster. */
export function formatPoolPrefix(pool: string | undefined): string {
  return pool === undefined ? '' : `pool ${pool}: `;
}

/** `both obstacles have to go: (1) ...; (2) pool h100: needs 8 gpu on one node; ...`. A single reason is left as it is. */
function formatObstacles(
  { reason, also = [] }: Pick<Rejection, 'reason' | 'also'>,
  format: (reason: Reason) => string,
): string {
  if (also.length === 0) return format(reason);
  const obstacles: readonly FurtherReason[] = [{ reason }, ...also];
  const items = obstacles.map((one, i) => {
    return `(${i + 1}) ${formatPoolPrefix(one.pool)}${format(one.reason)}${formatSolutions(one)}`;
  });
  return `${also.length === 1 ? 'both' : `all ${items.length}`} obstacles have to go: ${items.join('; ')}`;
}

/** `, so 1 more node, or packing: BinPack`. Empty where neither is enough. */
function formatSolutions({ nodes, packing }: FurtherReason): string {
  const more = nodes === undefined ? [] : [pluralize(nodes, 'more node')];
  const solutions = packing ? [...more, 'packing: BinPack'] : more;
  return solutions.length === 0 ? '' : `, so ${solutions.join(', or ')}`;
}

/** `, 8 of them by its own old replica`. Empty where a replica with earlier engines takes none. */
function formatOwnUse({ own, inUse }: ReasonOf<'capacity'>): string {
  if (own === undefined) return '';
  return own === inUse ? ', by its own old replica' : `, ${formatCount(own)} of them by its own old replica`;
}

/** Formats what is in use, what is free, and why the free devices do not help. */
function formatDeviceUse(reason: ReasonOf<'capacity'>): string {
  const { inUse, free, perPod, resources = [], pods, packs, nodes, closed, endangers } = reason;
  if (nodes === 0 || closed || isFull(reason) || isTooSmall(reason)) return '';
  const running = inUse - reservedOf(reason);
  const use = `; ${formatCount(running)} of ${pluralize(inUse + free, 'device')} ${formatUse(reason)}${formatOwnUse(reason)}`;
  const wanted = Object.values(perPod).reduce((sum, count) => sum + count, 0);
  if (resources.length > 0 || free < wanted * pods) return use;
  if (!packs) return `${use}; ${formatCount(free)} ${free === 1 ? 'is' : 'are'} free, but no node has enough of them`;
  const choice = endangers
    ? `with this pod, the cluster may have no node with ${formatDevices(endangers.perPod)} left for a pod of ${endangers.deployment}`
    : 'the cluster chooses the nodes of pods, and may leave too few on every node';
  return `${use}; ${formatCount(free)} ${free === 1 ? 'is' : 'are'} free, but ${choice}`;
}

/** Devices that run pods, of those that are not free: `are in use and 8 reserved for rollouts`. */
function formatUse(reason: ReasonOf<'capacity'>): string {
  const reserved = reservedOf(reason);
  const are = reason.inUse - reserved === 1 ? 'is' : 'are';
  return `${are} in use${reserved > 0 ? ` and ${formatCount(reserved)} reserved for rollouts` : ''}`;
}

/** The idle devices that are reserved for rollouts. None where it matters more that its old replica takes devices. */
function reservedOf({ own, reserved = 0 }: ReasonOf<'capacity'>): number {
  return own === undefined ? reserved : 0;
}

/** @param full that a pool is full. Default: without the number of its devices and who takes them */
function formatCapacity(reason: ReasonOf<'capacity'>, full = formatFullKind(reason)): string {
  const { engine, layout, several, pods, surge, perPod, resources = [], room, nodes, lost, closed } = reason;
  const amounts = resources.map(({ resource, perPod }) => `${formatResourceAmount(resource, perPod)} of ${resource}`);
  const pod = [formatDevices(perPod), ...amounts].join(' + ');
  if (closed)
    return 'takes no new replicas: the devices that some of its replicas use are unknown, because their declaration is missing in the lock file and in git. Restore the earlier declarations, commit them with the lock file, and change them again';
  const nodeCount = pluralize(nodes, 'node');
  const asking = layout === undefined ? (several ? ` (engine ${engine})` : '') : ` (spec.model: ${layout})`;
  const reserve = surge > 0 ? `, ${surge} of them reserved for rollouts` : '';
  const demand = `${pods === 1 ? `${pod} on one node` : `${pods} pods of ${pod}`}${asking}${reserve}`;
  const causes = [
    ...resources.map(({ resource }) => `not enough ${resource} is free`),
    ...(lost ? [`a snapshot shows ${pluralize(lost, 'more node')} as unavailable`] : []),
  ];
  // More than the nodes have, whoever uses them.
  if (isTooSmall(reason))
    return `needs ${demand}; its ${nodeCount} ${nodes === 1 ? 'has' : 'have'} ${pluralize(reason.free, 'device')}`;
  const guaranteed = pods === 1 ? `${room} of ${nodeCount} can guarantee it` : `its ${nodeCount} can guarantee ${room}`;
  const has = nodes === 0 ? 'the pool has no nodes' : isFull(reason) ? full : guaranteed;
  return [`needs ${demand}`, has, ...causes].join('; ');
}

/** `all its 16 devices are in use`, `of its 16 devices 8 are in use and 8 reserved for rollouts`. */
function formatFull(reason: ReasonOf<'capacity'>): string {
  const { inUse } = reason;
  const reserved = reservedOf(reason);
  if (reserved > 0) return `of its ${formatCount(inUse)} devices ${formatCount(inUse - reserved)} ${formatUse(reason)}`;
  const all = inUse === 1 ? 'its only device is in use' : `all its ${formatCount(inUse)} devices are in use`;
  return all + formatOwnUse(reason);
}

function formatFullKind({ inUse, reserved = 0 }: ReasonOf<'capacity'>): string {
  if (inUse === 1) return 'its only device is in use';
  return `all its devices are in use${reserved > 0 ? ' or reserved for rollouts' : ''}`;
}

/** Whether a pool that nothing uses has fewer devices than several pods need. */
function isTooSmall({ free, inUse, pods, perPod, surge, lost, resources = [] }: ReasonOf<'capacity'>): boolean {
  const perReplica = Object.values(perPod).reduce((sum, count) => sum + count, 0) * pods;
  return inUse === 0 && free > 0 && free < perReplica && pods > 1 && surge === 0 && !lost && resources.length === 0;
}

/** Whether replicas use all devices of a pool. */
function isFull({ free, inUse, nodes, resources = [] }: ReasonOf<'capacity'>): boolean {
  return nodes > 0 && inUse > 0 && free === 0 && resources.length === 0;
}

const SPREAD_LIMITS: Readonly<Record<SpreadLimit, (reason: ReasonOf<'spread'>) => string>> = {
  maxPerCluster: ({ most = 0 }) => `at most ${pluralize(most, 'replica')} may be on one cluster (maxPerCluster)`,
  maxPerDomain: ({ domain, most = 0 }) => `at most ${pluralize(most, 'replica')} may be in ${domain} (maxPerDomain)`,
  minDomains: ({ domain, most, used = 1 }) =>
    `${pluralize(used, 'replica')} ${used === 1 ? 'is' : 'are'} in ${domain}, and the others must be in other domains (minDomains: ${most})`,
  'no-domain': ({ domain }) => `the cluster does not have the label ${domain} of spreadBy`,
};

const formatBackendMisfit = formatByField<BackendMisfit, 'misfit'>('misfit', {
  'other-type': ({ engine, wanted, has }) => `engine ${engine} requires ${wanted}, and the cluster runs ${has}`,
  inexpressible: ({ what }) => what,
  'old-version': ({ type, what, needs, has, instead }) =>
    `${what} needs ${type} ${needs}, and the cluster runs ${has}${instead === undefined ? '' : `; ${instead} works with it`}`,
  'shared-namespace': ({ type, namespace }) =>
    `namespace ${namespace} has services of other teams, and the presets of ${type} that an engine of one pod needs would apply to these too: use another namespace, or a gang`,
});

const formatMisfit = formatByField<Misfit, 'misfit'>('misfit', {
  'no-match': ({ request, device, mismatch, ...at }) =>
    `${request}: ${mismatch?.sentence ?? `device ${device} does not match`}   (${nameSelector(at)})`,
  'selector-error': ({ request, device, message, ...at }) =>
    `${request}: the selector fails on device ${device}: ${message}   (${nameSelector(at)})`,
  'too-few': ({ request, wanted, has }) =>
    `${request}: needs ${pluralize(wanted, 'device')} on a node, ${formatCount(has)} ${has === 1 ? 'matches' : 'match'}`,
  'too-small': ({ request, device, capacity, wanted, has }) =>
    has === undefined
      ? `${request}: device ${device} does not have the capacity ${capacity}`
      : `${request}: needs ${formatAmount(capacity, wanted)} of ${capacity}, device ${device} has ${formatAmount(capacity, has)}`,
  'same-device': ({ request, wanted, device }) =>
    `${request}: pods share device ${device}, so ${wanted} of it may be parts of the same device; use ${wanted} requests of one device each with a distinctAttribute`,
  'too-large': ({ resource, wanted, has }) =>
    `requests ${formatResourceAmount(resource, wanted)} of ${resource}, a node has ${formatResourceAmount(resource, has)}`,
  'part-of-node': ({ requests, wanted, devices }) =>
    `${requests.join(', ')}: needs ${wanted} of the ${devices} devices of a node, and their driver allocates all of them or none. Request ${devices}, or use 'allocationMode: All'`,
  conflict: ({ requests, attributes }) =>
    attributes
      ? `requests ${requests.join(', ')} do not match together with the constraints on ${attributes.join(', ')}`
      : `requests ${requests.join(', ')} match one by one, but not together`,
  lacks: ({ feature, dra }) =>
    dra
      ? `${CLAIM_FEATURES[feature].name} needs Kubernetes 1.${CLAIM_FEATURES[feature].since} or later`
      : `${CLAIM_FEATURES[feature].name} needs DRA, which the cluster does not use`,
  uncounted: ({ feature, scheduler }) =>
    `queues of ${scheduler} do not count ${CLAIM_FEATURES[feature].name}, so its pods would never start`,
  'any-device': ({ request, resource, device }) =>
    `${request}: ${resource} also includes device ${device}, which does not match, and a device plugin cannot select devices`,
  memory: ({ what, hint }) => `${what}. ${hint}`,
  'other-class': ({ class: name }) => `its class '${name}' has no layout of the model`,
  'other-slice-size': ({ pods, hosts }) =>
    `the pool is one TPU slice of ${pluralize(hosts, 'node')}, and a gang needs a pod on each; the engine has ${pods}`,
  'claims-nothing': () => 'only synthetic devices match, so no pod would claim a device',
  'claims-elsewhere': ({ role, pool }) => `the ${role} member would claim no device here, but would in pool ${pool}`,
});

/** Names a selector by its place in the declaration, where `where` comes before the list of selectors. */
export function nameSelector({
  selector,
  where = false,
}: {
  readonly selector: number;
  readonly where?: boolean;
}): string {
  if (where && selector === 0) return 'where';
  return `selector ${where ? selector : selector + 1}`;
}

const SHAPE_CHANGED = 'its engines changed';

const DOWNTIME_REASONS: Readonly<Record<DowntimeReason, string>> = {
  unknown: 'their earlier declaration is unknown',
  'no-room': 'there is no room to run the old and the new engines side by side',
};

/** Formats why a previous placement does not stay, as one clause. */
export const formatEvictionReason = formatByField<EvictionReason, 'kind'>('kind', {
  'deployment-gone': () => 'the deployment is removed',
  'cluster-gone': ({ lost }) =>
    lost ? 'the cluster fails' : 'the cluster is removed; draining it first avoids downtime',
  'pool-gone': ({ pool }) => `pool ${pool} is removed`,
  shape: formatShapeChange,
  'scaled-down': () => 'the deployment has fewer replicas',
  backend: ({ from, to, downtime }) =>
    `the cluster changes from ${from} to ${to}${downtime ? `, and ${DOWNTIME_REASONS[downtime]}` : ''}`,
  'makes-room': ({ for: others }) => `it makes room for ${joinNames(others)}`,
  rejected: ({ rejection }) => formatRejection(rejection),
});

function formatShapeChange({ downtime, misfit }: Extract<EvictionReason, { readonly kind: 'shape' }>): string {
  const parts = [
    ...(downtime ? [DOWNTIME_REASONS[downtime]] : []),
    ...(misfit ? [`the new ones do not fit on ${formatRejection(misfit)}`] : []),
  ];
  return [SHAPE_CHANGED, ...parts].join(', and ');
}

function formatRejection({ pool, reason }: Rejection): string {
  const isUsed = reason.filter === 'capacity' && reason.inUse > 0;
  return `${formatPoolPrefix(pool)}${isUsed ? formatReason(reason) : formatReasonKind(reason)}`;
}

function formatDevices(perPod: Readonly<Record<string, number>>): string {
  return Object.entries(perPod)
    .map(([request, count]) => `${count} ${request}`)
    .join(' + ');
}

/** Formats an amount of a capacity: bytes in Mi, others as they are. */
function formatAmount(capacity: string, amount: number): string {
  return isByteName(capacity) ? formatResourceAmount('memory', amount) : String(amount);
}

/** Formats an amount of a resource: CPUs from thousandths, or memory in Gi from bytes. */
function formatResourceAmount(resource: ResourceName, amount: number): string {
  return resource === 'cpu' ? String(amount / 1000) : `${Number((amount / 2 ** 30).toFixed(1))}Gi`;
}
