import { formatCount } from '../../../base/figures';
import type {
  AmountData,
  GroupData,
  MapData,
  MessageData,
  PlanMessageData,
  PodData,
  PoolData,
  PoolFactsData,
  ShapeData,
} from '../map-data';
import { countNodes, freeKindOf } from './free-devices';

/** The GPUs of some pools by what they are for. */
export interface GpuUse {
  /** On nodes that run: all parts but what can be added. */
  readonly total: number;

  /** Taken by pods. */
  readonly used: number;

  /** Taken by pods only during rollouts. */
  readonly rollouts: number;

  /** Free on nodes that stay empty however the cluster arranges the placed pods. */
  readonly whole: number;

  /** Free on nodes with pods, or on which the cluster may put placed pods: whether a new pod has a place depends on it. */
  readonly shared: number;

  /** On nodes that an autoscaler can add. */
  readonly addable: number;

  /** Free on nodes that a snapshot shows as lost. */
  readonly lost: number;
}

const NO_GPUS: GpuUse = { total: 0, used: 0, rollouts: 0, whole: 0, shared: 0, addable: 0, lost: 0 };

/** Counts the GPUs of pools, without network cards and devices that nothing claims. */
export function countGpus(data: MapData, pools: readonly PoolData[]): GpuUse {
  return sumGpus(pools.flatMap((pool) => pool.groups.map((group) => countGroup(data, pool, group))));
}

export function sumGpus(parts: readonly GpuUse[]): GpuUse {
  const sum = { ...NO_GPUS };
  for (const part of parts) {
    for (const key of KEYS) sum[key] += part[key];
  }
  return sum;
}

const KEYS = Object.keys(NO_GPUS) as (keyof GpuUse)[];

/** Whether pods that may not run, because their engine has fewer copies, count as in use. */
export function hasScaledCopies({ demands }: Pick<MapData, 'demands'>): boolean {
  return demands.some(({ engines }) => engines.some(({ members }) => members.some(({ scaled = 0 }) => scaled > 0)));
}

function countGroup(data: MapData, pool: PoolData, group: GroupData): GpuUse {
  const [count, , pods] = group;
  const { kinds = [] } = data.shapes[data.pools[pool.facts]?.shape ?? -1] ?? {};
  const total = count * kinds.reduce((sum, kind) => sum + (kind.accelerator ? kind.count : 0), 0);
  const free = freeKindOf(group);
  if (free === 'addable') return { ...NO_GPUS, addable: total };
  const taken = pods.map((place) => data.pods[place]).filter((pod) => pod !== undefined);
  const sum = (surge: PodData[3]): number =>
    count * taken.reduce((all, pod) => all + (pod[3] === surge ? gpusOf(kinds, pod) : 0), 0);
  const [used, rollouts] = [sum(0), sum(1)];
  return { ...NO_GPUS, total, used, rollouts, [free]: total - used - rollouts };
}

function gpusOf(kinds: ShapeData['kinds'], [, , takes]: PodData): number {
  return kinds.reduce((sum, kind, at) => sum + (kind.accelerator ? (takes[at] ?? 0) : 0), 0);
}

/** The part of the GPUs on nodes that run which pods take, including what rollouts take, from 0 to 1. */
export function fullnessOf({ total, used, rollouts }: GpuUse): number {
  return total === 0 ? 0 : (used + rollouts) / total;
}

/** Counts the nodes of pools: the fewest, which the lower bound of the cost pays for, and the most. */
export function countPoolNodes({ pools }: Pick<MapData, 'pools'>, of: readonly PoolData[]): NodeBounds {
  const facts = of.flatMap((pool) => pools[pool.facts] ?? []);
  return {
    least: facts.reduce((sum, { always }) => sum + always, 0),
    most: facts.reduce((sum, { nodes }) => sum + nodes, 0),
  };
}

export interface NodeBounds {
  readonly least: number;
  readonly most: number;
}

/** Counts the devices of a pool: on nodes that run, and on nodes that an autoscaler can add. */
export function countPoolDevices({ devices, nodes }: PoolFactsData, pool: PoolData): PoolDevices {
  const added = countNodes(pool, ['addable']);
  const addable = nodes === 0 ? 0 : (devices / nodes) * added;
  return { running: devices - addable, addable, runningNodes: nodes - added };
}

interface PoolDevices {
  readonly running: number;
  readonly addable: number;
  readonly runningNodes: number;
}

/** `5 to 7`. */
export function formatNodeBounds({ least, most }: NodeBounds): string {
  return least === most ? formatCount(most) : `${formatCount(least)} to ${formatCount(most)}`;
}

/** The upper bound of a cost a month. Absent: unknown. */
export function mostOf(amount: AmountData | undefined): number | undefined {
  if (amount === null || amount === undefined) return undefined;
  return typeof amount === 'number' ? amount : amount[1];
}

/** Whether a cost has the prices of all pools and volumes. Estimates count as prices. */
export function isPriced(amount: AmountData): boolean {
  return typeof amount === 'number' || (amount !== null && amount[3] === 0);
}

/** Adds up costs. Unknown costs count as pools without a price. A sum with an estimate is an estimate. */
export function sumAmounts(amounts: readonly AmountData[]): AmountData {
  const bounds = amounts.map((one) => (one === null ? [0, 0, 1, 1] : typeof one === 'number' ? [one, one] : one));
  const [least = 0, most = 0, leastUnknown = 0, mostUnknown = 0, estimates = 0] = [0, 1, 2, 3, 4].map((at) =>
    bounds.reduce((sum, bound) => sum + (bound[at] ?? 0), 0),
  );
  if (mostUnknown > 0 && most === 0) return null;
  if (least === most && mostUnknown === 0 && estimates === 0) return most;
  const sum = [least, most, leastUnknown, mostUnknown] as const;
  return estimates > 0 ? [...sum, 1] : sum;
}

/** Names what a plan reports, and how much: its warnings, those that are not new, else its notes. */
export function titleOfMessages(messages: readonly PlanMessageData[]): string {
  const serious = countMessages(messages.filter(({ kind }) => kind === 'denied' || kind === 'warning'));
  const all = countMessages(messages);
  if (all === 0) return 'Warnings';
  if (serious > 0) return `Warnings (${formatCount(serious)})`;
  return messages.some(({ kind }) => kind === 'known') ? 'Warnings (none new)' : `Notes (${formatCount(all)})`;
}

/** Counts the messages of a plan, each for all its positions and with the others of its kind. */
export function countMessages(messages: readonly PlanMessageData[]): number {
  const all = messages.flatMap((message): MessageData[] => [message, ...(message.others ?? [])]);
  return all.reduce((sum, { at }) => sum + Math.max(1, at.length), 0);
}
