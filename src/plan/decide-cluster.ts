import type { Locate } from '../api/kinds';
import { expandModels } from '../engine/expand/expand-models';
import type { Fleet } from '../fleet/fleet';
import type { PolicyDiagnostic } from '../fleet/policy';
import type { Renderer } from '../render/renderer';
import { createRendererSelector } from '../render/renderers';
import { computeReplicas } from '../replicas/compute-replicas';
import type { ComputedReplica } from '../replicas/replica';
import { resolveRoutingOrThrow } from '../routing/resolve-routing';
import type { Routing } from '../routing/routing';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import { PodMatcher } from '../scheduler/devices/match-pod';
import type { Lock } from '../scheduler/lock/lock';
import { checkClusterLock } from '../scheduler/lock/compare-locks';
import { wavesOf } from '../scheduler/rollout-waves';
import { refuseDuplicatePorts } from './checks/container-ports';
import { refuseUnknownEngines } from './checks/locked-engines';
import { permittedRevisions } from './checks/namespace-rules';
import { refuseCrowdedSurges } from './checks/crowded-surges';
import { refusePausedChanges } from './checks/paused-changes';
import { compileFleet, refuseImpossibleRequests } from './compile-fleet';
import type { ClusterNeeds } from './plan';
import { computeCostOfPlacements, resolvePlacements } from './plan-cost';
import { checkPolicies } from './policy/check-policies';
import { createUsageLookup } from './replica-usage';
import { findRequiredObjects } from './required-objects';

/** What the lock places on one cluster, with the checks for it. */
export interface ClusterDecision {
  readonly fleet: Fleet;

  /** The replicas on the cluster. Empty if the lock file is out of date. */
  readonly replicas: readonly ComputedReplica[];

  /** Renderers in addition to the built-in one. */
  readonly renderers: readonly Renderer[];

  /** The routing of the whole fleet. */
  readonly routing: Routing;

  /** Policy rules that the fleet does not meet with all lines of the lock. Empty if the lock file is out of date. */
  readonly policies: readonly PolicyDiagnostic[];

  /** Objects that must exist on the cluster before manifests are applied. Empty if the lock file is out of date. */
  readonly mustExist: readonly ClusterNeeds[];

  /** Whether the lock differs for this cluster from what would be decided now. */
  readonly outOfDate: boolean;

  /** The deployments for which it differs, sorted. */
  readonly changed: readonly string[];
}

/** The name of a cluster, and the renderers in addition to the built-in one. */
export interface ClusterTarget {
  readonly cluster: string;
  readonly renderers: readonly Renderer[];
}

/**
 * Reads the replicas of one cluster from the lock, and checks them for this cluster alone. It places nothing. With an
 * up-to-date lock, the result is the same as a decision for the whole fleet.
 *
 * @throws FleetwrightError with every problem of the declarations of the whole fleet
 */
export function decideCluster(
  declared: Fleet,
  locate: Locate,
  lock: Lock,
  { cluster, renderers }: ClusterTarget,
): ClusterDecision {
  const rendererFor = createRendererSelector(renderers);
  const whole = expandModels(declared, lock);
  const fleet = { ...whole, former: permittedRevisions(whole, lock.shapes) };
  const model = compileFleet(fleet, locate);
  refuseImpossibleRequests(fleet, locate);
  refuseUnknownEngines(model, lock);
  const matcher = new PodMatcher();
  const { lines, evictions, withoutSurge, changed } = checkClusterLock(model, lock, cluster, matcher);
  const outOfDate = changed.length > 0;
  refuseDuplicatePorts(fleet, locate);
  refusePausedChanges(fleet, model, { evictions }, locate);
  refuseCrowdedSurges(fleet, { withoutSurge }, new Set(), locate);
  const { routing } = resolveRoutingOrThrow(fleet, resolvePlacements(fleet, lock.placements), locate);
  const waves = wavesOf(lock.placements, model.deployments);
  const computed = outOfDate ? [] : computeReplicas(fleet, model, matcher, lines);
  const replicas = computed.map((replica, i) => {
    const line = lines[i];
    return { ...replica, wave: (line && waves.get(line)) ?? replica.wave };
  });
  const policies = outOfDate ? [] : checkPoliciesOfLock(fleet, { model, matcher, lock }, locate);
  const clusterFleet = { ...fleet, clusters: fleet.clusters.filter(({ metadata }) => metadata.name === cluster) };
  const mustExist = outOfDate ? [] : findRequiredObjects(clusterFleet, { replicas, routing }, rendererFor);
  return { fleet, replicas, renderers, routing, policies, mustExist, outOfDate, changed };
}

interface LockedFleet {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly lock: Lock;
}

/**
 * Checks the policies of the whole fleet with the placements of the lock, because budgets and quotas cover more than
 * one cluster. An accepted lock moves no replica.
 */
function checkPoliciesOfLock(fleet: Fleet, { model, matcher, lock }: LockedFleet, locate: Locate): PolicyDiagnostic[] {
  const { placements } = lock;
  if (!fleet.policies?.length) return [];
  const cost = computeCostOfPlacements(fleet, placements, createUsageLookup(model, matcher));
  return checkPolicies({ fleet, model, matcher, totals: { move: 0 }, cost, placements }, locate);
}
