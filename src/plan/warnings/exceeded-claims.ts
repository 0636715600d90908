import type { Engine } from '../../api/engine';
import type { ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { Path } from '../../api/resource';
import { type Diagnostic, relocate, warningAt } from '../../base/diagnostic';
import { capitalize } from '../../base/text';
import { type ContainerSettings, findSetting } from '../../engine/container-settings';
import { pathIn, readOptions, versionOf } from '../../engine/model-setup';
import { containerSettingsOf } from '../../engine/ports-and-probe-defaults';
import { servingMemberOf } from '../../engine/runtime-detection';
import type { Fleet } from '../../fleet/fleet';
import type { PodShape } from '../../scheduler/compile/shapes';
import type { CompiledFleet, EngineDemand } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Placement } from '../../scheduler/placement';
import { utilizationOf } from '../../sizing/overhead';
import { formatGiB } from '../../sizing/verdict';
import { GIB } from '../../sizing/weights';
import { listDeploymentLayouts } from '../model-layouts';
import { createDeviceLookup, nodeShapesOf } from '../placed-engines';
import { nodesOf } from './device-request-uses';

/**
 * Finds engines that use more memory of a GPU than their pods claim, on GPUs that pods share. A claim reserves memory, and
 * does not limit the engine.
 */
export function findExceededClaims(
  fleet: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { readonly matcher: PodMatcher; readonly placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  // Most fleets share no GPU.
  if (!nodesOf(model.clusters).some(({ kinds }) => kinds.some(({ shared }) => shared))) return [];
  const devicesOn = createDeviceLookup(matcher);
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  return listDeploymentLayouts(fleet, model, placements).flatMap(({ deployment, demands, placements: own }) =>
    deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const pod = servingPodOf(demands.find(({ name }) => name === engine.name));
      const parts = [...nodeShapesOf(engine, own, clusters)].flatMap((node) => {
        const { part, kinds: [kind] = [] } = (pod && devicesOn(pod, node)) ?? {};
        return part !== undefined && kind ? [{ part, memory: kind.memory }] : [];
      });
      const [least] = parts.sort((a, b) => a.part - b.part);
      return least ? findExcess(containerSettingsOf(deployment, engine), engine, least).map(place(deployment, e)) : [];
    }),
  );
}

function servingPodOf(demand: EngineDemand | undefined): PodShape | undefined {
  return demand?.members.find(({ role }) => role !== 'Worker')?.pod;
}

function place(resource: ModelDeployment, e: number): (found: Diagnostic<Path>) => Diagnostic<ResourcePath> {
  return (found) =>
    relocate(found, (path) => ({ resource, path: ['spec', 'template', 'spec', 'engines', e, ...path] }));
}

/** The part of a GPU that a pod claims, and the memory of the GPU in bytes. */
interface ClaimedPart {
  readonly part: number;
  readonly memory: number;
}

/** Finds whether an engine uses more of a GPU than its pod claims. Empty if its arguments do not say how much it uses. */
function findExcess(settings: ContainerSettings, engine: Engine, { part, memory }: ClaimedPart): Diagnostic<Path>[] {
  const { memory: profile, title } = settings.profile;
  const [flag] = profile?.utilization?.flags ?? [];
  if (!profile || flag === undefined || !settings.complete || findSetting(settings, profile.unsized)) return [];
  const options = readOptions(settings, profile);
  if (!options) return [];
  const { engine: version } = versionOf(profile, servingMemberOf(engine).template.spec.containers[0].image);
  const { utilization = utilizationOf(version) } = options;
  if (utilization <= part) return [];
  const [used, claimed, all] = [utilization, part, 1].map((share) => formatGiB((share * memory) / GIB));
  const why = options.utilization === undefined ? ' by default' : '';
  const what = `${title} uses ${used} of a GPU${why}, and its pod claims ${claimed} of the ${all}: pods that share the GPU may run out of memory`;
  const most = Math.floor(part * 100) / 100;
  const claim = `claim ${Math.ceil((utilization * memory) / GIB)}Gi of memory`;
  const hint = most > 0 ? `Set ${flag}=${most}, or ${claim}` : capitalize(claim);
  const at = pathIn(engine, findSetting(settings, profile.utilization)?.path);
  return [warningAt('exceeded-claim', at, what, hint)];
}
