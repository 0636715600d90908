import { POOL_BY_GROUP } from '../../api/labels';
import type { Taint } from '../../api/shared/taint';
import { groupBy, sortedBy } from '../../order';
import { formatTaint, plural } from '../../plan/format';
import { GPU_TOLERATION } from '../../render/tolerations';
import { quantityOf } from '../../scheduler/amounts';
import type { ResourceName } from '../../scheduler/shapes';
import type { Node } from '../../snapshot/node';
import { nodeViews } from '../../snapshot/node-view';
import { holdsDevices, podRequest } from '../../snapshot/pod-requests';
import type { Pod } from '../../snapshot/pod';
import type { Published } from '../../snapshot/published';
import type { Snapshot } from '../../snapshot/recorded';

/** A node with devices. */
export interface DraftNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly allocatable: Readonly<Record<string, string>>;
  readonly devices: readonly Published[];

  /** Pods of others on it. */
  readonly foreign: readonly Pod[];
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
  POOL_BY_GROUP['fleetwright.dev'],
  POOL_BY_GROUP['modelplane.ai'],
  'cloud.google.com/gke-nodepool',
  'eks.amazonaws.com/nodegroup',
  'kubernetes.azure.com/agentpool',
  'karpenter.sh/nodepool',
  'node.kubernetes.io/instance-type',
];

/** What names of pools look like: labels whose values do not are of no use. */
const POOL_NAME = /^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/;

/** Puts the nodes with devices into pools, by the first label that all of them have. */
export function draftPools(snapshot: Snapshot): DraftPools {
  const nodes = nodesIn(snapshot);
  const label = POOL_LABELS.find((key) => nodes.every(({ labels }) => POOL_NAME.test(labels[key] ?? '')));
  const poolLabel = label ?? POOL_BY_GROUP['fleetwright.dev'];
  const groups =
    label === undefined ? bySignature(nodes) : groupBy(nodes, ({ labels }) => labels[label] ?? '');
  const pools = sortedBy(groups, ([name]) => name).map(([name, own]) => poolOf(name, own));
  return {
    poolLabel,
    pools: pools.map(({ pool }) => pool),
    notes: [...labelNotes(poolLabel, label, groups), ...pools.flatMap(({ notes }) => notes)],
  };
}

function nodesIn(snapshot: Snapshot): DraftNode[] {
  return nodeViews(snapshot).flatMap(({ name, node, devices = [], foreign }) => {
    if (!node || devices.length === 0) return [];
    const { metadata, spec, status }: Node = node.value;
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
function bySignature(nodes: readonly DraftNode[]): Map<string, DraftNode[]> {
  const groups = groupBy(nodes, ({ devices }) =>
    JSON.stringify(
      devices.map(({ driver, device }) => `${driver} ${device.attributes['productName']?.string}`).sort(),
    ),
  );
  return new Map([...groups.values()].map((own, i) => [`pool-${i + 1}`, own]));
}

function labelNotes(
  poolLabel: string,
  found: string | undefined,
  groups: ReadonlyMap<string, readonly DraftNode[]>,
): string[] {
  if (found === POOL_BY_GROUP['fleetwright.dev']) return [];
  if (found !== undefined) return [`pools: by the node label ${found}`];
  return [...groups].map(([name, nodes]) => {
    const all = nodes.map((node) => node.name).join(' ');
    return `pools: nodes have no pool label in common; run 'kubectl label node ${all} ${poolLabel}=${name}'`;
  });
}

function poolOf(name: string, nodes: readonly DraftNode[]): { pool: DraftPool; notes: readonly string[] } {
  const reserved = reservedOn(nodes);
  const { taints, notes } = taintsOf(name, nodes);
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
            `pool ${name}: pods of others hold devices on ${plural(taken, 'node')}: move them, or state reserved.devices`,
          ]
        : []),
    ],
  };
}

/** What the node asks for on which pods of others ask for most. */
function reservedOn(nodes: readonly DraftNode[]): DraftPool['reserved'] {
  const names: readonly ResourceName[] = ['cpu', 'memory'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const most = Math.max(
        ...nodes.map(({ foreign }) => foreign.reduce((sum, pod) => sum + podRequest(pod, name), 0)),
      );
      return most > 0 ? [[name, quantityOf(name, most)]] : [];
    }),
  );
}

/** Taints that come and go with the state of a node. */
const OF_STATE = 'node.kubernetes.io/';

/** Taints that all nodes have. Others would keep pods off some of them. */
function taintsOf(
  pool: string,
  nodes: readonly DraftNode[],
): { taints: readonly Taint[]; notes: readonly string[] } {
  const lasting = nodes.map(({ taints }) => taints.filter((taint) => !passes(taint)));
  const counts = groupBy(lasting.flat(), formatTaint);
  const taints = [...counts.values()].flatMap((same) =>
    same.length === nodes.length ? same.slice(0, 1) : [],
  );
  const some = [...counts].filter(([, same]) => same.length < nodes.length);
  return {
    taints,
    notes: some.map(
      ([taint, same]) =>
        `pool ${pool}: ${plural(same.length, 'node')} of ${nodes.length} ${same.length === 1 ? 'has' : 'have'} the taint ${taint}, which is not declared`,
    ),
  };
}

/** Those of a state, and the one for GPUs, which all our pods tolerate. */
function passes({ key, effect }: Taint): boolean {
  return key.startsWith(OF_STATE) || (key === GPU_TOLERATION.key && effect === GPU_TOLERATION.effect);
}
