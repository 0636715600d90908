import type { InferenceCluster } from '../src/api/inference-cluster';
import type { Locate } from '../src/api/kinds';
import { attempt } from '../src/base/attempt';
import { FleetwrightError, type Problem } from '../src/base/errors';
import type { Fleet } from '../src/fleet/fleet';
import type { Manifest } from '../src/manifest/kubernetes/manifest';
import { diagnoseDenials, diagnoseStaleLock, diagnoseUnplaced } from '../src/plan/apply-blockers';
import { decide } from '../src/plan/decide';
import { decideCluster } from '../src/plan/decide-cluster';
import type { Plan } from '../src/plan/plan';
import { planDnsRecords, type PlannedRecord } from '../src/provision/dns-records';
import { releasesOf } from '../src/provision/releases/cluster-releases';
import type { Release } from '../src/provision/releases/release';
import { servingObjects } from '../src/provision/releases/serving-objects';
import { renderCluster } from '../src/render/cluster';
import type { Renderer } from '../src/render/renderer';
import type { ComputedReplica } from '../src/replicas/replica';
import type { Routing } from '../src/routing/routing';
import { checkProvidersInstalled, checkSharedRecords } from './dns-records';
import { checkLockExists, type FleetSource, type LoadedFleetSource, readFleetSource } from './fleet-source';
import {
  checkUnknownClusters,
  type ClusterSource,
  type ClusterSources,
  resolveClusters,
} from './resolve-clusters';

/** A fleet, and what says how its clusters are reached. */
export interface StackSource extends FleetSource, ClusterSources {
  /**
   * The only cluster of this stack, for a stack a cluster. With a lock nothing is decided then: what the lock says of
   * this cluster is checked, and how many replicas it has of each deployment there. Rules of the fleet are judged with
   * all that the lock has, on any cluster.
   *
   * @default - all clusters of the fleet
   */
  readonly cluster?: string;
}

/** Everything that a stack registers on one cluster. */
export interface ClusterPlan {
  readonly cluster: InferenceCluster;
  readonly reach: ClusterSource;
  readonly releases: readonly Release[];

  /** What the releases need and no chart brings. */
  readonly servingObjects: readonly Manifest[];
  readonly manifests: readonly Manifest[];
}

/** Everything that a stack registers. */
export interface StackPlan {
  /** By name. */
  readonly clusters: readonly ClusterPlan[];

  /** What was declared, with the hardware of its classes. */
  readonly fleet: Fleet;
  readonly locate: Locate;

  /** What lands on all clusters, or on the only one, and what renders it beside ours. */
  readonly replicas: readonly ComputedReplica[];
  readonly renderers: readonly Renderer[];

  /** What was decided, and what it changes. Undefined where only what the lock says of one cluster was checked. */
  readonly plan: Plan | undefined;

  /** Rules of the fleet that are not met. */
  readonly policies: Plan['policies'];

  /** What has to be on the clusters of the stack before manifests are applied. */
  readonly mustExist: Plan['mustExist'];

  /** How requests reach what serves. */
  readonly routing: Routing;

  /** The records that are written of host names of gateways. */
  readonly records: readonly PlannedRecord[];
}

/**
 * Plans a stack, without registering anything.
 *
 * @param whole whether what lands on other clusters is needed as well
 * @throws FleetwrightError with everything that is wrong: the declarations, a lock that is missing or stale, rules of
 *   the fleet that deny the plan, replicas without a place, clusters that cannot be reached
 */
export function planStack(name: string, source: StackSource, whole = false): StackPlan {
  const read = readFleetSource(source, (part, locate, unread) => [
    ...resolveStackClusters(source, part, locate).problems,
    ...checkUnknownClusters(source, source.cluster, part, unread),
  ]);
  const { fleet: declared, locate } = read.judged;
  const { wanted, found, problems } = resolveStackClusters(source, declared, locate);
  const taken = attempt(() => decideSource(name, read, whole ? undefined : source.cluster));
  const unknown = checkUnknownClusters(source, source.cluster, declared);
  if ('problems' in taken) {
    throw new FleetwrightError([...taken.problems, ...checkLockExists(read), ...unknown, ...problems]);
  }
  const { fleet, replicas, renderers, plan, policies, mustExist, routing, problems: unsound } = taken.value;
  const records = planDnsRecords(routing);
  const shared = source.cluster === undefined ? [] : checkSharedRecords(records, source.cluster);
  const unwritable = [...shared, ...checkProvidersInstalled(records)];
  const all = [...unsound, ...unknown, ...problems, ...unwritable];
  if (all.length > 0) throw new FleetwrightError(all);
  const clusters = wanted.flatMap((cluster): ClusterPlan[] => {
    const reach = found.get(cluster.metadata.name);
    if (!reach) return [];
    const manifests = renderCluster(cluster, replicas, { fleet, renderers, routing });
    const releases = releasesOf(cluster, fleet);
    return [{ cluster, reach, releases, servingObjects: servingObjects(cluster), manifests }];
  });
  const needs = mustExist.filter((one) => wanted.some(({ metadata }) => metadata.name === one.cluster));
  const decided = { fleet, locate, replicas, renderers, plan, policies, mustExist: needs, routing };
  return { clusters, ...decided, records };
}

/** How the clusters of a stack are reached. */
function resolveStackClusters(source: StackSource, fleet: Fleet, locate: Locate) {
  const wanted = fleet.clusters.filter(
    ({ metadata }) => source.cluster === undefined || metadata.name === source.cluster,
  );
  return { wanted, ...resolveClusters(wanted, source, { fleet, locate }) };
}

/** What was decided, and why it must not be applied. */
interface DecidedSource extends Omit<StackPlan, 'clusters' | 'records' | 'locate'> {
  readonly problems: readonly Problem[];
}

function decideSource(name: string, read: LoadedFleetSource, cluster: string | undefined): DecidedSource {
  const { judged, lock, renderers, target, unlocked } = read;
  const locked = target.lock !== undefined;
  if (cluster !== undefined && locked && !unlocked) {
    const share = decideCluster(judged.fleet, judged.locate, lock, { cluster, renderers });
    const problems = [...(share.stale ? [diagnoseStaleLock(target, false)] : []), ...diagnoseDenials(share)];
    return { ...share, plan: undefined, problems };
  }
  const decision = decide(judged.fleet, judged.locate, lock, { ...judged, renderers });
  const stale = locked && (unlocked || decision.stale);
  const problems = [
    ...(stale ? [diagnoseStaleLock(target, unlocked)] : []),
    ...diagnoseDenials(decision.plan),
    ...diagnoseUnplaced(decision.plan, name, target),
  ];
  const { policies, mustExist } = decision.plan;
  return { ...decision, policies, mustExist, problems };
}
