import { type CounterSetShape, Parent, type ParentState, type Partition } from './counter-sets';
import { UNITS } from './shared-devices';

/** A number of partitions that each pod takes, of any parents of a node. */
export interface PartitionWant {
  readonly count: number;
  readonly partition: Partition;
}

/** A text that is equal for pods that take the same of one counter set. */
export function partitionKeyOf({ count, partition }: PartitionWant): string {
  return `${count} of ${partition.devices.join()}`;
}

/** How other pods keep a pod with partitions out of a node. */
export interface Blockers {
  /**
   * Numbers of pods of each kind that leave too little on `ofNode` parts of a node, none of which contains another.
   * Absent if there are too many to list.
   */
  readonly sets?: readonly Pods[];
  /** The parts of a node that have to be without room: 1, or each of its parents. */
  readonly ofNode: number;
  /** The parts of a node, in units, that a pod of each kind blocks at most: several bounds, each valid alone. */
  readonly bounds: readonly Pods[];
}

/** A number for each kind of pod. */
type Pods = readonly number[];

/** What pods take of a parent or a node, in devices of each kind of pod, and how many devices that costs the target. */
interface Usage {
  readonly taken: Pods;
  readonly lost: number;
}

/** The most usages that are listed. */
const MAX_USAGES = 2048;

/**
 * How some pods can keep `target` out of a node that has room for it when it is empty. It is exact unless there are
 * too many ways to list, and then it overestimates.
 */
export function findBlockers(target: PartitionWant, others: readonly PartitionWant[]): Blockers {
  const key = [target, ...others].map(partitionKeyOf).join(' / ');
  const { set } = target.partition;
  let known = BLOCKERS.get(set);
  if (!known) BLOCKERS.set(set, (known = new Map()));
  let found = known.get(key);
  if (!found) known.set(key, (found = computeBlockers(target, others)));
  return found;
}

const BLOCKERS = new WeakMap<CounterSetShape, Map<string, Blockers>>();

function computeBlockers(
  { count, partition: { set, devices } }: PartitionWant,
  others: readonly PartitionWant[],
): Blockers {
  const parent = new Parent(set, [devices, ...others.map(({ partition }) => partition.devices)]);
  const full = parent.most(parent.empty, 0, count);
  const usages = listUsages(parent, others.length, { full, count });
  const anyBlocks = { ofNode: 1, bounds: [others.map(() => UNITS)] };
  if (!usages || full === 0) return anyBlocks;
  // Each parent gives up to `full` devices, and the target has no room if fewer than `count` remain of all.
  const fatal = set.count * full - count + 1;
  const perPod = others.map((other) => other.count);
  const single = perPod.every((devices) => devices === 1);
  if (count === 1 && single)
    return fromSets(
      usages.filter(({ lost }) => lost === full).map(({ taken }) => taken),
      set.count,
    );
  const onNode = addParents(usages, set.count, { fatal, single });
  const bounded = boundByParent(usages, perPod, fatal);
  if (!onNode) return { ofNode: 1, bounds: [...anyBlocks.bounds, bounded] };
  const pods = onNode.flatMap(({ taken, lost }) => (lost >= fatal ? toPods(taken, perPod) : []));
  return fromSets(pods, 1);
}

/** A pod is on one node with all its devices. */
function toPods(taken: Pods, perPod: Pods): Pods[] {
  const pods = taken.map((devices, t) => devices / (perPod[t] ?? 1));
  return pods.every(Number.isInteger) ? [pods] : [];
}

/** What pods can take of one parent, and the devices that the target loses by it. Nothing if there are too many ways. */
function listUsages(
  parent: Parent,
  kinds: number,
  { full, count }: { readonly full: number; readonly count: number },
): readonly Usage[] | undefined {
  const none: Pods = Array.from({ length: kinds }, () => 0);
  const seen = new Set<string>();
  const usages: Usage[] = [];
  const open: [ParentState, Pods][] = [[parent.empty, none]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [state, taken] = next;
    const key = `${state.join()} ${taken.join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const lost = full - parent.most(state, 0, Math.min(full, count));
    if (parent.isTooLarge || seen.size > MAX_USAGES) return undefined;
    usages.push({ taken, lost });
    // Further devices would cost the target nothing.
    if (lost === full) continue;
    for (const [kind, devices] of taken.entries()) {
      open.push(
        ...parent.after(state, kind + 1).map((after): [ParentState, Pods] => [after, taken.with(kind, devices + 1)]),
      );
    }
  }
  return keepLargestLoss(usages);
}

/** Of usages that take the same, the one by which the target loses most. */
function keepLargestLoss(usages: readonly Usage[]): Usage[] {
  const largest = new Map<string, Usage>();
  for (const usage of usages) {
    const key = usage.taken.join();
    if ((largest.get(key)?.lost ?? -1) < usage.lost) largest.set(key, usage);
  }
  return [...largest.values()];
}

/** What pods can take of all parents of a node. Nothing if there are too many ways. */
function addParents(
  usages: readonly Usage[],
  parents: number,
  { fatal, single }: { readonly fatal: number; readonly single: boolean },
): readonly Usage[] | undefined {
  // Pods of several devices are on a node as a whole, so no usage stands for a larger one.
  const onParent = single ? dropDominated(usages) : usages;
  let onNode: readonly Usage[] = onParent;
  for (let parent = 1; parent < parents; parent++) {
    if (onNode.length * onParent.length > MAX_USAGES * 8) return undefined;
    const sums = onNode.flatMap((one) =>
      onParent.map(
        (other): Usage => ({
          taken: one.taken.map((devices, t) => devices + (other.taken[t] ?? 0)),
          lost: Math.min(fatal, one.lost + other.lost),
        }),
      ),
    );
    onNode = single ? dropDominated(keepLargestLoss(sums)) : keepLargestLoss(sums);
    if (onNode.length > MAX_USAGES) return undefined;
  }
  return onNode;
}

function dropDominated(usages: readonly Usage[]): Usage[] {
  const sorted = usages.toSorted((a, b) => sum(a.taken) - sum(b.taken) || b.lost - a.lost);
  const kept: Usage[] = [];
  for (const usage of sorted) {
    if (!kept.some(({ taken, lost }) => lost >= usage.lost && contains(usage.taken, taken))) kept.push(usage);
  }
  return kept;
}

/** What one pod can cost the target at most: a share of the loss of any usage that it is part of. */
function boundByParent(usages: readonly Usage[], perPod: Pods, fatal: number): Pods {
  return perPod.map((devices, t) => {
    const losses = usages.map(({ taken, lost }) => ((taken[t] ?? 0) > 0 ? lost / sum(taken) : 0));
    return Math.min(UNITS, Math.ceil((Math.max(0, ...losses) * devices * UNITS) / fatal));
  });
}

function fromSets(all: readonly Pods[], ofNode: number): Blockers {
  const sets = dropDominated(all.map((taken) => ({ taken, lost: 0 }))).map(({ taken }) => taken);
  const kinds = all[0]?.length ?? 0;
  const shares = Array.from({ length: kinds }, (_, t) =>
    Math.max(0, ...sets.map((pods) => ((pods[t] ?? 0) > 0 ? 1 / sum(pods) : 0))),
  );
  return { sets, ofNode, bounds: [shares.map((share) => Math.ceil((share * UNITS) / ofNode))] };
}

function contains(pods: Pods, part: Pods): boolean {
  return part.every((count, t) => count <= (pods[t] ?? 0));
}

function sum(numbers: Pods): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The most steps in which nodes are counted exactly. */
const MAX_STEPS = 500;

/** The most nodes from which some pods can keep the target out. Exact if the pods are few, else an upper bound. */
export function countBlocked(blockers: Blockers, pods: Pods): number {
  let counts = COUNTS.get(blockers);
  if (!counts) COUNTS.set(blockers, (counts = new Map()));
  const key = pods.join();
  let count = counts.get(key);
  if (count === undefined) counts.set(key, (count = computeBlocked(blockers, pods)));
  return count;
}

const COUNTS = new WeakMap<Blockers, Map<string, number>>();

function computeBlocked({ sets, ofNode, bounds }: Blockers, pods: Pods): number {
  const bound = Math.min(
    ...bounds.map((weights) => Math.floor(sum(weights.map((w, t) => w * (pods[t] ?? 0))) / UNITS)),
  );
  if (!sets || bound === 0 || Math.floor(countGreedily(sets, pods) / ofNode) >= bound) return bound;
  const search = { known: new Map<string, number>(), steps: 0 };
  const most = countDisjoint(sets, pods, search);
  return search.steps > MAX_STEPS ? bound : Math.min(bound, Math.floor(most / ofNode));
}

/** A number of sets for which there are pods, the smallest sets first: a lower bound of the most. */
function countGreedily(sets: readonly Pods[], pods: Pods): number {
  let left = pods;
  return sets.reduce((total, set) => {
    const times = timesIn(set, left);
    left = left.map((count, t) => count - times * (set[t] ?? 0));
    return total + times;
  }, 0);
}

/** How often a set is among pods. */
function timesIn(set: Pods, pods: Pods): number {
  return Math.min(...set.map((count, t) => (count > 0 ? Math.floor((pods[t] ?? 0) / count) : Infinity)));
}

/** The most of some sets, each any number of times, for which there are pods. */
function countDisjoint(
  [first, ...rest]: readonly Pods[],
  pods: Pods,
  search: { readonly known: Map<string, number>; steps: number },
): number {
  if (!first || search.steps > MAX_STEPS) return 0;
  search.steps++;
  const times = timesIn(first, pods);
  if (rest.length === 0) return times;
  const key = `${rest.length} ${pods.join()}`;
  const known = search.known.get(key);
  if (known !== undefined) return known;
  let most = 0;
  for (let used = times; used >= 0; used--) {
    const left = pods.map((count, t) => count - used * (first[t] ?? 0));
    most = Math.max(most, used + countDisjoint(rest, left, search));
  }
  search.known.set(key, most);
  return most;
}
