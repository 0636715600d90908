import { POOL_LABEL_BY_GROUP } from '../../api/labels';
import type { Taint } from '../../api/schema/taints-and-tolerations';
import { groupBy, sortedBy } from '../../base/order';
import { formatTaint, pluralize } from '../../base/text';
import { GPU_TOLERATION } from '../../render/pod/scheduling';
import { formatResource, type ResourceName } from '../../scheduler/compile/resource-requests';
import { type ClaimableDevice, listNodes } from '../../snapshot/node-info';
import { holdsDevices, sumPodRequests } from '../../snapshot/pod-requests';
import type { RecordedNode, RecordedPod, Snapshot } from '../../snapshot/recorded-objects';

/** A node with devices. */
export interface DraftNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly allocatable: Readonly<Record<string, string>>;
  readonly devices: readonly ClaimableDevice[];

  /** Pods of others on it. */
  readonly foreign: readonly RecordedPod[];
}

/** Nodes that shall be one pool. */
export interface DraftPool {
  readonly name: string;

  /** By name; at least one. */
  readonly nodes: readonly DraftNode[];

  /** What pods of others take of a node, at most. */
  readonly reserved: Readonly<Partial<Record<ResourceName, string>>>;
  readonly taints: readonly Taint[];
}

/** Pools of nodes, and the label that tells them apart. */
export interface DraftPools {
  readonly poolLabel: string;
  readonly pools: readonly DraftPool[];
  readonly notes: readonly string[];
}

/** Labels that name the pool of a node, ours first, then those of clouds and provisioners, then the machine. */
const POOL_LABELS = [
  POOL_LABEL_BY_GROUP['fleetwright.dev'],
  POOL_LABEL_BY_GROUP['modelplane.ai'],
  'cloud.google.com/gke-nodepool',
  'eks.amazonaws.com/nodegroup',
  'kubernetes.azure.com/agentpool',
  'karpenter.sh/nodepool',
  'node.kubernetes.io/instance-type',
];

/** What names of pools look like: labels whose values do not are of no use. */
const POOL_NAME_PATTERN = /^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/;

/** Puts the nodes with devices into pools, by the first label that all of them have. */
export function draftPools(snapshot: Snapshot): DraftPools {
  const nodes = nodesWithDevices(snapshot);
  const label = POOL_LABELS.find((key) =>
    nodes.every(({ labels }) => POOL_NAME_PATTERN.test(labels[key] ?? '')),
  );
  const poolLabel = label ?? POOL_LABEL_BY_GROUP['fleetwright.dev'];
  const groups =
    label === undefined ? groupBySignature(nodes) : groupBy(nodes, ({ labels }) => labels[label] ?? '');
  const pools = sortedBy(groups, ([name]) => name).map(([name, own]) => draftPool(name, own));
  return {
    poolLabel,
    pools: pools.map(({ pool }) => pool),
    notes: [...formatLabelNotes(poolLabel, label, groups), ...pools.flatMap(({ notes }) => notes)],
  };
}

function nodesWithDevices(snapshot: Snapshot): DraftNode[] {
  return listNodes(snapshot).flatMap(({ name, node, devices = [], foreign }) => {
    if (!node || devices.length === 0) return [];
    const { metadata, spec, status }: RecordedNode = node.value;
    return [
      {
        name,
        labels: metadata.labels,
        taints: spec.taints,
        allocatable: status.allocatable,
        devices,
        foreign,
      },
    ];
  });
}

/** Nodes without a label in common are told apart by what they publish. */
function groupBySignature(nodes: readonly DraftNode[]): Map<string, DraftNode[]> {
  const groups = groupBy(nodes, ({ devices }) =>
    JSON.stringify(
      devices.map(({ driver, device }) => `${driver} ${device.attributes['productName']?.string}`).sort(),
    ),
  );
  return new Map([...groups.values()].map((own, i) => [`pool-${i + 1}`, own]));
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
  const { taints, notes } = commonTaints(name, nodes);
  const taken = nodes.filter(({ foreign }) => foreign.some(holdsDevices)).length;
  return {
    pool: { name, nodes, reserved, taints },
    notes: [
      ...notes,
      ...(Object.keys(reserved).length > 0
        ? [`pool ${name}: reserved is what pods of others ask for now`]
        : []),
      ...(taken > 0
        ? [
            `pool ${name}: pods of others hold devices on ${pluralize(taken, 'node')}: move them, or state reserved.devices`,
          ]
        : []),
    ],
  };
}

/** What the node asks for on which pods of others ask for most. */
function maxReserved(nodes: readonly DraftNode[]): DraftPool['reserved'] {
  const names: readonly ResourceName[] = ['cpu', 'memory'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const most = Math.max(
        ...nodes.map(({ foreign }) => foreign.reduce((sum, pod) => sum + sumPodRequests(pod, name), 0)),
      );
      return most > 0 ? [[name, formatResource(name, most)]] : [];
    }),
  );
}

/** Taints that come and go with the state of a node. */
const NODE_STATE_PREFIX = 'node.kubernetes.io/';

/** Taints that all nodes have. Others would keep pods off some of them. */
function commonTaints(
  pool: string,
  nodes: readonly DraftNode[],
): { taints: readonly Taint[]; notes: readonly string[] } {
  const lasting = nodes.map(({ taints }) => taints.filter((taint) => !isIgnoredTaint(taint)));
  const counts = groupBy(lasting.flat(), formatTaint);
  const taints = [...counts.values()].flatMap((same) =>
    same.length === nodes.length ? same.slice(0, 1) : [],
  );
  const some = [...counts].filter(([, same]) => same.length < nodes.length);
  return {
    taints,
    notes: some.map(
      ([taint, same]) =>
        `pool ${pool}: ${pluralize(same.length, 'node')} of ${nodes.length} ${same.length === 1 ? 'has' : 'have'} the taint ${taint}, which is not declared`,
    ),
  };
}

/** Those of a state, and the one for GPUs, which all our pods tolerate. */
function isIgnoredTaint({ key, effect }: Taint): boolean {
  return (
    key.startsWith(NODE_STATE_PREFIX) || (key === GPU_TOLERATION.key && effect === GPU_TOLERATION.effect)
  );
}
