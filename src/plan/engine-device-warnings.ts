import type { Fault } from '../api/checks/fault';
import type { Engine } from '../api/engine';
import { type Finding, type Path, qualifiedName } from '../api/resource';
import { checkDevices, type DeviceSubject, type PodDevices } from '../engine/checks/devices';
import type { Reading } from '../engine/arguments';
import type { Runs } from '../engine/runs';
import { readingOf } from '../engine/serving';
import type { Fleet } from '../fleet';
import type { Matcher } from '../scheduler/matcher';
import { memo } from '../memo';
import { linesOf } from '../scheduler/lines';
import type { Demand, Member, Model, Site } from '../scheduler/model';
import { poolOf } from '../scheduler/pool-of';
import type { NodeShape } from '../scheduler/shapes';
import type { Placement } from '../scheduler/types';

/**
 * Engines that the devices of their pools do not suit: their parallelism does not add up to what their pods claim, or
 * a device cannot compute with the numbers that they are told to use.
 */
export function engineDeviceWarnings(
  { deployments }: Fleet,
  model: Model,
  { matcher, placements }: { matcher: Matcher; placements: readonly Placement[] },
): Fault[] {
  const byDeployment = linesOf(placements);
  const workloads = new Map(model.workloads.map((workload) => [workload.id, workload]));
  const sites = new Map(model.sites.map((site) => [site.name, site]));
  const nodes = new Set(model.sites.flatMap(({ pools }) => pools.map(({ node }) => node)));
  const findingsFor = findingsOf([...nodes], devicesOf(matcher));
  return deployments.flatMap((deployment) => {
    const id = qualifiedName(deployment);
    const demands = workloads.get(id)?.demand.engines ?? [];
    return deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const demand = demands.find(({ name }) => name === engine.name);
      const findings = findingsFor({ deployment, engine, demand });
      // Of most engines there is nothing to say wherever they are.
      if (findings.size === 0) return [];
      const shapes = shapesUnder(engine, byDeployment.get(id) ?? [], sites);
      const found = [...shapes].flatMap((node) => findings.get(node) ?? []);
      const place: Path = ['spec', 'template', 'spec', 'engines', e];
      const faults = found.map(({ path, ...said }): Fault => {
        return { ...said, resource: deployment, path: [...place, ...path] };
      });
      return [...new Map(faults.map((fault) => [fault.what, fault])).values()];
    });
  });
}

/** The kinds of nodes that the replicas of an engine stay on. */
function shapesUnder(
  { name }: Engine,
  placements: readonly Placement[],
  sites: ReadonlyMap<string, Site>,
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
interface Asking {
  readonly deployment: Runs;
  readonly engine: Engine;
  readonly demand: Demand['engines'][number] | undefined;
}

/** What is to be said of an engine, by the kinds of nodes on which anything is. */
type Findings = ReadonlyMap<NodeShape, readonly Finding[]>;

/** Tells what is to be said of engines on nodes: once of those that say and ask for the same. */
function findingsOf(nodes: readonly NodeShape[], devicesOn: DevicesOn): (asking: Asking) => Findings {
  const known = new Map<Reading, Map<Engine, Map<Asking['demand'], Findings>>>();
  return (asking) => {
    const { deployment, engine, demand } = asking;
    const reading = readingOf(deployment, engine);
    const ofEngine = memo(known, reading, engine, () => new Map<Asking['demand'], Findings>());
    let own = ofEngine.get(demand);
    if (!own) {
      const all = nodes.map((node) => {
        return [node, [...checkDevices(subjectOf(asking, node, { reading, devicesOn }))]] as const;
      });
      ofEngine.set(demand, (own = new Map(all.filter(([, found]) => found.length > 0))));
    }
    return own;
  };
}

function subjectOf(
  { engine, demand }: Asking,
  node: NodeShape,
  { reading, devicesOn }: { reading: Reading; devicesOn: DevicesOn },
): DeviceSubject {
  return {
    engine,
    reading,
    pods: engine.members.map(({ role, worker }): PodDevices | undefined => {
      const pod = demand?.members.find((member) => member.role === role)?.pod;
      const devices = pod && devicesOn(pod, node);
      return devices && { ...devices, pods: role === 'Worker' ? (worker?.nodes ?? 1) : 1 };
    }),
  };
}

type Devices = Pick<PodDevices, 'count' | 'kinds'>;
type DevicesOn = (pod: Member['pod'], node: NodeShape) => Devices | undefined;

/** Tells what pods compute on, each kind of pod and of node once. */
function devicesOf(matcher: Matcher): DevicesOn {
  const known = new Map<Member['pod'], Map<NodeShape, Devices | null>>();
  return (pod, node) => memo(known, pod, node, () => devicesOn(pod, node, matcher) ?? null) ?? undefined;
}

/** What a pod computes on: the devices that it claims of those that publish memory, which network cards do not. */
function devicesOn(pod: Member['pod'], node: NodeShape, matcher: Matcher): Devices | undefined {
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
