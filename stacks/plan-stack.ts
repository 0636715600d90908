import type { InferenceCluster } from '../src/api/inference-cluster';
import { FleetwrightError, type Problem } from '../src/errors';
import type { Fleet } from '../src/fleet';
import type { Plan } from '../src/plan/plan';
import { staleLock, unplaced } from '../src/plan/refusals';
import type { Release } from '../src/provision/releases/release';
import { releasesOf } from '../src/provision/releases/releases-of';
import { renderCluster } from '../src/render/cluster';
import type { Manifest } from '../src/render/manifest';
import type { Renderer } from '../src/render/renderer';
import type { ComputedReplica } from '../src/render/replica';
import type { Routing } from '../src/routing/routing';
import { type DecidedFleet, decideFleet, type FleetSource } from './decide-fleet';
import { type Reach, reachClusters, type Reaches, unknownCluster } from './reach-clusters';

/** A fleet, and what says how its clusters are reached. */
export interface StackSource extends FleetSource, Reaches {
  /**
   * The only cluster of this stack, for a stack a cluster.
   *
   * @default - all clusters of the fleet
   */
  readonly cluster?: string;
}

/** Everything that a stack registers on one cluster. */
export interface ClusterPlan {
  readonly cluster: InferenceCluster;
  readonly reach: Reach;
  readonly releases: readonly Release[];
  readonly manifests: readonly Manifest[];
}

/** Everything that a stack registers. */
export interface StackPlan {
  /** By name. */
  readonly clusters: readonly ClusterPlan[];

  /** What was declared, with the hardware of its classes. */
  readonly fleet: Fleet;

  /** What lands on all clusters, and what renders it beside ours. */
  readonly replicas: readonly ComputedReplica[];
  readonly renderers: readonly Renderer[];

  /** What was decided, and what it changes. */
  readonly plan: Plan;

  /** How requests reach what serves. */
  readonly routing: Routing;
}

/**
 * Plans a stack, without registering anything.
 *
 * @throws FleetwrightError with everything that is wrong: the declarations, a lock that is missing or stale, replicas
 *   without a place, clusters that cannot be reached
 */
export function planStack(name: string, source: StackSource): StackPlan {
  const decided = decideFleet(source);
  const { fleet, replicas, renderers, plan, routing } = decided.decision;
  const wanted = fleet.clusters.filter(
    ({ metadata }) => source.cluster === undefined || metadata.name === source.cluster,
  );
  const { found, problems } = reachClusters(wanted, source, { fleet, locate: decided.locate });
  const all = [...unsound(name, decided), ...unknown(source, fleet), ...problems];
  if (all.length > 0) throw new FleetwrightError(all);
  const clusters = wanted.flatMap((cluster): ClusterPlan[] => {
    const reach = found.get(cluster.metadata.name);
    if (!reach) return [];
    const manifests = renderCluster(cluster, replicas, { fleet, renderers, routing });
    return [{ cluster, reach, releases: releasesOf(cluster, fleet), manifests }];
  });
  return { clusters, fleet, replicas, renderers, plan, routing };
}

function unsound(name: string, { decision, target, unlocked }: DecidedFleet): Problem[] {
  const stale = target.lock !== undefined && (unlocked || decision.stale);
  return [...(stale ? [staleLock(target, unlocked)] : []), ...unplaced(decision.plan, name, target)];
}

function unknown({ cluster }: StackSource, { clusters }: Fleet): Problem[] {
  const names = clusters.map(({ metadata }) => metadata.name);
  return cluster === undefined || names.includes(cluster) ? [] : [unknownCluster(cluster, names)];
}
