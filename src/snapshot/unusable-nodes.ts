import type { InferenceClass } from '../api/inference-class';
import type { NodePool } from '../api/node-pool';
import { groupBy } from '../base/order';
import { formatTaint } from '../base/text';
import { parseQuantity } from '../cel/values/quantity';
import { parseResources, type ResourceName } from '../scheduler/compile/resource-requests';
import { type AnyToleration, findUntolerated } from '../scheduler/filters';
import { matchDevices } from './compare-devices';
import type { NodeInfo } from './node-info';
import { holdsDevices, sumPodRequests } from './pod-requests';

export interface ExpectedNode {
  readonly pool: NodePool;
  readonly declared: InferenceClass;
  /** Whether pods claim devices on the node. Otherwise the counts of device plugins are checked. */
  readonly dra: boolean;
  /** The tolerations of managed pods on the nodes of the pool. */
  readonly tolerations: readonly AnyToleration[];
}

/**
 * Why a node does not count for new replicas, and what to do about it. Both are clauses; the first follows the name
 * of the node.
 */
export interface UnusableReason {
  readonly what: string;
  readonly hint: string;

  /** What to do on the running cluster, if the hint is to record the node again. */
  readonly live?: string;
}

type NodeCheck = (node: NodeInfo, expected: ExpectedNode) => UnusableReason | undefined;

const RECORD_AGAIN_HINT = 'Record it again when the node is ready';

/** A node that is being deleted takes no pods. */
const checkDeleted: NodeCheck = ({ node }) =>
  node?.value.metadata.deletionTimestamp === undefined
    ? undefined
    : { what: 'is being deleted', hint: RECORD_AGAIN_HINT, live: 'Wait for the node that replaces it' };

/** A cordoned node takes no pods. Whoever uncordons it must know whether its devices are back. */
const checkCordoned: NodeCheck = (info, expected) => {
  if (!info.node?.value.spec.unschedulable) return undefined;
  const short = checkDevices(info, expected) ?? checkExtendedResources(info, expected);
  const live = short ? 'Repair it before you uncordon it' : 'Uncordon it';
  return { what: `is cordoned${short ? ` and ${short.what}` : ''}`, hint: `${live}, and record it again`, live };
};

/** A node takes pods only if its kubelet reports it as ready. */
const checkReady: NodeCheck = ({ node }) => {
  if (!node) return undefined;
  const ready = node.value.status.conditions.find(({ type }) => type === 'Ready');
  const live = 'Repair the node, or wait until its kubelet reports again';
  return ready?.status === 'True' ? undefined : { what: 'is not ready', hint: RECORD_AGAIN_HINT, live };
};

/** Managed pods tolerate only the declared taints of the pool. */
const checkTaints: NodeCheck = ({ node }, { tolerations }) => {
  const binding = (node?.value.spec.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule');
  const taint = findUntolerated(binding, tolerations);
  return (
    taint && {
      what: `has the taint ${formatTaint(taint)}`,
      hint: 'Remove it, or add it to the taints of the pool',
    }
  );
};

/** All nodes of a pool count as equal, so a node that lacks a device does not count. */
const checkDevices: NodeCheck = ({ devices }, { declared, dra }) => {
  if (!devices || !dra) return undefined;
  const [short] = matchDevices(declared.spec, devices).short;
  return (
    short && {
      what: `shows ${short.shown} of ${short.declared} devices '${short.device}'`,
      hint: `Repair the node, or correct the count of InferenceClass '${declared.metadata.name}'`,
    }
  );
};

/** Like `checkDevices`, for the counts of device plugins. */
const checkExtendedResources: NodeCheck = ({ node }, { declared, dra }) => {
  if (!node || dra) return undefined;
  const counted = declared.spec.devices.filter(({ extendedResource }) => extendedResource !== undefined);
  for (const [resource, entries] of groupBy(counted, ({ extendedResource }) => extendedResource ?? '')) {
    const wanted = entries.reduce((sum, { count }) => sum + count, 0);
    const shown = parseQuantity(node.value.status.allocatable[resource] ?? '0').asApproximateFloat();
    if (shown >= wanted) continue;
    return {
      what: `shows ${shown} of ${wanted} ${resource}`,
      hint: `Repair its device plugin, or correct the count of InferenceClass '${declared.metadata.name}'`,
    };
  }
  return undefined;
};

/** A pod does not show which devices its claim holds, so a foreign pod with devices takes the whole node. */
const checkForeignDevices: NodeCheck = ({ foreign }, { pool }) => {
  if (Object.keys(pool.reserved.devices).length > 0) return undefined;
  const holder = foreign.find(holdsDevices);
  return (
    holder && {
      what: `has a pod of another workload with devices, ${holder.metadata.namespace}/${holder.metadata.name}`,
      hint: 'Move the pod, or set reserved.devices of the pool to what other workloads use on each node',
    }
  );
};

/** If the class states CPU and memory, the pods of other workloads must leave as much as it states. */
const checkForeignResources: NodeCheck = (node, expected) => {
  const short = listStatedResources(node, expected).find(({ left, promised }) => left < promised);
  if (!short) return undefined;
  const { resource, amount, left, promised } = short;
  const shown = (value: number, round: 'floor' | 'ceil'): string => formatRounded(resource, value, round);
  return {
    what: `has ${shown(left, 'floor')} of ${resource} next to pods of other workloads, and the plan expects ${shown(promised, 'ceil')}`,
    hint: `Raise reserved.${resource} of the pool to ${shown(amount - left, 'ceil')}, or lower the capacity of the class`,
  };
};

interface StatedResource {
  readonly resource: ResourceName;
  /** What the class states. */
  readonly amount: number;
  /** What pods of others leave. */
  readonly left: number;
  /** What plans count on. */
  readonly promised: number;
}

/** The resources that the class of a node states. */
export function listStatedResources(
  { node, foreign }: Pick<NodeInfo, 'node' | 'foreign'>,
  { pool, declared }: Pick<ExpectedNode, 'pool' | 'declared'>,
): StatedResource[] {
  const stated = Object.entries(parseResources(declared.spec.node.allocatable)) as [ResourceName, number][];
  return stated.map(([resource, amount]) => {
    const has = node && parseResources(node.value.status.allocatable)[resource];
    const taken = foreign.reduce((sum, pod) => sum + sumPodRequests(pod, resource), 0);
    const promised = amount - (parseResources(pool.reserved)[resource] ?? 0);
    return { resource, amount, left: (has ?? amount) - taken, promised };
  });
}

/** Rounds so that two different amounts never look equal. */
function formatRounded(resource: ResourceName, amount: number, round: 'floor' | 'ceil'): string {
  return resource === 'cpu' ? `${amount}m` : `${Math[round](amount / 2 ** 20)}Mi`;
}

/** Every check, the one that explains most first: a cordon implies a taint, and a broken node loses its devices. */
const CHECKS: readonly NodeCheck[] = [
  checkDeleted,
  checkCordoned,
  checkReady,
  checkTaints,
  checkDevices,
  checkExtendedResources,
  checkForeignDevices,
  checkForeignResources,
];

export function findUnusableReason(node: NodeInfo, expected: ExpectedNode): UnusableReason | undefined {
  for (const check of CHECKS) {
    const verdict = check(node, expected);
    if (verdict) return verdict;
  }
  return undefined;
}
