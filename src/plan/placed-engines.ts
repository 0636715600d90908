import type { Engine } from '../api/engine';
import { getOrCompute } from '../base/memoize';
import type { PodDevices } from '../engine/checks/devices';
import type { RunnableDeployment } from '../engine/runtime-detection';
import type { DeviceKind, NodeShape } from '../scheduler/compile/shapes';
import type { CompiledCluster, MemberDemand, ReplicaDemand } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { type Placement, poolOf } from '../scheduler/placement';

/** The kinds of nodes on which an engine is placed, without draining replicas. */
export function nodeShapesOf(
  { name }: Engine,
  placements: readonly Placement[],
  clusters: ReadonlyMap<string, CompiledCluster>,
): ReadonlySet<NodeShape> {
  const shapes = new Set<NodeShape>();
  for (const placement of placements) {
    if (placement.draining) continue;
    const cluster = clusters.get(placement.cluster);
    const pool = cluster && poolOf(cluster, placement, name);
    if (pool) shapes.add(pool.node);
  }
  return shapes;
}

/** An engine of a deployment, with its demand on the scheduler. */
export interface PlacedEngine {
  readonly deployment: RunnableDeployment;
  readonly engine: Engine;
  readonly demand: ReplicaDemand['engines'][number] | undefined;
}

/** The devices of the pods of each member of an engine on a kind of node. */
export function podDevicesOf(
  placed: Pick<PlacedEngine, 'engine' | 'demand'>,
  node: NodeShape,
  devicesOn: DeviceLookup,
): (PodDevicesOnNode | undefined)[] {
  return findPodDevicesOf(placed, (pod) => devicesOn(pod, node));
}

/**
 * The devices of the pods of each member of an engine, wherever they are. Not known of a pod with several requests: some may
 * be for network cards.
 */
export function requestedDevicesOf(placed: Pick<PlacedEngine, 'engine' | 'demand'>): (PodDevicesOnNode | undefined)[] {
  return findPodDevicesOf(placed, ({ requests }) => {
    const [first, ...others] = requests.flatMap(({ alternatives }) => alternatives);
    return first && others.length === 0 && !first.all ? { count: first.count, kinds: [] } : undefined;
  });
}

function findPodDevicesOf(
  { engine, demand }: Pick<PlacedEngine, 'engine' | 'demand'>,
  find: (pod: MemberDemand['pod']) => PodDeviceCount | undefined,
): (PodDevicesOnNode | undefined)[] {
  return engine.members.map(({ role, worker }) => {
    const pod = demand?.members.find((member) => member.role === role)?.pod;
    const devices = pod && find(pod);
    return devices && { ...devices, pods: role === 'Worker' ? (worker?.nodes ?? 1) : 1 };
  });
}

/** The devices that a pod computes on, as the scheduler knows them. */
export interface PodDeviceCount {
  readonly count: number;
  readonly kinds: readonly DeviceKind[];

  /** The part of the memory of each that it claims, from 0 to 1. Absent: all of it, or it is not known. */
  readonly part?: number;
}

type PodDevicesOnNode = PodDeviceCount & Pick<PodDevices, 'pods'>;

/** Finds the devices that a pod computes on. Undefined if it does not fit or may get different numbers of them. */
export type DeviceLookup = (pod: MemberDemand['pod'], node: NodeShape) => PodDeviceCount | undefined;

/** Creates a function that returns the devices that a pod computes on, cached by kind of pod and kind of node. */
export function createDeviceLookup(matcher: PodMatcher): DeviceLookup {
  const known = new Map<MemberDemand['pod'], Map<NodeShape, PodDeviceCount | null>>();
  return (pod, node) => getOrCompute(known, pod, node, () => findPodDevices(pod, node, matcher) ?? null) ?? undefined;
}

/**
 * Finds the devices that a pod computes on: the claimed devices that publish memory, which network cards do not.
 * Returns `undefined` if the pod does not fit, or if its alternatives claim different numbers of devices.
 */
function findPodDevices(pod: MemberDemand['pod'], node: NodeShape, matcher: PodMatcher): PodDeviceCount | undefined {
  const fit = matcher.fit(pod, node);
  if ('misfit' in fit) return undefined;
  const computing = new Set(node.kinds.filter(({ memory }) => memory > 0).map((kind) => kind.claimedAs));
  const claims = fit.claims.filter(({ forms }) => forms.some((form) => computing.has(form.claimedAs)));
  const counts = claims.map(({ forms }) => new Set(forms.map(({ count }) => count)));
  if (counts.some(({ size }) => size > 1)) return undefined;
  const forms = pod.requests.flatMap(({ alternatives }) => alternatives);
  const kinds = node.kinds.filter((_, k) =>
    forms.some((form) => matcher.requests.verdicts(form, node)[k]?.kind === 'match'),
  );
  const count = counts.reduce((sum, one) => sum + ([...one][0] ?? 0), 0);
  const [memory = 0, ...others] = new Set(kinds.map((kind) => kind.memory));
  const part =
    others.length === 0 && claims.every(({ forms }) => forms.length === 1) ? fit.memory / (count * memory) : 1;
  return { count, kinds, ...(part < 1 && { part }) };
}
