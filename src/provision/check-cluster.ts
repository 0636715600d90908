import { SOURCE_BLOCK } from '../api/cloud-providers';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt, relocate } from '../base/diagnostic';
import { addressCountOf, alignRange, formatIpRange, hasOverlap, isIpv4Range, parseIpRange } from '../base/ip-range';
import { checkLustre } from './aks/lustre';
import { AKS_CIDR, AKS_POD_CIDR, AKS_SERVICE_CIDR } from './aks/network';
import { EKS_CIDR, MIN_ZONES } from './eks/network';
import { GKE_CIDR, gkeRangesOf } from './gke/network';
import {
  checkZoneName,
  findMeantRegion,
  isZoneOfRegion,
  type ManagedCloud,
  regionOf,
  regionPathOf,
} from './managed-cloud';

const RESERVED_RANGES: readonly (readonly [range: string, reason: string])[] = [
  ['0.0.0.0/8', 'which is not the address of a host'],
  ['127.0.0.0/8', 'which is the loopback range'],
  ['169.254.0.0/16', 'which is link-local'],
  ['172.17.0.0/16', 'which container runtimes use'],
  ['224.0.0.0/3', 'which is multicast or reserved'],
];

/** Further ranges that cannot be in the network of a cluster, by cloud (AKS documentation, "Azure CNI Overlay"). */
const RANGES_OF_CLOUD: Readonly<Partial<Record<ManagedCloud, typeof RESERVED_RANGES>>> = {
  AKS: [
    [AKS_POD_CIDR, 'which the pods use'],
    [AKS_SERVICE_CIDR, 'which the services use'],
    ['172.30.0.0/15', 'which AKS reserves'],
    ['192.0.2.0/24', 'which AKS reserves'],
  ],
};

/** Each node on GKE and AKS uses a /24 range for its pods. */
const ADDRESSES_PER_NODE = 256;

const SYSTEM_NODES = 6;

/**
 * The allowed prefix lengths. EKS accepts no larger VPC, and a smaller one leaves subnets without addresses. The subnet
 * of a /20 network on AKS has addresses for more nodes than the range of pods.
 */
const PREFIX_LIMITS: Readonly<Record<ManagedCloud, { least: number; most: number; example: string }>> = {
  GKE: { least: 8, most: 20, example: GKE_CIDR },
  EKS: { least: 16, most: 20, example: EKS_CIDR },
  AKS: { least: 8, most: 20, example: AKS_CIDR },
};

/** A check of a cluster without its pools. Paths are relative to the spec. */
type ClusterRule = (cluster: InferenceCluster, cloud: ManagedCloud) => Iterable<Diagnostic<Path>>;

const checkRange: ClusterRule = function* ({ spec }, cloud) {
  const text = spec.network.cidr;
  // Another check reports a text that is no range.
  if (text === undefined || !isIpv4Range(text)) return;
  const range = parseIpRange(text);
  const { least, most, example } = PREFIX_LIMITS[cloud];
  const whole = formatIpRange(alignRange(range));
  if (whole !== text) yield badRange(`'${text}' is not the start of a range`, `Write '${whole}'`);
  if (range.prefix < least || range.prefix > most) {
    const what = `the prefix length ${range.prefix} is not between ${least} and ${most}, which ${cloud} requires`;
    yield badRange(what, `Use a range like '${example}'`);
  }
  for (const [taken, why] of [...RESERVED_RANGES, ...(RANGES_OF_CLOUD[cloud] ?? [])]) {
    if (!hasOverlap(alignRange(range), parseIpRange(taken))) continue;
    yield badRange(`'${text}' overlaps ${taken}, ${why}`, `Use a range like '${example}'`);
  }
};

function badRange(what: string, hint: string): Diagnostic<Path> {
  return errorAt('bad-cidr', ['network', 'cidr'], what, hint);
}

/** The most nodes of all pools of a cluster. */
function nodesOf({ spec }: InferenceCluster): number {
  return spec.nodePools.reduce((sum, pool) => sum + (pool.maxNodeCount ?? pool.nodeCount), 0);
}

const checkPodAddresses: ClusterRule = function* (cluster, cloud) {
  const { cidr = GKE_CIDR } = cluster.spec.network;
  if (cloud !== 'GKE' || !isIpv4Range(cidr)) return;
  const nodes = nodesOf(cluster);
  const room = Math.floor(addressCountOf(gkeRangesOf(cluster).pods) / ADDRESSES_PER_NODE);
  if (nodes + SYSTEM_NODES <= room) return;
  const what = `the range has addresses for the pods of ${Math.max(0, room - SYSTEM_NODES)} nodes, and the pools have ${nodes}`;
  yield badRange(what, 'Use a larger range: each node takes 256 addresses for pods');
};

const checkAksNodes: ClusterRule = function* (cluster, cloud) {
  const most = addressCountOf(parseIpRange(AKS_POD_CIDR)) / ADDRESSES_PER_NODE - SYSTEM_NODES;
  const nodes = nodesOf(cluster);
  if (cloud !== 'AKS' || nodes <= most) return;
  const what = `the pools have ${nodes} nodes, and the range of pods on AKS, ${AKS_POD_CIDR}, has addresses for ${most}`;
  yield errorAt('bad-size', ['nodePools'], what, 'Use several clusters');
};

const checkApiAccess: ClusterRule = function* ({ spec: { network } }, cloud) {
  if (cloud !== 'AKS' || !network.private || network.authorizedNetworks.length === 0) return;
  const what = 'a private API on AKS has no address outside its network, so no network can be authorized';
  yield errorAt('contradiction', ['network', 'authorizedNetworks'], what, 'Remove it, or remove private');
};

/**
 * The supported minor versions. GKE: the versions that Envoy Gateway 1.9 supports. EKS: of these, the versions in
 * standard support (endoflife.date, 2026-11). EKS rejects other versions, and extended support costs several times as
 * much. AKS: the same versions (AKS documentation, "Supported Kubernetes versions").
 */
const VERSIONS: Readonly<Record<ManagedCloud, { pattern: RegExp; least: number; most: number }>> = {
  // Also accepts exact versions: 1.35.2-gke.1269000.
  GKE: { pattern: /^1\.(\d+)(?:\.\d+(?:-gke\.\d+)?)?$/, least: 33, most: 36 },
  EKS: { pattern: /^1\.(\d+)$/, least: 34, most: 36 },
  // Also accepts exact versions: 1.36.2.
  AKS: { pattern: /^1\.(\d+)(?:\.\d+)?$/, least: 34, most: 36 },
};

const checkVersion: ClusterRule = function* ({ spec }, cloud) {
  const block = SOURCE_BLOCK[cloud];
  const version = spec.cluster[block]?.kubernetesVersion ?? '';
  const { pattern, least, most } = VERSIONS[cloud];
  const [, minor] = pattern.exec(version) ?? [];
  const path = ['cluster', block, 'kubernetesVersion'];
  if (minor === undefined) {
    yield errorAt('bad-version', path, `'${version}' is not a Kubernetes version of ${cloud}`, "Write it as in '1.35'");
  } else if (Number(minor) < least || Number(minor) > most) {
    const what = `Kubernetes ${version} is not between 1.${least} and 1.${most}, the versions for new clusters on ${cloud}`;
    yield errorAt('bad-version', path, what, 'Use one of these versions');
  }
};

/**
 * The valid cluster names by cloud. The limit on EKS follows from role names, which have at most 64 characters, and that
 * on AKS from the prefix of its DNS name, which has at most 54.
 */
const NAME_PATTERNS: Readonly<Record<ManagedCloud, { pattern: RegExp; hint: string }>> = {
  GKE: { pattern: /^[a-z][-a-z0-9]{0,39}$/, hint: "Use at most 40 letters, digits and '-', starting with a letter" },
  EKS: { pattern: /^[-a-z0-9]{1,37}$/, hint: "Use at most 37 letters, digits and '-'" },
  AKS: { pattern: /^[-a-z0-9]{1,54}$/, hint: "Use at most 54 letters, digits and '-'" },
};

const checkName: ClusterRule = function* ({ metadata: { name } }, cloud) {
  const { pattern, hint } = NAME_PATTERNS[cloud];
  if (pattern.test(name)) return;
  const what = `'${name}' is not a cluster name on ${cloud}`;
  yield errorAt('bad-name', ['..', 'metadata', 'name'], what, hint);
};

/** The zones show which region is meant, so it is no region that the catalog lacks. */
const checkRegion: ClusterRule = function* (cluster, cloud) {
  const region = regionOf(cluster);
  const { gke, eks } = cluster.spec.cluster;
  const zones = [gke?.zone ?? [], eks?.zones ?? [], cluster.spec.nodePools.map((pool) => pool.zones)].flat(2);
  const zone = zones.find((one) => findMeantRegion(cloud, one, region) !== undefined);
  const meant = zone && findMeantRegion(cloud, zone, region);
  if (meant === undefined) return;
  const what = isZoneOfRegion(cloud, region, meant)
    ? `'${region}' is a zone of ${meant}, not a region`
    : `${cloud} has no known region '${region}', and '${zone}' is a zone of ${meant}`;
  yield errorAt('bad-zone', regionPathOf(cloud).slice(1), what, `Did you mean '${meant}'?`);
};

const checkZone: ClusterRule = function* ({ spec }, cloud) {
  const { zone, region = '' } = spec.cluster.gke ?? {};
  if (cloud !== 'GKE' || zone === undefined) return;
  yield* checkZoneName(cloud, zone, region, { path: ['cluster', 'gke', 'zone'], cure: 'Write it' });
};

const checkControlPlaneZones: ClusterRule = function* ({ spec }, cloud) {
  const { zones, region = '' } = spec.cluster.eks ?? {};
  if (cloud !== 'EKS' || zones === undefined) return;
  const path = ['cluster', 'eks', 'zones'];
  for (const [index, zone] of zones.entries()) {
    yield* checkZoneName(cloud, zone, region, { path: [...path, index], cure: 'Write it' });
  }
  if (new Set(zones).size >= MIN_ZONES) return;
  yield errorAt('bad-zone', path, 'a control plane needs at least two zones', 'List two');
};

const RULES: readonly ClusterRule[] = [
  checkRange,
  checkPodAddresses,
  checkAksNodes,
  checkApiAccess,
  checkVersion,
  checkName,
  checkRegion,
  checkZone,
  checkControlPlaneZones,
  checkLustre,
];

/** Checks for everything that makes the cloud reject a cluster, except its pools. Paths start at the resource. */
export function* checkCluster(cluster: InferenceCluster, cloud: ManagedCloud): Iterable<Diagnostic<Path>> {
  for (const rule of RULES) {
    for (const finding of rule(cluster, cloud)) {
      yield relocate(finding, (path) => (path[0] === '..' ? path.slice(1) : ['spec', ...path]));
    }
  }
}
