import type { Locate } from '../api/locate';
import { deploymentsById } from '../deployments-by-id';
import type { Fleet } from '../fleet';
import type { PolicyFinding } from '../policy/policy';
import type { Renderer } from '../render/renderer';
import { rendererAmong } from '../render/renderers';
import { type ComputedReplica, computeReplicas } from '../render/replica';
import type { Routing } from '../routing/routing';
import type { RoutedReplica } from '../routing/units';
import { compile } from '../scheduler/compile';
import type { Lock } from '../scheduler/lock';
import { Matcher } from '../scheduler/matcher';
import type { Model } from '../scheduler/model';
import { checkShare } from '../scheduler/share';
import type { Placement } from '../scheduler/types';
import { wavesOf } from '../scheduler/waves';
import { type ClusterNeeds, clusterNeeds } from './cluster-needs';
import { costWith } from './plan-cost';
import { policiesOf } from './policies-of';
import { refuseSharedPorts } from './shared-ports';
import { soundRouting } from './sound-routing';
import { refuseThawing } from './thawing';
import { usages } from './usages';

/** What lands on one cluster, as the lock has it. */
export interface Share {
  readonly fleet: Fleet;

  /** What lands on the cluster. Empty where the lock is stale. */
  readonly replicas: readonly ComputedReplica[];

  /** What renders it, beside ours. */
  readonly renderers: readonly Renderer[];

  /** How requests reach replicas everywhere. */
  readonly routing: Routing;

  /** Rules of the fleet that it does not meet with all lines of the lock as they are. Empty where the lock is stale. */
  readonly policies: readonly PolicyFinding[];

  /** What has to be on the cluster before manifests are applied. Empty where the lock is stale. */
  readonly mustExist: readonly ClusterNeeds[];

  /** Whether what the lock says of the cluster is not what would be decided now. */
  readonly stale: boolean;
}

/** A cluster of a fleet, and what renders replicas beside ours. */
export interface Asked {
  readonly cluster: string;
  readonly renderers: readonly Renderer[];
}

/**
 * What lands on one cluster. It is read from the lock and checked for this cluster alone; nothing is placed. With a
 * lock that is up to date it is what deciding the whole fleet yields.
 *
 * @throws FleetwrightError with every problem of the declarations, of the whole fleet
 */
export function decideShare(
  declared: Fleet,
  locate: Locate,
  lock: Lock,
  { cluster, renderers }: Asked,
): Share {
  const rendererFor = rendererAmong(renderers);
  const fleet = { ...declared, former: lock.shapes };
  const model = compile(fleet, locate);
  const matcher = new Matcher();
  const { lines, evictions, stale } = checkShare(model, lock, cluster, matcher);
  refuseSharedPorts(fleet, locate);
  refuseThawing(fleet, model, { evictions }, locate);
  const { routing } = soundRouting(fleet, placedIn(fleet, lock.placements), locate);
  const waves = wavesOf(lock.placements, model.workloads);
  const computed = stale ? [] : computeReplicas(fleet, model, matcher, lines);
  const replicas = computed.map((replica, i) => {
    const line = lines[i];
    return { ...replica, wave: (line && waves.get(line)) ?? replica.wave };
  });
  const policies = stale ? [] : sharePolicies(fleet, { model, matcher, lock }, locate);
  const alone = { ...fleet, clusters: fleet.clusters.filter(({ metadata }) => metadata.name === cluster) };
  const mustExist = stale ? [] : clusterNeeds(alone, { replicas, routing }, rendererFor);
  return { fleet, replicas, renderers, routing, policies, mustExist, stale };
}

interface Locked {
  readonly model: Model;
  readonly matcher: Matcher;
  readonly lock: Lock;
}

/**
 * What rules say of the whole fleet, with replicas where the lock has them on any cluster: a budget or a quota is none of
 * one cluster alone. A lock that is accepted moves nothing.
 */
function sharePolicies(fleet: Fleet, { model, matcher, lock }: Locked, locate: Locate): PolicyFinding[] {
  const { placements } = lock;
  if (!fleet.policies?.length) return [];
  const cost = costWith(fleet, placements, usages(model, matcher));
  return policiesOf({ fleet, model, matcher, totals: { move: 0 }, cost, placements }, locate);
}

/** Replicas as far as routes ask: what they are made of elsewhere is not looked at. */
function placedIn({ clusters, deployments }: Fleet, placements: readonly Placement[]): RoutedReplica[] {
  const sites = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const declared = deploymentsById(deployments);
  return placements.flatMap((placement) => {
    const [cluster, deployment] = [sites.get(placement.cluster), declared.get(placement.deployment)];
    return cluster && deployment ? [{ cluster, deployment, index: placement.index }] : [];
  });
}
