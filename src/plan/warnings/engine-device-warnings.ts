import type { Engine } from '../../api/engine';
import type { ResourcePath } from '../../api/kinds';
import { type Path, qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, relocate } from '../../base/diagnostic';
import { getOrCompute } from '../../base/memoize';
import { checkEngineDevices, type EngineOnPool, type PodDevices } from '../../engine/checks/devices';
import type { ContainerSettings } from '../../engine/container-settings';
import { containerSettingsOf } from '../../engine/ports-and-probe-defaults';
import type { RunnableDeployment } from '../../engine/runtime-detection';
import type { Fleet } from '../../fleet/fleet';
import type { NodeShape } from '../../scheduler/compile/shapes';
import type { CompiledCluster, CompiledFleet, MemberDemand, ReplicaDemand } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { groupByDeployment, type Placement, poolOf } from '../../scheduler/placement';
import { nodesOf } from './device-request-uses';

/**
 * Finds engines that do not suit the devices of their pools: their parallelism does not match the claimed devices, or a
 * device does not support the number format that they are configured to use.
 */
export function findEngineDeviceWarnings(
  { deployments }: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { matcher: PodMatcher; placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const byDeployment = groupByDeployment(placements);
  const compiledById = new Map(model.deployments.map((one) => [one.id, one]));
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  const findingsFor = createFindingsLookup(nodesOf(model.clusters), createDeviceLookup(matcher));
  return deployments.flatMap((deployment) => {
    const id = qualifiedNameOf(deployment);
    const demands = compiledById.get(id)?.demand.engines ?? [];
    return deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const demand = demands.find(({ name }) => name === engine.name);
      const findings = findingsFor({ deployment, engine, demand });
      if (findings.size === 0) return [];
      const shapes = nodeShapesOf(engine, byDeployment.get(id) ?? [], clusters);
      const found = [...shapes].flatMap((node) => findings.get(node) ?? []);
      const distinct = [...new Map(found.map((one) => [one.message, one])).values()];
      const place = ['spec', 'template', 'spec', 'engines', e];
      return distinct.map((one) => relocate(one, (path) => ({ resource: deployment, path: [...place, ...path] })));
    });
  });
}

/** The kinds of nodes on which an engine is placed, without leaving replicas. */
function nodeShapesOf(
  { name }: Engine,
  placements: readonly Placement[],
  clusters: ReadonlyMap<string, CompiledCluster>,
): ReadonlySet<NodeShape> {
  const shapes = new Set<NodeShape>();
  for (const placement of placements) {
    if (placement.leaving) continue;
    const cluster = clusters.get(placement.cluster);
    const pool = cluster && poolOf(cluster, placement, name);
    if (pool) shapes.add(pool.node);
  }
  return shapes;
}

interface PlacedEngine {
  readonly deployment: RunnableDeployment;
  readonly engine: Engine;
  readonly demand: ReplicaDemand['engines'][number] | undefined;
}

/** The findings on an engine, by kind of node. Kinds without findings are left out. */
type FindingsByNode = ReadonlyMap<NodeShape, readonly Diagnostic<Path>[]>;

/** Creates a function that checks an engine on all kinds of nodes, cached by settings and demand. */
function createFindingsLookup(
  nodes: readonly NodeShape[],
  devicesOn: DeviceLookup,
): (placed: PlacedEngine) => FindingsByNode {
  const known = new Map<ContainerSettings, Map<Engine, Map<PlacedEngine['demand'], FindingsByNode>>>();
  return (placed) => {
    const { deployment, engine, demand } = placed;
    const settings = containerSettingsOf(deployment, engine);
    const ofEngine = getOrCompute(known, settings, engine, () => new Map<PlacedEngine['demand'], FindingsByNode>());
    let findings = ofEngine.get(demand);
    if (!findings) {
      const all = nodes.map((node) => {
        const pods = podDevicesOf(placed, node, devicesOn);
        return [node, [...checkEngineDevices({ engine, settings, pods })]] as const;
      });
      ofEngine.set(demand, (findings = new Map(all.filter(([, found]) => found.length > 0))));
    }
    return findings;
  };
}

/** The devices of the pods of each member of an engine on a kind of node. */
function podDevicesOf(
  { engine, demand }: PlacedEngine,
  node: NodeShape,
  devicesOn: DeviceLookup,
): EngineOnPool['pods'] {
  return engine.members.map(({ role, worker }) => {
    const pod = demand?.members.find((member) => member.role === role)?.pod;
    const devices = pod && devicesOn(pod, node);
    return devices && { ...devices, pods: role === 'Worker' ? (worker?.nodes ?? 1) : 1 };
  });
}

type PodDeviceCount = Pick<PodDevices, 'count' | 'kinds'>;
type DeviceLookup = (pod: MemberDemand['pod'], node: NodeShape) => PodDeviceCount | undefined;

/** Creates a function that returns the devices that a pod computes on, cached by kind of pod and kind of node. */
function createDeviceLookup(matcher: PodMatcher): DeviceLookup {
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
  return { count: counts.reduce((sum, one) => sum + ([...one][0] ?? 0), 0), kinds };
}
