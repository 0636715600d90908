import { POOL_LABEL_BY_GROUP } from '../../api/labels';
import type { Taint } from '../../api/schema/taints-and-tolerations';
import { groupBy, sortedBy } from '../../base/order';
import { formatTaint, joinNames, pluralize } from '../../base/text';
import { GPU_TOLERATION } from '../../render/pod/scheduling';
import { formatResourceAmount, type ResourceName } from '../../scheduler/compile/resource-requests';
import { type ClaimableDevice, listNodes } from '../../snapshot/node-info';
import { sumPodRequests } from '../../snapshot/pod-requests';
import type { RecordedNode, RecordedPod, Snapshot } from '../../snapshot/recorded-objects';
import { type Allocations, findAllocatedDevices } from './allocated-devices';

/** A node with devices. */
export interface DraftNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly allocatable: Readonly<Record<string, string>>;
  readonly devices: readonly ClaimableDevice[];

  /** Pods on the node that do not belong to the fleet. */
  readonly foreign: readonly RecordedPod[];

  /** The devices that these pods hold. */
  readonly held: ReadonlySet<ClaimableDevice>;
}

/** Nodes that form one pool. */
export interface DraftPool {
  readonly name: string;

  /** At least one node, sorted by name. */
  readonly nodes: readonly DraftNode[];

  /** The maximum that pods outside the fleet request on a node. */
  readonly reserved: Readonly<Partial<Record<ResourceName, string>>>;
  readonly taints: readonly Taint[];
}

/** Labels with a pool name: Fleetwright's own, those of clouds and provisioners, then the machine type. */
const POOL_LABELS = [
  POOL_LABEL_BY_GROUP['fleetwright.dev'],
  POOL_LABEL_BY_GROUP['modelplane.ai'],
  'cloud.google.com/gke-nodepool',
  'eks.amazonaws.com/nodegroup',
  'kubernetes.azure.com/agentpool',
  'karpenter.sh/nodepool',
  'node.kubernetes.io/instance-type',
];

/** The pattern of pool names. Labels with other values cannot be used. */
const POOL_NAME_PATTERN = /^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/;

/** Groups the nodes with devices into pools, by the first label that all of them have. */
export function draftPools(snapshot: Snapshot, allocations: Omit<Allocations, 'nodes'> = {}) {
  const nodes = nodesWithDevices(snapshot, allocations);
  const label = POOL_LABELS.find((key) => nodes.every(({ labels }) => POOL_NAME_PATTERN.test(labels[key] ?? '')));
  const poolLabel = label ?? POOL_LABEL_BY_GROUP['fleetwright.dev'];
  const groups = label === undefined ? groupBySignature(nodes) : groupBy(nodes, ({ labels }) => labels[label] ?? '');
  const pools = sortedBy(groups, ([name]) => name).map(([name, members]) => draftPool(name, members));
  return {
    poolLabel,
    pools: pools.map(({ pool }) => pool),
    notes: [...formatLabelNotes(poolLabel, label, groups), ...pools.flatMap(({ notes }) => notes)],
  };
}

function nodesWithDevices(snapshot: Snapshot, allocations: Omit<Allocations, 'nodes'>): DraftNode[] {
  const nodes = listNodes(snapshot);
  const heldByNode = findAllocatedDevices({ ...allocations, nodes });
  return nodes.flatMap(({ name, node, devices = [], foreign }) => {
    if (!node || devices.length === 0) return [];
    const { metadata, spec, status }: RecordedNode = node.value;
    const { labels } = metadata;
    const held = heldByNode.get(name) ?? new Set();
    return [{ name, labels, taints: spec.taints, allocatable: status.allocatable, devices, foreign, held }];
  });
}

/** Groups nodes without a common label by their published devices. */
function groupBySignature(nodes: readonly DraftNode[]): Map<string, DraftNode[]> {
  const groups = groupBy(nodes, ({ devices }) =>
    JSON.stringify(devices.map(({ driver, device }) => `${driver} ${device.attributes['productName']?.string}`).sort()),
  );
  return new Map([...groups.values()].map((members, i) => [`pool-${i + 1}`, members]));
}

function formatLabelNotes(
  poolLabel: string,
  found: string | undefined,
  groups: ReadonlyMap<string, readonly DraftNode[]>,
): string[] {
  if (found === POOL_LABEL_BY_GROUP['fleetwright.dev']) return [];
  if (found !== undefined) return [`pools: by the node label ${found}`];
  return [...groups].map(([name, nodes]) => {
    const all = nodes.map((node) => node.name).join(' ');
    return `pools: nodes have no pool label in common; run 'kubectl label node ${all} ${poolLabel}=${name}'`;
  });
}

function draftPool(name: string, nodes: readonly DraftNode[]): { pool: DraftPool; notes: readonly string[] } {
  const reserved = maxReserved(nodes);
  const { taints, notes } = commonTaints(nodes);
  if (Object.keys(reserved).length > 0) notes.push('reserved is what pods of other workloads request now');
  const taken = nodes.filter(({ held }) => held.size > 0);
  const holders = `pods of other workloads use devices on ${joinNames(taken.map((node) => node.name))}`;
  const most = 'reserved.devices is the largest number on a node';
  if (taken.length > 0) notes.push(`${holders}. ${most}. Move the pods, or declare another pool for these nodes`);
  return { pool: { name, nodes, reserved, taints }, notes: notes.map((note) => `pool ${name}: ${note}`) };
}

/** The maximum requests of pods outside the fleet on any node. */
function maxReserved(nodes: readonly DraftNode[]): DraftPool['reserved'] {
  const names: readonly ResourceName[] = ['cpu', 'memory'];
  const reserved = names.flatMap((name) => {
    const sums = nodes.map(({ foreign }) => foreign.reduce((sum, pod) => sum + sumPodRequests(pod, name), 0));
    const most = Math.max(...sums);
    return most > 0 ? [[name, formatResourceAmount(name, most)]] : [];
  });
  return Object.fromEntries(reserved);
}

/** The prefix of taints that Kubernetes sets by the state of a node. */
const NODE_STATE_PREFIX = 'node.kubernetes.io/';

/** The taints that all nodes have. Other taints would exclude pods from some of the nodes. */
function commonTaints(nodes: readonly DraftNode[]): { taints: readonly Taint[]; notes: string[] } {
  const lasting = nodes.map(({ taints }) => taints.filter((taint) => !isIgnoredTaint(taint)));
  const counts = groupBy(lasting.flat(), formatTaint);
  const taints = [...counts.values()].flatMap((same) => (same.length === nodes.length ? same.slice(0, 1) : []));
  const some = [...counts].filter(([, same]) => same.length < nodes.length);
  const notes = some.map(([taint, same]) => {
    const which = `${pluralize(same.length, 'node')} of ${nodes.length} ${same.length === 1 ? 'has' : 'have'}`;
    return `${which} the taint ${taint}, which is not declared`;
  });
  return { taints, notes };
}

/** Whether a taint is ignored: node state taints, and the GPU taint that all rendered pods tolerate. */
function isIgnoredTaint({ key, effect }: Taint): boolean {
  return key.startsWith(NODE_STATE_PREFIX) || (key === GPU_TOLERATION.key && effect === GPU_TOLERATION.effect);
}
