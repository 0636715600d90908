import type { Pool } from '../compiled-fleet';
import type { AssignedReplica } from '../retained-replicas';

/** Replicas that a search may move, by pool and by deployment. */
export class MovableReplicas {
  readonly #byPool = new Map<Pool, AssignedReplica[]>();
  readonly #byDeployment = new Map<string, AssignedReplica[]>();
  /** Added and not indexed yet: most runs search nothing. */
  #pending: AssignedReplica[] = [];

  add(replica: AssignedReplica): void {
    this.#pending.push(replica);
  }

  remove(replica: AssignedReplica): void {
    this.#index();
    for (const list of this.#listsOf(replica)) list.splice(list.indexOf(replica), 1);
  }

  has(replica: AssignedReplica): boolean {
    return this.of(replica.placement.deployment).includes(replica);
  }

  on(pool: Pool): readonly AssignedReplica[] {
    this.#index();
    return this.#byPool.get(pool) ?? [];
  }

  of(deployment: string): readonly AssignedReplica[] {
    this.#index();
    return this.#byDeployment.get(deployment) ?? [];
  }

  #index(): void {
    if (this.#pending.length === 0) return;
    for (const replica of this.#pending) for (const list of this.#listsOf(replica)) list.push(replica);
    this.#pending = [];
  }

  #listsOf({ placement, assignment }: AssignedReplica): AssignedReplica[][] {
    const pools = new Set(assignment.pools);
    return [listIn(this.#byDeployment, placement.deployment), ...[...pools].map((pool) => listIn(this.#byPool, pool))];
  }
}

function listIn<K>(lists: Map<K, AssignedReplica[]>, key: K): AssignedReplica[] {
  let list = lists.get(key);
  if (!list) lists.set(key, (list = []));
  return list;
}
