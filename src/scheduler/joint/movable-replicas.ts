import type { Pool } from '../compiled-fleet';
import type { AssignedReplica } from '../retained-replicas';
import { homeKeyOf } from './candidate-placement';

/** Replicas that a search may move, by pool and by deployment. */
export class MovableReplicas {
  readonly #byPool = new Map<Pool, Set<AssignedReplica>>();
  readonly #byDeployment = new Map<string, Set<AssignedReplica>>();
  /** A text for each replica, equal for those of one deployment at one place. */
  readonly #keys = new Map<AssignedReplica, string>();
  /** Added and not indexed yet: most runs search nothing. */
  #pending: AssignedReplica[] = [];

  add(replica: AssignedReplica): void {
    this.#pending.push(replica);
  }

  remove(replica: AssignedReplica): void {
    this.#index();
    for (const pool of replica.assignment.pools) this.#byPool.get(pool)?.delete(replica);
    this.#byDeployment.get(replica.placement.deployment)?.delete(replica);
    this.#keys.delete(replica);
  }

  has(replica: AssignedReplica): boolean {
    this.#index();
    return this.#keys.has(replica);
  }

  all(): readonly AssignedReplica[] {
    this.#index();
    return [...this.#keys.keys()];
  }

  on(pool: Pool): ReadonlySet<AssignedReplica> {
    this.#index();
    return this.#byPool.get(pool) ?? NONE;
  }

  of(deployment: string): ReadonlySet<AssignedReplica> {
    this.#index();
    return this.#byDeployment.get(deployment) ?? NONE;
  }

  /** A text that is equal for movable replicas that are alike: of one deployment, at one place. */
  keyOf(replica: AssignedReplica): string {
    this.#index();
    return this.#keys.get(replica) ?? '';
  }

  #index(): void {
    if (this.#pending.length === 0) return;
    for (const replica of this.#pending) {
      const { placement, assignment } = replica;
      this.#keys.set(replica, `${placement.deployment} ${homeKeyOf(replica)}`);
      for (const pool of assignment.pools) setIn(this.#byPool, pool).add(replica);
      setIn(this.#byDeployment, placement.deployment).add(replica);
    }
    this.#pending = [];
  }
}

const NONE: ReadonlySet<AssignedReplica> = new Set();

function setIn<K>(sets: Map<K, Set<AssignedReplica>>, key: K): Set<AssignedReplica> {
  let set = sets.get(key);
  if (!set) sets.set(key, (set = new Set()));
  return set;
}
