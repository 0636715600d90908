import type { Locate } from '../api/kinds';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { PolicyDiagnostic } from '../fleet/policy';
import { createRendererSelector, type Renderer } from '../render/renderer';
import { computeReplicas } from '../replicas/compute-replicas';
import type { ComputedReplica } from '../replicas/replica';
import { resolveRoutingOrThrow } from '../routing/resolve-routing';
import type { Routing } from '../routing/routing';
import type { RoutedReplica } from '../routing/selectables';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import { PodMatcher } from '../scheduler/devices/match-pod';
import type { Lock } from '../scheduler/lock/lock';
import { checkClusterLock } from '../scheduler/lock/staleness';
import { wavesOf } from '../scheduler/rollout-waves';
import type { Placement } from '../scheduler/schedule-result';
import { refuseDuplicatePorts } from './checks/container-ports';
import { refusePausedChanges } from './checks/paused-changes';
import { compileFleet } from './compile-fleet';
import type { ClusterNeeds } from './plan';
import { computeCostOfPlacements } from './plan-cost';
import { checkPolicies } from './policy/check-policies';
import { createUsageLookup } from './replica-usage';
import { findRequiredObjects } from './required-objects';

/** What lands on one cluster, as the lock has it. */
export interface ClusterDecision {
  readonly fleet: Fleet;

  /** What lands on the cluster. Empty where the lock is stale. */
  readonly replicas: readonly ComputedReplica[];

  /** What renders it, beside ours. */
  readonly renderers: readonly Renderer[];

  /** How requests reach replicas everywhere. */
  readonly routing: Routing;

  /** Rules of the fleet that it does not meet with all lines of the lock as they are. Empty where the lock is stale. */
  readonly policies: readonly PolicyDiagnostic[];

  /** What has to be on the cluster before manifests are applied. Empty where the lock is stale. */
  readonly mustExist: readonly ClusterNeeds[];

  /** Whether what the lock says of the cluster is not what would be decided now. */
  readonly stale: boolean;
}

/** A cluster of a fleet, and what renders replicas beside ours. */
export interface ClusterTarget {
  readonly cluster: string;
  readonly renderers: readonly Renderer[];
}

/**
 * What lands on one cluster. It is read from the lock and checked for this cluster alone; nothing is placed. With a
 * lock that is up to date it is what deciding the whole fleet yields.
 *
 * @throws FleetwrightError with every problem of the declarations, of the whole fleet
 */
export function decideCluster(
  declared: Fleet,
  locate: Locate,
  lock: Lock,
  { cluster, renderers }: ClusterTarget,
): ClusterDecision {
  const rendererFor = createRendererSelector(renderers);
  const fleet = { ...declared, former: lock.shapes };
  const model = compileFleet(fleet, locate);
  const matcher = new PodMatcher();
  const { lines, evictions, stale } = checkClusterLock(model, lock, cluster, matcher);
  refuseDuplicatePorts(fleet, locate);
  refusePausedChanges(fleet, model, { evictions }, locate);
  const { routing } = resolveRoutingOrThrow(fleet, routedReplicasOf(fleet, lock.placements), locate);
  const waves = wavesOf(lock.placements, model.deployments);
  const computed = stale ? [] : computeReplicas(fleet, model, matcher, lines);
  const replicas = computed.map((replica, i) => {
    const line = lines[i];
    return { ...replica, wave: (line && waves.get(line)) ?? replica.wave };
  });
  const policies = stale ? [] : checkPoliciesOfLock(fleet, { model, matcher, lock }, locate);
  const alone = { ...fleet, clusters: fleet.clusters.filter(({ metadata }) => metadata.name === cluster) };
  const mustExist = stale ? [] : findRequiredObjects(alone, { replicas, routing }, rendererFor);
  return { fleet, replicas, renderers, routing, policies, mustExist, stale };
}

interface LockedFleet {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly lock: Lock;
}

/**
 * What rules say of the whole fleet, with replicas where the lock has them on any cluster: a budget or a quota is none of
 * one cluster alone. A lock that is accepted moves nothing.
 */
function checkPoliciesOfLock(
  fleet: Fleet,
  { model, matcher, lock }: LockedFleet,
  locate: Locate,
): PolicyDiagnostic[] {
  const { placements } = lock;
  if (!fleet.policies?.length) return [];
  const cost = computeCostOfPlacements(fleet, placements, createUsageLookup(model, matcher));
  return checkPolicies({ fleet, model, matcher, totals: { move: 0 }, cost, placements }, locate);
}

/** Replicas as far as routes ask: what they are made of elsewhere is not looked at. */
function routedReplicasOf(
  { clusters, deployments }: Fleet,
  placements: readonly Placement[],
): RoutedReplica[] {
  const sites = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const declared = indexDeploymentsById(deployments);
  return placements.flatMap((placement) => {
    const [cluster, deployment] = [sites.get(placement.cluster), declared.get(placement.deployment)];
    return cluster && deployment ? [{ cluster, deployment, index: placement.index }] : [];
  });
}
