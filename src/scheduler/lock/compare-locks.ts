import { isDeepEqual } from '../../base/deep-equal';
import { groupBy, sortUnique } from '../../base/order';
import type { CompiledDeployment, CompiledFleet } from '../compiled-fleet';
import type { PodMatcher } from '../devices/match-pod';
import { comparePlacements, isSamePlacement, type Placement, sortPlacements } from '../placement';
import { retainPlacements } from '../retain-placements';
import type { Eviction, SurgeWithoutRoom } from '../schedule-result';
import { SchedulingState } from '../scheduling-state';
import { formatLock, type Lock } from './lock';
import { toLockLines } from './next-lock';

/** Whether two locks say the same. */
export function isSameLock(a: Lock, b: Lock): boolean {
  if (!haveSameLines(a.placements, b.placements)) return false;
  // What a digest stands for takes long to write, and is the same where the digest is.
  const isUnlike = a.unplaced.size !== b.unplaced.size || !isDeepEqual(listShapes(a), listShapes(b));
  if (isUnlike) return false;
  const isPlain = a.unplaced.size + a.shapes.length === 0 && haveSameLayouts(a, b);
  return isPlain || formatLock(a) === formatLock(b);
}

function haveSameLines(a: readonly Placement[], b: readonly Placement[]): boolean {
  if (a.length !== b.length) return false;
  if (a.every((placement, i) => placement === b[i])) return true;
  const [old, now] = [sortPlacements(a), sortPlacements(b)];
  return old.every((placement, i) => isSamePlacement(placement, now[i]));
}

/** The shapes that a lock writes, sorted: those of deployments that it has. */
function listShapes({ placements, unplaced, layouts, shapes }: Lock): string[] {
  if (shapes.length === 0) return [];
  const written = new Set([
    ...placements.map(({ deployment }) => deployment),
    ...unplaced.keys(),
    ...(layouts?.keys() ?? []),
  ]);
  return shapes.flatMap(({ deployment, shape }) => (written.has(deployment) ? [`${deployment} ${shape}`] : [])).sort();
}

/** Whether two locks have the same layouts of models. A layout that stays is the same object. */
function haveSameLayouts({ layouts: a = new Map() }: Lock, { layouts: b = new Map() }: Lock): boolean {
  return a.size === b.size && [...a].every(([id, chosen]) => b.get(id) === chosen);
}

/** The deployments of which two locks say something else, sorted. */
export function compareLockedDeployments(a: Lock, b: Lock): string[] {
  const [before, after] = [a, b].map(textsByDeployment);
  const ids = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return sortUnique([...ids].filter((id) => before?.get(id) !== after?.get(id)));
}

function textsByDeployment(lock: Lock): ReadonlyMap<string, string> {
  const placements = groupBy(lock.placements, ({ deployment }) => deployment);
  const shapes = groupBy(lock.shapes, ({ deployment }) => deployment);
  const ids = new Set([
    ...placements.keys(),
    ...shapes.keys(),
    ...lock.unplaced.keys(),
    ...(lock.layouts?.keys() ?? []),
  ]);
  return new Map(
    [...ids].map((id) => {
      const missing = lock.unplaced.get(id);
      const unplaced = new Map(missing === undefined ? [] : [[id, missing]]);
      const chosen = lock.layouts?.get(id);
      const layouts = chosen && new Map([[id, chosen]]);
      return [
        id,
        formatLock({ placements: placements.get(id) ?? [], shapes: shapes.get(id) ?? [], unplaced, layouts }),
      ];
    }),
  );
}

interface ClusterLockCheck {
  /** The lines of the cluster, sorted. */
  readonly lines: readonly Placement[];

  /** Lines that are no longer valid, or start to leave, each with its reason. */
  readonly evictions: readonly Eviction[];

  /** Lines that stay, next to which there is no room for their surge. */
  readonly withoutSurge: readonly SurgeWithoutRoom[];

  /**
   * The deployments about whose lines the lock differs from the present decision, or of which it has more or fewer
   * replicas than the deployment declares, sorted.
   */
  readonly changed: readonly string[];
}

/**
 * Checks the lines of one cluster in a lock without placing anything: each line is valid on its cluster, the pools
 * of the cluster have room for all of them, and their deployments have the declared number of replicas in the whole
 * lock. It does not see invalid lines of other clusters, or deployments without a line on this cluster.
 *
 * @param matcher caches how pods fit on nodes
 */
export function checkClusterLock(
  model: CompiledFleet,
  lock: Lock,
  cluster: string,
  matcher: PodMatcher,
): ClusterLockCheck {
  const lines = lock.placements.filter((placement) => placement.cluster === cluster).sort(comparePlacements);
  const ids = new Set(lines.map(({ deployment }) => deployment));
  const concerned = model.deployments.filter(({ id }) => ids.has(id));
  const counts = new ReplicaCounts(model, lock);
  const state = new SchedulingState(
    {
      clusters: model.clusters.filter(({ name }) => name === cluster),
      deployments: concerned.map((deployment) => ({ ...deployment, replicas: counts.expected(deployment, lines) })),
      warnings: [],
    },
    matcher,
  );
  retainPlacements(state, lines);
  const kept = toLockLines(state.placements(), concerned, lines);
  const [before, after] = [lines, kept].map((placements) => new Set(placements.map(formatIdentity)));
  const moved = [...lines, ...kept].filter((line) => {
    const identity = formatIdentity(line);
    return !before?.has(identity) || !after?.has(identity);
  });
  const miscounted = concerned.filter((deployment) => !counts.agree(deployment)).map(({ id }) => id);
  const changed = sortUnique([...moved.map(({ deployment }) => deployment), ...miscounted]);
  return { lines, evictions: state.evictions(), withoutSurge: state.withoutSurge, changed };
}

function formatIdentity({ deployment, index, draining }: Placement): string {
  return `${deployment} ${index} ${draining === true}`;
}

/** Counts the replicas of deployments in a lock, on clusters that exist. */
class ReplicaCounts {
  readonly #staying: ReadonlyMap<string, readonly Placement[]>;
  readonly #paused: ReadonlySet<string>;

  constructor(
    { clusters }: CompiledFleet,
    private readonly lock: Lock,
  ) {
    const names = new Set(clusters.map(({ name }) => name));
    this.#paused = new Set(clusters.filter(({ paused }) => paused).map(({ name }) => name));
    const staying = lock.placements.filter(({ draining, cluster }) => !draining && names.has(cluster));
    this.#staying = groupBy(staying, ({ deployment }) => deployment);
  }

  /** The replicas that a deployment should have on one cluster: those there, and those that it lacks in all. */
  expected(deployment: CompiledDeployment, lines: readonly Placement[]): number {
    const staying = lines.filter((line) => line.deployment === deployment.id && !line.draining);
    return staying.length + this.#missing(deployment);
  }

  /** Whether the lock has neither surplus replicas nor a shortfall that was not accepted. */
  agree(deployment: CompiledDeployment): boolean {
    const { id, replicas, allowPartial, paused } = deployment;
    const lines = this.#staying.get(id) ?? [];
    const accepted = this.lock.unplaced.get(id) ?? 0;
    if (accepted !== (allowPartial ? 0 : this.#missing(deployment))) return false;
    // A paused deployment or cluster keeps its surplus replicas.
    return paused || lines.length <= replicas || lines.every(({ cluster }) => this.#paused.has(cluster));
  }

  #missing({ id, replicas, paused }: CompiledDeployment): number {
    return paused ? 0 : Math.max(0, replicas - (this.#staying.get(id)?.length ?? 0));
  }
}
