import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { rejectPlaced } from './filters';
import { type Assignment, fitEngine, fitOnPools } from './fit-replica';
import { findLoss, LOST } from './lost-clusters';
import { demandOf, findBackendChange, isDeclaredShape, type Placement, poolOf, variantsOf } from './placement';
import type { Reason, Rejection } from './reason';
import type { Eviction, EvictionReason } from './schedule-result';

/** A placement with the pools that it is charged to. */
export interface AssignedReplica {
  readonly placement: Placement;
  readonly assignment: Assignment;
}

/** The replicas of a deployment. */
export interface DeploymentReplicas {
  /** Those that count. */
  readonly staying: readonly AssignedReplica[];

  readonly draining: readonly AssignedReplica[];

  /** The sorted placements, if they are known. */
  readonly lines?: readonly Placement[] | undefined;
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

/** What becomes of a previous placement. */
type Outcome = AssignedReplica | DrainingReplica | Eviction;

/**
 * The outcome of keeping the previous placements of a deployment on their clusters, regardless of other
 * deployments. `lines` is set if all of them stay unchanged.
 */
export interface RetainedPlacements extends DeploymentReplicas {
  /** What becomes of each placement, in their order. */
  readonly outcomes: readonly Outcome[];

  /** Why each of `draining` leaves. */
  readonly leaving: readonly DrainingReplica[];

  /** The placements that cannot stay. */
  readonly evictions: readonly Eviction[];
}

/**
 * Decides which previous placements of a deployment can stay where they are.
 *
 * @param lines all placements of the deployment, sorted
 * @param known what was decided of the same lines before some clusters changed. Default: nothing
 */
export function findRetained(
  deployment: CompiledDeployment,
  lines: readonly Placement[],
  { clusters, matcher }: { readonly clusters: ReadonlyMap<string, CompiledCluster>; readonly matcher: PodMatcher },
  known?: { readonly outcomes: readonly Outcome[]; readonly changed: ReadonlySet<string> },
): RetainedPlacements {
  const outcomes: Outcome[] = [];
  const staying: AssignedReplica[] = [];
  const leaving: DrainingReplica[] = [];
  const evictions: Eviction[] = [];
  let intact = true;
  for (const [i, line] of lines.entries()) {
    const same = known && !known.changed.has(line.cluster) ? known.outcomes[i] : undefined;
    const outcome = same ?? judgeLine(deployment, line, clusters.get(line.cluster), matcher);
    outcomes.push(outcome);
    if ('assignment' in outcome) staying.push(outcome);
    else if ('placed' in outcome) leaving.push(outcome);
    else evictions.push(outcome);
    if (assignedOf(outcome)?.placement !== line) intact = false;
  }
  const draining = leaving.map(({ placed }) => placed);
  return { outcomes, staying, draining, leaving, evictions, lines: intact ? lines : undefined };
}

/** The replica of a placement that can stay. */
export function assignedOf(outcome: Outcome): AssignedReplica | undefined {
  if ('assignment' in outcome) return outcome;
  return 'placed' in outcome ? outcome.placed : undefined;
}

function judgeLine(
  deployment: CompiledDeployment,
  line: Placement,
  cluster: CompiledCluster | undefined,
  matcher: PodMatcher,
): Outcome {
  if (!cluster) return { placement: line, reason: { kind: 'cluster-gone' } };
  const assignment = fitInPlace(deployment, cluster, line, matcher);
  if ('kind' in assignment) return { placement: line, reason: assignment };
  const loss = findLoss(cluster);
  if (loss) return judgeLost(deployment, { placement: line, assignment }, loss);
  const paused = deployment.paused || cluster.paused;
  const leaves = paused ? undefined : findDrainReason(deployment, cluster, line, matcher);
  const wasDraining = line.draining === true;
  if (!leaves && !wasDraining) return { placement: line, assignment };
  const placement = wasDraining ? line : { ...line, draining: true as const };
  return { deployment, placed: { placement, assignment }, leaves, wasDraining, paused };
}

/** A replica of a lost cluster does not serve, also while it is paused, and leaves once another one replaces it. */
function judgeLost(
  deployment: CompiledDeployment,
  { placement: line, assignment }: AssignedReplica,
  rejection: Rejection,
): DrainingReplica {
  const placed = { placement: { ...line, ...LOST }, assignment };
  const leaves = { kind: 'rejected', rejection } as const;
  return { deployment, placed, leaves, wasDraining: line.draining === true, paused: deployment.paused };
}

function findDrainReason(
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  line: Placement,
  matcher: PodMatcher,
): EvictionReason | undefined {
  const reason = rejectPlaced(deployment.demand, cluster);
  if (reason) return { kind: 'rejected', rejection: { cluster: cluster.name, reason } };
  const changed = findBackendChange(line, cluster);
  if (changed) return { kind: 'backend', ...changed };
  if (isDeclaredShape(deployment, line.shape)) return undefined;
  return { kind: 'shape', ...findMisfit(deployment, cluster, line, matcher) };
}

/** Why the changed engines of a replica cannot stay on its cluster: an engine that fits on none of its pools. */
function findMisfit(
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  line: Placement,
  matcher: PodMatcher,
): { readonly misfit?: Rejection } {
  const [variant, ...others] = variantsOf(deployment);
  // Of several layouts, each fails for a reason of its own.
  if (!variant || others.length > 0) return {};
  for (const engine of variant.demand.engines) {
    const fits = cluster.pools.map((pool) => ({ pool, fit: fitEngine(engine, pool, cluster, matcher) }));
    const { pool, fit } = fits.find((one) => one.pool.name === line.pools[engine.name]) ?? {};
    if (!pool || !fit || fits.some((one) => !('misfit' in one.fit)) || !('misfit' in fit)) continue;
    const reason: Reason = { filter: 'devices', engine: engine.name, ...fit };
    return { misfit: { cluster: cluster.name, pool: pool.name, reason } };
  }
  return {};
}

function fitInPlace(
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  line: Placement,
  matcher: PodMatcher,
): Assignment | EvictionReason {
  const demand = demandOf(deployment, line);
  if (!demand) return { kind: 'shape', downtime: 'unknown', ...findMisfit(deployment, cluster, line, matcher) };
  const pools = demand.engines.map(({ name }) => poolOf(cluster, line, name));
  const gone = demand.engines.find((_, e) => pools[e] === undefined);
  if (gone) return { kind: 'pool-gone', pool: line.pools[gone.name] ?? '' };
  const fit = fitOnPools(demand, pools, matcher);
  if (!('misfit' in fit)) return fit;
  const { engine, pool, misfit } = fit;
  const reason: Reason = { filter: 'devices', engine, ...misfit };
  return { kind: 'rejected', rejection: { cluster: cluster.name, pool: pool.name, reason } };
}
