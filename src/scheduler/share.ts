import { groupBy } from '../order';
import { byIdentity } from './identity';
import type { Lock } from './lock';
import type { Matcher } from './matcher';
import type { Model, Workload } from './model';
import { retain } from './retain';
import { State } from './state';
import type { Eviction, Placement } from './types';

/** What a lock says of one cluster, held against the declarations. */
export interface ShareCheck {
  /** The lines of the cluster, sorted. */
  readonly lines: readonly Placement[];

  /** Lines that do not hold any more, or start to leave, each with its reason. */
  readonly evictions: readonly Eviction[];

  /**
   * Whether the lock does not say what would be decided now of these lines, or has more or fewer replicas of one of
   * their deployments than are asked for.
   */
  readonly stale: boolean;
}

/**
 * Checks what a lock says of one cluster without placing anything: that each line holds where it is, that the pools of
 * the cluster have room for all of them, and that their deployments have as many replicas in the whole lock as they
 * ask for. What of other clusters does not hold, and deployments that no line of this cluster is of, are not seen.
 *
 * @param matcher remembers how pods fit on nodes
 */
export function checkShare(model: Model, lock: Lock, cluster: string, matcher: Matcher): ShareCheck {
  const lines = lock.placements.filter((one) => one.cluster === cluster).sort(byIdentity);
  const here = new Set(lines.map(({ deployment }) => deployment));
  const concerned = model.workloads.filter(({ id }) => here.has(id));
  const counts = new Counts(model, lock);
  const state = new State(
    {
      sites: model.sites.filter(({ name }) => name === cluster),
      workloads: concerned.map((workload) => ({ ...workload, replicas: counts.here(workload, lines) })),
      remarks: [],
    },
    matcher,
  );
  retain(state, lines);
  const held = state.placements().map(textOf).join('\n') === lines.map(textOf).join('\n');
  const counted = concerned.every((workload) => counts.agree(workload));
  return { lines, evictions: state.evictions(), stale: !held || !counted };
}

function textOf({ deployment, index, leaving }: Placement): string {
  return `${deployment} ${index} ${leaving === true}`;
}

/** How many replicas of deployments a lock has on clusters that are there. */
class Counts {
  readonly #staying: ReadonlyMap<string, readonly Placement[]>;
  readonly #paused: ReadonlySet<string>;

  constructor(
    { sites }: Model,
    private readonly lock: Lock,
  ) {
    const names = new Set(sites.map(({ name }) => name));
    this.#paused = new Set(sites.filter(({ paused }) => paused).map(({ name }) => name));
    const staying = lock.placements.filter(({ leaving, cluster }) => !leaving && names.has(cluster));
    this.#staying = groupBy(staying, ({ deployment }) => deployment);
  }

  /** How many a deployment asks for on one cluster: those there, and what it lacks in all. */
  here(workload: Workload, lines: readonly Placement[]): number {
    const staying = lines.filter(({ deployment, leaving }) => deployment === workload.id && !leaving);
    return staying.length + this.#missing(workload);
  }

  /** Whether neither too many are there nor fewer than was accepted. */
  agree(workload: Workload): boolean {
    const { id, replicas, allowPartial, paused } = workload;
    const lines = this.#staying.get(id) ?? [];
    const accepted = this.lock.unplaced.get(id) ?? 0;
    if (accepted !== (allowPartial ? 0 : this.#missing(workload))) return false;
    // What is paused keeps what it has beyond that.
    return paused || lines.length <= replicas || lines.every(({ cluster }) => this.#paused.has(cluster));
  }

  #missing({ id, replicas, paused }: Workload): number {
    return paused ? 0 : Math.max(0, replicas - (this.#staying.get(id)?.length ?? 0));
  }
}
