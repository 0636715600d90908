import type { Pool } from '../compiled-fleet';
import type { Ledger } from '../ledger';
import type { AssignedReplica } from '../retained-replicas';
import { hasRoomAt, type Relocation } from './candidate-placement';

/** How replicas come to their new places while what they replace still runs where there is room for both. */
export interface Arrangement {
  /** The replicas of the lock that move. */
  readonly moves: readonly Move[];
  /** Replicas that stop before their replacement serves, because another needs their place. */
  readonly dropped: ReadonlySet<AssignedReplica>;
  /** The relocations that have room while all others of `moves` still run at their old places. */
  readonly placed: ReadonlySet<Relocation>;
  /** Replicas of this run that wait for their new places, and have room at their present ones until then. */
  readonly kept: ReadonlySet<AssignedReplica>;
}

type Move = Relocation & { readonly from: AssignedReplica };

/** Arranges relocations that all fit once every replica is where it goes. The ledger is the same afterwards. */
export function arrangeMoves(
  ledger: Ledger,
  relocations: readonly Relocation[],
  isLocked: (replica: AssignedReplica) => boolean,
): Arrangement {
  const isMove = (one: Relocation): one is Move => one.from !== undefined && isLocked(one.from);
  const moves = relocations.filter(isMove);
  const others = relocations.filter((one) => !isMove(one));
  const relocated = others.filter((one): one is Move => one.from !== undefined);
  const dropped = new Set<AssignedReplica>();
  const placed = new Set<Relocation>();
  const placeIfRoom = (one: Relocation): void => {
    if (placed.has(one) || !hasRoomAt(one.to, ledger)) return;
    ledger.add(one.to.assignment.charges);
    placed.add(one);
  };
  for (const { from } of relocated) ledger.remove(from.assignment.charges);
  moves.forEach(placeIfRoom);
  for (const move of moves) {
    // What stopped for a move before this one may have left room for both.
    placeIfRoom(move);
    for (const { from } of moves) {
      if (placed.has(move)) break;
      if (dropped.has(from) || !sharesRoom(from.assignment.pools, move.to.assignment.pools)) continue;
      ledger.remove(from.assignment.charges);
      dropped.add(from);
      placeIfRoom(move);
    }
  }
  others.forEach(placeIfRoom);
  const waiting = relocated.filter((one) => !placed.has(one)).map(({ from }) => from);
  const kept = keepWhereRoom(ledger, waiting);
  for (const { to } of placed) ledger.remove(to.assignment.charges);
  for (const from of dropped) ledger.add(from.assignment.charges);
  for (const { from } of relocated) ledger.add(from.assignment.charges);
  return { moves, dropped, placed, kept };
}

/** Whether replicas on some pools leave room on others when they go: of a pool, or of the quota of a queue. */
function sharesRoom(left: readonly Pool[], wanted: readonly Pool[]): boolean {
  return left.some((a) => wanted.some((b) => a === b || (a.queue !== undefined && a.queue === b.queue)));
}

/** The replicas that have room together where they are. The ledger is the same afterwards. */
function keepWhereRoom(ledger: Ledger, replicas: readonly AssignedReplica[]): ReadonlySet<AssignedReplica> {
  const kept = new Set<AssignedReplica>();
  for (const replica of replicas) {
    if (!hasRoomAt(replica, ledger)) continue;
    ledger.add(replica.assignment.charges);
    kept.add(replica);
  }
  for (const { assignment } of kept) ledger.remove(assignment.charges);
  return kept;
}
