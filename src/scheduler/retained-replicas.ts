import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { rejectPlaced } from './filters';
import { type Assignment, fitOnPools } from './fit-replica';
import { demandOf, findBackendChange, isDeclaredShape, type Placement, poolOf } from './placement';
import type { Eviction, EvictionReason, Reason } from './schedule-result';

/** A placement with the pools that it is charged to. */
export interface AssignedReplica {
  readonly placement: Placement;
  readonly assignment: Assignment;
}

/** A previous placement that was draining, or has to leave now. */
export interface DrainingReplica {
  readonly deployment: CompiledDeployment;
  readonly placed: AssignedReplica;

  /** Why it has to leave, whether the reason is new or not. */
  readonly leaves: EvictionReason | undefined;

  /** Whether it was draining before. */
  readonly wasDraining: boolean;

  /** Whether it must not be removed, because its deployment or its cluster is paused. */
  readonly paused: boolean;
}

/**
 * The outcome of keeping the previous placements of a deployment on their clusters, regardless of other
 * deployments.
 */
export interface RetainedPlacements {
  /** The placements that can stay, with the pools that they take. */
  readonly placed: readonly AssignedReplica[];

  /** The ones of `placed` that are draining. */
  readonly draining: readonly DrainingReplica[];

  /** The placements that cannot stay. */
  readonly evictions: readonly Eviction[];

  /** Whether all placements stay unchanged. */
  readonly intact: boolean;
}

/**
 * Decides which previous placements of a deployment can stay where they are.
 *
 * @param lines all placements of the deployment, sorted
 */
export function findRetained(
  deployment: CompiledDeployment,
  lines: readonly Placement[],
  { clusters, matcher }: { readonly clusters: ReadonlyMap<string, CompiledCluster>; readonly matcher: PodMatcher },
): RetainedPlacements {
  const known = KNOWN.get(lines);
  if (known?.deployment === deployment && known.matcher === matcher) {
    if (lines.every((line, i) => clusters.get(line.cluster) === known.on[i])) return known.retained;
  }
  const on = lines.map(({ cluster }) => clusters.get(cluster));
  const retained = judgeLines(deployment, lines, on, matcher);
  if (!on.includes(undefined)) KNOWN.set(lines, { deployment, matcher, on, retained });
  return retained;
}

/** What a result of `findRetained` follows from, with the cluster of each line. */
interface KnownRetained {
  readonly deployment: CompiledDeployment;
  readonly matcher: PodMatcher;
  readonly on: readonly (CompiledCluster | undefined)[];
  readonly retained: RetainedPlacements;
}

/**
 * The latest result for each list of placements. Simulated losses schedule a fleet once for each cluster, and all but
 * the lost one stay the same.
 */
const KNOWN = new WeakMap<readonly Placement[], KnownRetained>();

function judgeLines(
  deployment: CompiledDeployment,
  lines: readonly Placement[],
  on: readonly (CompiledCluster | undefined)[],
  matcher: PodMatcher,
): RetainedPlacements {
  const placed: AssignedReplica[] = [];
  const draining: DrainingReplica[] = [];
  const evictions: Eviction[] = [];
  for (const [i, line] of lines.entries()) {
    const cluster = on[i];
    if (!cluster) {
      evictions.push({ placement: line, reason: { kind: 'cluster-gone' } });
      continue;
    }
    const assignment = fitInPlace(deployment, cluster, line, matcher);
    if ('kind' in assignment) {
      evictions.push({ placement: line, reason: assignment });
      continue;
    }
    const paused = deployment.paused || cluster.paused;
    const leaves = paused ? undefined : findDrainReason(deployment, cluster, line);
    const wasDraining = line.draining === true;
    const placement = leaves && !wasDraining ? { ...line, draining: true as const } : line;
    const replica = { placement, assignment };
    placed.push(replica);
    if (leaves || wasDraining) draining.push({ deployment, placed: replica, leaves, wasDraining, paused });
  }
  const intact = evictions.length === 0 && placed.every(({ placement }, i) => placement === lines[i]);
  return { placed, draining, evictions, intact };
}

function findDrainReason(
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  line: Placement,
): EvictionReason | undefined {
  const reason = rejectPlaced(deployment.demand, cluster);
  if (reason) return { kind: 'rejected', rejection: { cluster: cluster.name, reason } };
  const changed = findBackendChange(line, cluster);
  if (changed) return { kind: 'backend', ...changed };
  return isDeclaredShape(deployment, line.shape) ? undefined : { kind: 'shape' };
}

function fitInPlace(
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  line: Placement,
  matcher: PodMatcher,
): Assignment | EvictionReason {
  const demand = demandOf(deployment, line);
  if (!demand) return { kind: 'shape', downtime: 'unknown' };
  const pools = demand.engines.map(({ name }) => poolOf(cluster, line, name));
  const gone = demand.engines[pools.indexOf(undefined)];
  if (gone) return { kind: 'pool-gone', pool: line.pools[gone.name] ?? '' };
  const fit = fitOnPools(demand, pools, matcher);
  if (!('misfit' in fit)) return fit;
  const { engine, pool, misfit } = fit;
  const reason: Reason = { filter: 'devices', engine, ...misfit };
  return { kind: 'rejected', rejection: { cluster: cluster.name, pool: pool.name, reason } };
}
