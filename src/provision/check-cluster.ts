import type { InferenceCluster } from '../api/inference-cluster';
import type { Path } from '../api/resource';
import { isCidr } from '../base/cidr';
import { type Diagnostic, errorAt, relocate } from '../base/diagnostic';
import { addressCountOf, alignCidr, type Cidr, formatCidr, hasOverlap, parseCidr } from './cidr';
import { EKS_CIDR, MIN_ZONES } from './eks/network';
import { GKE_CIDR, gkeRangesOf } from './gke/network';
import { describeBadZone, isZoneOfRegion, type ManagedCloud } from './managed-cloud';

/** Ranges that no network can have, and why. */
const RESERVED_RANGES: readonly (readonly [range: string, why: string])[] = [
  ['0.0.0.0/8', 'which stands for no host'],
  ['127.0.0.0/8', 'in which a host reaches itself'],
  ['169.254.0.0/16', 'which is for single links, and for what clouds tell their machines'],
  ['172.17.0.0/16', 'which container runtimes use'],
  ['224.0.0.0/3', 'which is for many hosts at once, or kept back'],
];

/** A node of GKE takes a /24 for its pods. */
const NODE = { base: 0, prefix: 24 };

/** Nodes of the system pool. */
const SYSTEM_NODES = 6;

/** How long the prefix of a range may be. EKS takes no larger VPC, and smaller ones leave subnets without addresses. */
const PREFIX_LIMITS: Readonly<Record<ManagedCloud, { least: number; most: number; usual: string }>> = {
  GKE: { least: 8, most: 20, usual: GKE_CIDR },
  EKS: { least: 16, most: 20, usual: EKS_CIDR },
};

/** A rule about a cluster apart from its pools. Paths start at its spec. */
type ClusterRule = (cluster: InferenceCluster, cloud: ManagedCloud) => Iterable<Diagnostic<Path>>;

const NETWORK = ['network', 'cidr'];

const checkRange: ClusterRule = function* ({ spec }, cloud) {
  const text = spec.network.cidr;
  if (text === undefined) return;
  const range = parseCidr(text);
  const { least, most, usual } = PREFIX_LIMITS[cloud];
  const whole = formatCidr(alignCidr(range));
  if (whole !== text) {
    yield badRange(`'${text}' begins in the middle of a range`, `Write '${whole}'`);
  }
  if (range.prefix < least || range.prefix > most) {
    const what = `a prefix of ${range.prefix} is not between ${least} and ${most}, as ${cloud} needs`;
    yield badRange(what, `Use a range like '${usual}'`);
  }
  for (const [taken, why] of RESERVED_RANGES) {
    if (!hasOverlap(alignCidr(range), parseCidr(taken))) continue;
    yield badRange(`'${text}' overlaps ${taken}, ${why}`, `Use a range like '${usual}'`);
  }
};

function badRange(what: string, hint: string): Diagnostic<Path> {
  return errorAt('bad-cidr', NETWORK, what, hint);
}

const checkPodAddresses: ClusterRule = function* (cluster, cloud) {
  if (cloud !== 'GKE') return;
  const nodes = cluster.spec.nodePools.reduce((sum, pool) => sum + (pool.maxNodeCount ?? pool.nodeCount), 0);
  const room = nodesWithin(gkeRangesOf(cluster).pods);
  if (nodes + SYSTEM_NODES <= room) return;
  const what = `the range has addresses for the pods of ${Math.max(0, room - SYSTEM_NODES)} nodes, and the pools have ${nodes}`;
  yield badRange(what, 'Use a larger range: each node takes 256 addresses for pods');
};

function nodesWithin(range: Cidr): number {
  return Math.floor(addressCountOf(range) / addressCountOf(NODE));
}

/**
 * Minor versions that clusters are made with. GKE: what Envoy Gateway 1.9 runs on. EKS: of those, what is on standard
 * support (endoflife.date, 2026-11); it refuses others, and extended support would cost several times as much.
 */
const VERSIONS: Readonly<Record<ManagedCloud, { pattern: RegExp; least: number; most: number }>> = {
  // Also exact: 1.35.2-gke.1269000.
  GKE: { pattern: /^1\.(\d+)(?:\.\d+(?:-gke\.\d+)?)?$/, least: 33, most: 36 },
  EKS: { pattern: /^1\.(\d+)$/, least: 34, most: 36 },
};

const checkVersion: ClusterRule = function* ({ spec }, cloud) {
  const block = cloud === 'GKE' ? 'gke' : 'eks';
  const version = spec.cluster[block]?.kubernetesVersion ?? '';
  const { pattern, least, most } = VERSIONS[cloud];
  const [, minor] = pattern.exec(version) ?? [];
  const path = ['cluster', block, 'kubernetesVersion'];
  if (minor === undefined) {
    yield errorAt('bad-version', path, `'${version}' is no version of ${cloud}`, "Write it as in '1.35'");
  } else if (Number(minor) < least || Number(minor) > most) {
    const what = `Kubernetes ${version} is not between 1.${least} and 1.${most}, with which clusters on ${cloud} are made`;
    yield errorAt('bad-version', path, what, 'Use one of these');
  }
};

/** What names of clusters are, by what the cloud makes of them: on EKS, roles of 64 characters. */
const NAME_PATTERNS: Readonly<Record<ManagedCloud, { pattern: RegExp; hint: string }>> = {
  GKE: { pattern: /^[a-z][-a-z0-9]{0,39}$/, hint: "Use at most 40 letters, digits and '-', a letter first" },
  EKS: { pattern: /^[-a-z0-9]{1,37}$/, hint: "Use at most 37 letters, digits and '-'" },
};

const checkName: ClusterRule = function* ({ metadata: { name } }, cloud) {
  const { pattern, hint } = NAME_PATTERNS[cloud];
  if (pattern.test(name)) return;
  const what = `'${name}' is not a cluster name on ${cloud}`;
  yield errorAt('bad-name', ['..', 'metadata', 'name'], what, hint);
};

const checkZone: ClusterRule = function* ({ spec }, cloud) {
  const { zone, region = '' } = spec.cluster.gke ?? {};
  if (cloud !== 'GKE' || zone === undefined || isZoneOfRegion(cloud, zone, region)) return;
  yield describeBadZone(cloud, zone, region, { path: ['cluster', 'gke', 'zone'], cure: 'Write it' });
};

const checkControlPlaneZones: ClusterRule = function* ({ spec }, cloud) {
  const { zones, region = '' } = spec.cluster.eks ?? {};
  if (cloud !== 'EKS' || zones === undefined) return;
  const path = ['cluster', 'eks', 'zones'];
  for (const [index, zone] of zones.entries()) {
    if (isZoneOfRegion(cloud, zone, region)) continue;
    yield describeBadZone(cloud, zone, region, { path: [...path, index], cure: 'Write it' });
  }
  if (new Set(zones).size >= MIN_ZONES) return;
  yield errorAt('bad-zone', path, 'a control plane is in two zones at least', 'Name two');
};

/** Rules about the range. That a text is none is told elsewhere. */
const RANGE_RULES: readonly ClusterRule[] = [checkRange, checkPodAddresses];

const RULES: readonly ClusterRule[] = [checkVersion, checkName, checkZone, checkControlPlaneZones];

/** Everything for which the cloud would refuse a cluster, apart from its pools. Paths start at the resource. */
export function* checkCluster(cluster: InferenceCluster, cloud: ManagedCloud): Iterable<Diagnostic<Path>> {
  const { cidr } = cluster.spec.network;
  const rules = cidr === undefined || isCidr(cidr) ? [...RANGE_RULES, ...RULES] : RULES;
  for (const rule of rules) {
    for (const finding of rule(cluster, cloud)) {
      yield relocate(finding, (path) => (path[0] === '..' ? path.slice(1) : ['spec', ...path]));
    }
  }
}
