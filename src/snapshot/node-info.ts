import type { InferenceCluster } from '../api/inference-cluster';
import { DEPLOYMENT_LABEL } from '../api/labels';
import { groupBy, sortedBy } from '../base/order';
import { isWarmNodePod } from '../manifest/kubernetes/labels-and-annotations';
import type {
  PublishedDevice,
  RecordedNode,
  RecordedObject,
  RecordedPod,
  ResourceSlice,
  Snapshot,
} from './recorded-objects';

export interface NodeInfo {
  readonly name: string;
  /** Absent if slices name the node and no `Node` was recorded. */
  readonly node?: RecordedObject<RecordedNode>;
  /** The devices that it publishes. Absent if the snapshot has no slices at all. */
  readonly devices?: readonly ClaimableDevice[];
  /** Pods on the node that fleetwright does not manage, and that have not ended. */
  readonly foreign: readonly RecordedPod[];
  /** Pods of replicas on the node that have not ended. */
  readonly own: readonly RecordedPod[];
  /** The place that messages about the node show: `file:line:column`. */
  readonly place: () => string;
}

/**
 * The nodes of each pool of a cluster, by name. Nothing if the snapshot does not show which nodes a pool has.
 *
 * The pool label of a node names its pool. Without recorded nodes, the slices belong to the pool of a cluster that
 * has only one.
 */
export function groupNodesByPool(
  snapshot: Snapshot,
  { spec: { poolLabel, nodePools } }: InferenceCluster,
): Map<string, NodeInfo[]> | undefined {
  const readNode = createNodeReader(snapshot);
  if (snapshot.nodes.length > 0) {
    const nodes = groupBy(snapshot.nodes, ({ value }) => value.metadata.labels[poolLabel] ?? '');
    return new Map(
      [...nodes].map(([pool, members]) => [pool, members.map((node) => readNode(node.value.metadata.name, node))]),
    );
  }
  const [only, ...others] = nodePools;
  if (!only || others.length > 0 || snapshot.slices.length === 0) return undefined;
  const names = new Set(snapshot.slices.flatMap(({ value }) => value.spec.nodeName ?? []));
  return new Map([[only.name, sortedBy(names, (name) => name).map((name) => readNode(name))]]);
}

/** All recorded nodes, whatever their labels. */
export function listNodes(snapshot: Snapshot): NodeInfo[] {
  const readNode = createNodeReader(snapshot);
  return snapshot.nodes.map((node) => readNode(node.value.metadata.name, node));
}

function createNodeReader(snapshot: Snapshot): (name: string, node?: RecordedObject<RecordedNode>) => NodeInfo {
  const devices = groupDevicesByNode(snapshot);
  const running = snapshot.pods
    .map(({ value }) => value)
    .filter(({ status, metadata }) => !hasEnded(status.phase) && !isWarmNodePod(metadata.labels));
  const foreign = groupBy(running.filter(isForeign), ({ spec }) => spec.nodeName);
  const own = groupBy(
    running.filter((pod) => !isForeign(pod)),
    ({ spec }) => spec.nodeName,
  );
  const slices = new Map(snapshot.slices.map((slice) => [slice.value.spec.nodeName, slice]));
  return (name, node) => ({
    name,
    ...(node && { node }),
    ...(snapshot.slices.length > 0 && { devices: devices.get(name) ?? [] }),
    foreign: foreign.get(name) ?? [],
    own: own.get(name) ?? [],
    place: () => (node ?? slices.get(name))?.place(['metadata', 'name']) ?? snapshot.files[0] ?? '',
  });
}

const ENDED_PHASES: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

/** Whether a pod in a phase has ended, and holds nothing. */
export function hasEnded(phase: string | undefined): boolean {
  return ENDED_PHASES.has(phase ?? '');
}

function isForeign({ metadata }: RecordedPod): boolean {
  return metadata.labels[DEPLOYMENT_LABEL] === undefined;
}

/** What a device takes of a counter set, as its driver published both. */
export interface CounterDraw {
  /** The name of the set, which is unique in the pool of its slices. */
  readonly set: string;
  /** What the set has of each counter. Empty if no slice has the set. */
  readonly has: Readonly<Record<string, string>>;
  readonly takes: Readonly<Record<string, string>>;
}

/** A device that pods can claim on a node, as its driver published it. */
export interface ClaimableDevice {
  readonly driver: string;
  /** The pool of its slice. Names of devices are unique in it. */
  readonly pool: string;
  readonly device: PublishedDevice;
  /** What the counter set that it draws on has of each counter. Absent: it draws on none, or on several. */
  readonly counters?: Readonly<Record<string, string>>;
  /** The counter sets that it draws on. */
  readonly draws: readonly CounterDraw[];
  /** The place of a field of the device: `file:line:column`. */
  readonly place: (path: readonly string[]) => string;
}

/** Effects of a device taint that keep away claims without a toleration. A plan counts on devices for any claim. */
const REPELLING_EFFECTS: ReadonlySet<string> = new Set(['NoSchedule', 'NoExecute']);

/**
 * The devices of each node that a claim can get. Like the cluster's allocator, it reads only the newest generation
 * of each pool of slices, and skips pools with missing slices and tainted devices.
 */
function groupDevicesByNode({ slices }: Pick<Snapshot, 'slices'>): Map<string, ClaimableDevice[]> {
  const local = slices.filter(({ value }) => value.spec.nodeName !== undefined);
  const pools = groupBy(local, ({ value: { spec } }) => JSON.stringify([spec.driver, spec.pool.name]));
  const devices = [...pools.values()].flatMap((slices) => {
    const current = selectCurrentSlices(slices);
    const sets = new Map(current.flatMap(({ value: { spec } }) => spec.sharedCounters.map((set) => [set.name, set])));
    return current.flatMap((slice) => claimableDevicesOf(slice, sets));
  });
  const byNode = groupBy(devices, ({ node }) => node);
  return new Map([...byNode].map(([node, entries]) => [node, entries.map(({ published }) => published)]));
}

function selectCurrentSlices(
  slices: readonly RecordedObject<ResourceSlice>[],
): readonly RecordedObject<ResourceSlice>[] {
  const generation = Math.max(...slices.map(({ value }) => value.spec.pool.generation));
  const current = slices.filter(({ value }) => value.spec.pool.generation === generation);
  const complete = current.every(({ value }) => value.spec.pool.resourceSliceCount === current.length);
  return complete ? current : [];
}

type CounterSets = ReadonlyMap<string, ResourceSlice['spec']['sharedCounters'][number]>;

function claimableDevicesOf(
  { value: { spec }, place }: RecordedObject<ResourceSlice>,
  sets: CounterSets,
): { node: string; published: ClaimableDevice }[] {
  return spec.devices.flatMap((device, d) => {
    if (device.taints.some(({ effect }) => REPELLING_EFFECTS.has(effect))) return [];
    const at = (path: readonly string[]): string => place(['spec', 'devices', d, ...path]);
    const counters = countersOf(device, sets);
    const draws = device.consumesCounters.map(({ counterSet: set, counters: takes }) => {
      return { set, has: amountsOf(sets.get(set)?.counters ?? {}), takes: amountsOf(takes) };
    });
    const { driver, pool } = spec;
    const published = { driver, pool: pool.name, device, ...(counters && { counters }), draws, place: at };
    return [{ node: spec.nodeName ?? '', published }];
  });
}

function countersOf({ consumesCounters }: PublishedDevice, sets: CounterSets): Record<string, string> | undefined {
  const [consumed, ...others] = consumesCounters;
  const set = consumed && others.length === 0 ? sets.get(consumed.counterSet) : undefined;
  return set && amountsOf(set.counters);
}

/** Published amounts as a class declares them. */
export function amountsOf(counters: Readonly<Record<string, { readonly value: string }>>): Record<string, string> {
  return Object.fromEntries(
    sortedBy(Object.entries(counters), ([name]) => name).map(([name, { value }]) => [name, value]),
  );
}
