import type { ResourcePath } from '../../api/kinds';
import { type Path, qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, relocate } from '../../base/diagnostic';
import { getOrCompute } from '../../base/memoize';
import { checkEngineDevices, type EngineOnPool } from '../../engine/checks/devices';
import type { ContainerSettings } from '../../engine/container-settings';
import { containerSettingsOf } from '../../engine/ports-and-probe-defaults';
import type { Fleet } from '../../fleet/fleet';
import type { NodeShape } from '../../scheduler/compile/shapes';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { groupByDeployment, type Placement } from '../../scheduler/placement';
import {
  createDeviceLookup,
  type DeviceLookup,
  nodeShapesOf,
  type PlacedEngine,
  podDevicesOf,
  requestedDevicesOf,
} from '../placed-engines';
import { nodesOf } from './device-request-uses';

/**
 * Finds engines that do not suit the devices of their pools: their parallelism does not match the claimed devices, or a
 * device does not support the number format that they are configured to use. Of an engine without a place, it finds what
 * holds wherever its pods fit. Deployments of the alias group get warnings only, because their manifests must continue to
 * load, and so do those that are to have no replica, so that a broken one can be scaled down.
 */
export function findEngineDevices(
  { deployments }: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { matcher: PodMatcher; placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const byDeployment = groupByDeployment(placements);
  const compiledById = new Map(model.deployments.map((one) => [one.id, one]));
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  const findingsFor = createFindingsLookup(nodesOf(model.clusters), matcher);
  return deployments.flatMap((deployment) => {
    const id = qualifiedNameOf(deployment);
    const demands = compiledById.get(id)?.demand.engines ?? [];
    return deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const demand = demands.find(({ name }) => name === engine.name);
      const findings = findingsFor({ deployment, engine, demand });
      if (findings.onNode.size === 0 && findings.anywhere.length === 0) return [];
      const shapes = nodeShapesOf(engine, byDeployment.get(id) ?? [], clusters);
      const found =
        shapes.size > 0 ? [...shapes].flatMap((node) => findings.onNode.get(node) ?? []) : findings.anywhere;
      const distinct = [...new Map(found.map((one) => [one.message, one])).values()];
      const place = ['spec', 'template', 'spec', 'engines', e];
      const isStrict = deployment.group === 'fleetwright.dev' && deployment.spec.replicas > 0;
      return distinct.map((one) => ({
        ...relocate(one, (path) => ({ resource: deployment, path: [...place, ...path] })),
        ...(isStrict ? {} : { severity: 'warning' as const }),
      }));
    });
  });
}

/** The findings on an engine. */
interface EngineFindings {
  /** By kind of node. Kinds without findings are left out. */
  readonly onNode: ReadonlyMap<NodeShape, readonly Diagnostic<Path>[]>;

  /** Those on every kind of node on which its pods fit, or those of its requests alone where they fit on none. */
  readonly anywhere: readonly Diagnostic<Path>[];
}

/** Creates a function that checks an engine on all kinds of nodes, cached by settings and demand. */
function createFindingsLookup(
  nodes: readonly NodeShape[],
  matcher: PodMatcher,
): (placed: PlacedEngine) => EngineFindings {
  const devicesOn = createDeviceLookup(matcher);
  const known = new Map<ContainerSettings, Map<PlacedEngine['engine'], Map<PlacedEngine['demand'], EngineFindings>>>();
  return (placed) => {
    const { deployment, engine, demand } = placed;
    const settings = containerSettingsOf(deployment, engine);
    const ofEngine = getOrCompute(known, settings, engine, () => new Map<PlacedEngine['demand'], EngineFindings>());
    let findings = ofEngine.get(demand);
    if (!findings)
      ofEngine.set(demand, (findings = findOnAll({ engine, demand }, settings, { nodes, matcher, devicesOn })));
    return findings;
  };
}

interface KindsOfNodes {
  readonly nodes: readonly NodeShape[];
  readonly matcher: PodMatcher;
  readonly devicesOn: DeviceLookup;
}

function findOnAll(
  placed: Pick<PlacedEngine, 'engine' | 'demand'>,
  settings: ContainerSettings,
  { nodes, matcher, devicesOn }: KindsOfNodes,
): EngineFindings {
  const { engine, demand } = placed;
  const check = (pods: EngineOnPool['pods']): Diagnostic<Path>[] => [...checkEngineDevices({ engine, settings, pods })];
  const fitting = demand ? nodes.filter((node) => fitsOn(demand, node, matcher)) : [];
  const all = fitting.map((node) => [node, check(podDevicesOf(placed, node, devicesOn))] as const);
  return {
    onNode: new Map(all.filter(([, found]) => found.length > 0)),
    anywhere: all.length > 0 ? findCommon(all.map(([, found]) => found)) : check(requestedDevicesOf(placed)),
  };
}

function fitsOn({ members }: NonNullable<PlacedEngine['demand']>, node: NodeShape, matcher: PodMatcher): boolean {
  return members.every(({ pod }) => !('misfit' in matcher.fit(pod, node)));
}

/** The findings that are the same in all lists. */
function findCommon([first = [], ...others]: readonly (readonly Diagnostic<Path>[])[]): readonly Diagnostic<Path>[] {
  return first.filter(({ message }) => others.every((found) => found.some((one) => one.message === message)));
}
