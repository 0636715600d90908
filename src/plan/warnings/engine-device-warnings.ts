import type { ResourcePath } from '../../api/kinds';
import { type Path, qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, relocate } from '../../base/diagnostic';
import { getOrCompute } from '../../base/memoize';
import { checkEngineDevices } from '../../engine/checks/devices';
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
} from '../placed-engines';
import { nodesOf } from './device-request-uses';

/**
 * Finds engines that do not suit the devices of their pools: their parallelism does not match the claimed devices, or a
 * device does not support the number format that they are configured to use. Deployments of the alias group get warnings
 * only, because their manifests must continue to load.
 */
export function findEngineDevices(
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
      const lenient = deployment.group === 'fleetwright.dev' ? {} : { severity: 'warning' as const };
      return distinct.map((one) => ({
        ...relocate(one, (path) => ({ resource: deployment, path: [...place, ...path] })),
        ...lenient,
      }));
    });
  });
}

/** The findings on an engine, by kind of node. Kinds without findings are left out. */
type FindingsByNode = ReadonlyMap<NodeShape, readonly Diagnostic<Path>[]>;

/** Creates a function that checks an engine on all kinds of nodes, cached by settings and demand. */
function createFindingsLookup(
  nodes: readonly NodeShape[],
  devicesOn: DeviceLookup,
): (placed: PlacedEngine) => FindingsByNode {
  const known = new Map<ContainerSettings, Map<PlacedEngine['engine'], Map<PlacedEngine['demand'], FindingsByNode>>>();
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
