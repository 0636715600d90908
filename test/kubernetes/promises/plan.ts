import type { InferenceCluster } from '../../../src/api/inference-cluster';
import type { Resource } from '../../../src/api/kinds';
import { FleetwrightError } from '../../../src/base/errors';
import { expandModels } from '../../../src/engine/expand/expand-models';
import { assemble, type Fleet } from '../../../src/fleet/fleet';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { compileFleet } from '../../../src/plan/compile-fleet';
import { renderCluster } from '../../../src/render/cluster';
import { computeReplicas } from '../../../src/replicas/compute-replicas';
import type { ComputedReplica } from '../../../src/replicas/replica';
import { resolveRouting } from '../../../src/routing/resolve-routing';
import type { Routing } from '../../../src/routing/routing';
import type { CompiledFleet } from '../../../src/scheduler/compiled-fleet';
import { PodMatcher } from '../../../src/scheduler/devices/match-pod';
import { schedule } from '../../../src/scheduler/schedule';
import type { Schedule } from '../../../src/scheduler/schedule-result';

/** What the product decides for a fleet, and the manifests of each cluster. */
export interface Planned {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly schedule: Schedule;
  readonly matcher: PodMatcher;
  readonly replicas: readonly ComputedReplica[];
  readonly routing: Routing;
  readonly clusters: readonly {
    readonly cluster: InferenceCluster;
    readonly manifests: readonly Manifest[];
  }[];
}

/** Plans and renders a fleet from nothing, as the command line does. */
export function plan(resources: readonly Resource[]): Planned {
  const fleet = expandModels(assemble(resources), {});
  const model = compileFleet(fleet, ({ kind, metadata }, path) => `${kind} ${metadata.name} ${path.join('.')}`);
  const matcher = new PodMatcher();
  const decided = schedule(model, [], matcher);
  const replicas = computeReplicas(fleet, model, matcher, decided.placements);
  const { routing } = resolveRouting(fleet, replicas);
  const clusters = fleet.clusters.map((cluster) => ({
    cluster,
    manifests: renderCluster(cluster, replicas, { fleet, routing }),
  }));
  return { fleet, model, schedule: decided, matcher, replicas, routing, clusters };
}

/** The words of an error, whatever it is. */
export function wordsOf(error: unknown): string {
  return error instanceof FleetwrightError || error instanceof Error ? error.message : String(error);
}
