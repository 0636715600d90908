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
import type {
  CompiledCluster,
  CompiledFleet,
  MemberDemand,
  ReplicaDemand,
} from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { poolOf } from '../../scheduler/placement';
import { groupByDeployment } from '../../scheduler/placement-order';
import type { Placement } from '../../scheduler/schedule-result';

/**
 * Engines that the devices of their pools do not suit: their parallelism does not add up to what their pods claim, or
 * a device cannot compute with the numbers that they are told to use.
 */
export function findEngineDeviceWarnings(
  { deployments }: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { matcher: PodMatcher; placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const byDeployment = groupByDeployment(placements);
  const workloads = new Map(model.deployments.map((workload) => [workload.id, workload]));
  const sites = new Map(model.clusters.map((site) => [site.name, site]));
  const nodes = new Set(model.clusters.flatMap(({ pools }) => pools.map(({ node }) => node)));
  const findingsFor = createFindingsLookup([...nodes], createDeviceLookup(matcher));
  return deployments.flatMap((deployment) => {
    const id = qualifiedNameOf(deployment);
    const demands = workloads.get(id)?.demand.engines ?? [];
    return deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const demand = demands.find(({ name }) => name === engine.name);
      const findings = findingsFor({ deployment, engine, demand });
      // Of most engines there is nothing to say wherever they are.
      if (findings.size === 0) return [];
      const shapes = nodeShapesOf(engine, byDeployment.get(id) ?? [], sites);
      const found = [...shapes].flatMap((node) => findings.get(node) ?? []);
      const place: Path = ['spec', 'template', 'spec', 'engines', e];
      const faults = found.map((one) =>
        relocate(one, (path): ResourcePath => ({ resource: deployment, path: [...place, ...path] })),
      );
      return [...new Map(faults.map((fault) => [fault.message, fault])).values()];
    });
  });
}

/** The kinds of nodes that the replicas of an engine stay on. */
function nodeShapesOf(
  { name }: Engine,
  placements: readonly Placement[],
  sites: ReadonlyMap<string, CompiledCluster>,
): ReadonlySet<NodeShape> {
  const shapes = new Set<NodeShape>();
  for (const placement of placements) {
    if (placement.leaving) continue;
    const site = sites.get(placement.cluster);
    const pool = site && poolOf(site, placement, name);
    if (pool) shapes.add(pool.node);
  }
  return shapes;
}

/** An engine, and what the scheduler makes of it. */
interface PlacedEngine {
  readonly deployment: RunnableDeployment;
  readonly engine: Engine;
  readonly demand: ReplicaDemand['engines'][number] | undefined;
}

/** What is to be said of an engine, by the kinds of nodes on which anything is. */
type FindingsByNode = ReadonlyMap<NodeShape, readonly Diagnostic<Path>[]>;

/** Tells what is to be said of engines on nodes: once of those that say and ask for the same. */
function createFindingsLookup(
  nodes: readonly NodeShape[],
  devicesOn: DeviceLookup,
): (asking: PlacedEngine) => FindingsByNode {
  const known = new Map<ContainerSettings, Map<Engine, Map<PlacedEngine['demand'], FindingsByNode>>>();
  return (asking) => {
    const { deployment, engine, demand } = asking;
    const reading = containerSettingsOf(deployment, engine);
    const ofEngine = getOrCompute(
      known,
      reading,
      engine,
      () => new Map<PlacedEngine['demand'], FindingsByNode>(),
    );
    let own = ofEngine.get(demand);
    if (!own) {
      const all = nodes.map((node) => {
        return [node, [...checkEngineDevices(subjectOf(asking, node, { reading, devicesOn }))]] as const;
      });
      ofEngine.set(demand, (own = new Map(all.filter(([, found]) => found.length > 0))));
    }
    return own;
  };
}

function subjectOf(
  { engine, demand }: PlacedEngine,
  node: NodeShape,
  { reading, devicesOn }: { reading: ContainerSettings; devicesOn: DeviceLookup },
): EngineOnPool {
  return {
    engine,
    settings: reading,
    pods: engine.members.map(({ role, worker }): PodDevices | undefined => {
      const pod = demand?.members.find((member) => member.role === role)?.pod;
      const devices = pod && devicesOn(pod, node);
      return devices && { ...devices, pods: role === 'Worker' ? (worker?.nodes ?? 1) : 1 };
    }),
  };
}

type PodDeviceCount = Pick<PodDevices, 'count' | 'kinds'>;
type DeviceLookup = (pod: MemberDemand['pod'], node: NodeShape) => PodDeviceCount | undefined;

/** Tells what pods compute on, each kind of pod and of node once. */
function createDeviceLookup(matcher: PodMatcher): DeviceLookup {
  const known = new Map<MemberDemand['pod'], Map<NodeShape, PodDeviceCount | null>>();
  return (pod, node) =>
    getOrCompute(known, pod, node, () => findPodDevices(pod, node, matcher) ?? null) ?? undefined;
}

/** What a pod computes on: the devices that it claims of those that publish memory, which network cards do not. */
function findPodDevices(
  pod: MemberDemand['pod'],
  node: NodeShape,
  matcher: PodMatcher,
): PodDeviceCount | undefined {
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
