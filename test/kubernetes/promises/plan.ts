import type { InferenceCluster } from '../../../src/api/inference-cluster';
import { FleetwrightError } from '../../../src/errors';
import { assemble, type Fleet } from '../../../src/fleet';
import { renderCluster } from '../../../src/render/cluster';
import type { Manifest } from '../../../src/render/manifest';
import { type ComputedReplica, computeReplicas } from '../../../src/render/replica';
import { resolveRouting } from '../../../src/routing/resolve';
import type { Routing } from '../../../src/routing/routing';
import { compile } from '../../../src/scheduler/compile';
import { Matcher } from '../../../src/scheduler/matcher';
import type { Model } from '../../../src/scheduler/model';
import { schedule } from '../../../src/scheduler/schedule';
import type { Schedule } from '../../../src/scheduler/types';
import type { Resource } from '../../../src/api/kinds';

/** What the product decides for a fleet, and the manifests of each cluster. */
export interface Planned {
  readonly fleet: Fleet;
  readonly model: Model;
  readonly schedule: Schedule;
  readonly matcher: Matcher;
  readonly replicas: readonly ComputedReplica[];
  readonly routing: Routing;
  readonly clusters: readonly {
    readonly cluster: InferenceCluster;
    readonly manifests: readonly Manifest[];
  }[];
}

/** Plans and renders a fleet from nothing, as the command line does. */
export function plan(resources: readonly Resource[]): Planned {
  const fleet = assemble(resources);
  const model = compile(fleet, ({ kind, metadata }, path) => `${kind} ${metadata.name} ${path.join('.')}`);
  const matcher = new Matcher();
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
