import type { CompiledCluster, CompiledDeployment, CompiledFleet, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { rejectPlaced } from './filters';
import { type Assignment, fitOnPools } from './fit-replica';
import { demandOf, poolOf } from './placement';
import type { Eviction, EvictionReason, Placement } from './schedule-result';

/** A replica that has its place. */
export interface AssignedReplica {
  readonly placement: Placement;
  readonly assignment: Assignment;
}

/** A previous placement that was leaving, or has to leave now. */
export interface DrainingReplica {
  readonly workload: CompiledDeployment;
  readonly placed: AssignedReplica;

  /** Why it has to leave, be that new or not. */
  readonly leaves: EvictionReason | undefined;

  /** It was leaving before. */
  readonly wasLeaving: boolean;

  /** Nothing may take it away: its deployment or its cluster is paused. */
  readonly paused: boolean;
}

/** What the lines of a deployment come to where they stand, whatever else is placed. */
export interface RetainedPlacements {
  /** Those that can be there, with the pools that they take. */
  readonly placed: readonly AssignedReplica[];

  /** Of these what is leaving. */
  readonly leaving: readonly DrainingReplica[];

  /** Those that cannot be there. */
  readonly evictions: readonly Eviction[];

  /** Whether all lines can be there as they are. */
  readonly intact: boolean;
}

/** Clusters to find by name, and how pods fit on their nodes. */
export interface RetainContext {
  readonly clusters: ReadonlyMap<string, CompiledCluster>;
  readonly model: Pick<CompiledFleet, 'clusters'>;
  readonly matcher: PodMatcher;
}

/**
 * Looks at lines where they stand. Two states of a fleet share most deployments, clusters and lines, which never change
 * once they are made: of what is the same object in both it is found once.
 *
 * @param lines all of the deployment, sorted
 */
export function findRetained(
  workload: CompiledDeployment,
  lines: readonly Placement[],
  grounds: RetainContext,
): RetainedPlacements {
  const { clusters: sites } = grounds.model;
  const known = RETAINED.get(lines);
  if (known?.workload === workload && known.sites === sites) return known.held;
  const held = computeRetained(workload, lines, grounds);
  RETAINED.set(lines, { workload, sites, held });
  return held;
}

/** What was found last of some lines, and of what. */
interface KnownRetained {
  readonly workload: CompiledDeployment;
  readonly sites: readonly CompiledCluster[];
  readonly held: RetainedPlacements;
}

const RETAINED = new WeakMap<readonly Placement[], KnownRetained>();

function computeRetained(
  workload: CompiledDeployment,
  lines: readonly Placement[],
  grounds: RetainContext,
): RetainedPlacements {
  const placed: AssignedReplica[] = [];
  const leaving: DrainingReplica[] = [];
  const evictions: Eviction[] = [];
  for (const line of lines) {
    const site = grounds.clusters.get(line.cluster);
    const verdict = site ? fitInPlace(workload, site, line, grounds.matcher) : CLUSTER_GONE;
    if (!site || 'kind' in verdict) {
      evictions.push({ placement: line, reason: 'kind' in verdict ? verdict : CLUSTER_GONE });
      continue;
    }
    const paused = workload.paused || site.paused;
    const leaves = paused ? undefined : findDrainReason(workload, site, line);
    const one = { placement: leaves ? markDraining(line) : line, assignment: verdict };
    placed.push(one);
    const wasLeaving = line.leaving === true;
    if (leaves || wasLeaving) leaving.push({ workload, placed: one, leaves, wasLeaving, paused });
  }
  const intact = evictions.length === 0 && placed.every(({ placement }, i) => placement === lines[i]);
  return { placed, leaving, evictions, intact };
}

const CLUSTER_GONE = { kind: 'cluster-gone' } as const;

function markDraining(line: Placement): Placement {
  return line.leaving ? line : { ...line, leaving: true };
}

function findDrainReason(
  workload: CompiledDeployment,
  site: CompiledCluster,
  { shape }: Placement,
): EvictionReason | undefined {
  const reason = rejectPlaced(workload.demand, site);
  if (reason) return { kind: 'rejected', rejection: { cluster: site.name, reason } };
  return shape === workload.shape ? undefined : { kind: 'shape' };
}

function fitInPlace(
  workload: CompiledDeployment,
  site: CompiledCluster,
  line: Placement,
  matcher: PodMatcher,
): Assignment | EvictionReason {
  const demand = demandOf(workload, line);
  if (!demand) return { kind: 'shape', gap: 'unknown' };
  const pools = demand.engines.map(({ name }) => poolOf(site, line, name));
  if (pools.includes(undefined)) return toPoolGone(demand, site, line);
  const fit = fitOnPools(demand, pools, matcher);
  if (!('misfit' in fit)) return fit;
  const { engine, pool, misfit } = fit;
  return {
    kind: 'rejected',
    rejection: { cluster: site.name, pool: pool.name, reason: { filter: 'devices', engine, ...misfit } },
  };
}

function toPoolGone({ engines }: ReplicaDemand, site: CompiledCluster, line: Placement): EvictionReason {
  const gone = engines.find(({ name }) => !poolOf(site, line, name));
  return { kind: 'pool-gone', pool: (gone && line.pools[gone.name]) ?? '' };
}
