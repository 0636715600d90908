import { groupBy } from '../order';
import { type Charge, Ledger } from './ledger';
import type { Workload } from './model';
import { needKey } from './need';
import { shortage } from './shortage';
import type { Placed } from './held';
import type { State } from './state';

/** A replica that was charged to the ledger, for now. */
interface Charged {
  readonly workload: Workload;
  readonly placed: Placed;
  /** Nothing may take it away: its deployment or its cluster is paused. */
  readonly paused: boolean;
}

/**
 * Evicts from pools that declarations, or a merge of locks, have promised more than they have: as few replicas as
 * possible of the highest priority, then of the next, what is leaving before what stays; the later among equals.
 */
export function relieve(state: State): void {
  const full = new Set(state.ledger.overfullPools());
  if (full.size === 0) return;
  const charged = state.model.workloads.flatMap((workload) => chargedOf(state, workload));
  const movable = new Set(
    charged.filter(({ placed, paused }) => !paused && chargesOf(placed).some(({ pool }) => full.has(pool))),
  );
  // What a snapshot shows as lost takes no promise back.
  const kept = new Ledger('declared');
  for (const one of charged) if (!movable.has(one)) kept.add(chargesOf(one.placed));
  const evicted = ranks([...movable]).flatMap((alike) => keepMost(kept, alike));
  for (const { placed } of evicted) {
    const short = chargesOf(placed).filter(({ pool }) => kept.missingNodes(pool, chargesOf(placed)) > 0);
    const { cluster } = placed.placement;
    const rejection = { cluster, pool: short[0]?.pool.name ?? '', reason: shortage(kept, short) };
    state.drop(placed, { kind: 'rejected', rejection });
  }
}

function chargedOf(state: State, workload: Workload): Charged[] {
  return [...state.staying(workload), ...state.leaving(workload)].map((placed) => {
    const paused = workload.paused || state.sites.get(placed.placement.cluster)?.paused === true;
    return { workload, placed, paused };
  });
}

function chargesOf({ assignment }: Placed): readonly Charge[] {
  return assignment.charges;
}

/** The replicas of each cluster that count the same, those that count most first. */
function ranks(movable: readonly Charged[]): Charged[][] {
  const rank = ({ workload, placed }: Charged): string => `${placed.placement.cluster} ${workload.priority}`;
  const staying = movable.filter(({ placed }) => !placed.placement.leaving);
  const leaving = movable.filter(({ placed }) => placed.placement.leaving);
  return [...groupBy(staying, rank).values(), ...groupBy(leaving, rank).values()];
}

/** Above this many choices replicas are kept one by one, the first first: that may keep fewer. */
const MOST_CHOICES = 4096;

/** Adds as many replicas as there is room for, and returns the others. */
function keepMost(kept: Ledger, alike: readonly Charged[]): Charged[] {
  const kinds = [...groupBy(alike, ({ placed }) => kindOf(placed)).values()].toReversed();
  const choices = kinds.reduce((product, { length }) => product * (length + 1), 1);
  if (choices > MOST_CHOICES) return alike.filter(({ placed }) => !addIfRoom(kept, chargesOf(placed)));
  for (let out = 0; out < alike.length; out++) {
    for (const outOf of splits(out, kinds)) {
      const charges = kinds.flatMap((kind, k) => timesOf(kind, kind.length - (outOf[k] ?? 0)));
      if (addIfRoom(kept, charges))
        return kinds.flatMap((kind, k) => kind.slice(kind.length - (outOf[k] ?? 0)));
    }
  }
  return [...alike];
}

/** Replicas that take the same of the same pools are interchangeable. */
function kindOf(placed: Placed): string {
  const parts = chargesOf(placed).map(({ pool, need, pods }) => `${pool.name} ${pods} x ${needKey(need)}`);
  return parts.sort().join();
}

/** Every way to take a number from some lists, as many as possible from the first lists first. */
function* splits(count: number, lists: readonly (readonly unknown[])[]): Generator<number[]> {
  const [first, ...rest] = lists;
  if (!first) {
    if (count === 0) yield [];
    return;
  }
  for (let taken = Math.min(count, first.length); taken >= 0; taken--) {
    for (const others of splits(count - taken, rest)) yield [taken, ...others];
  }
}

/** The charges of a number of interchangeable replicas. */
function timesOf([one]: readonly Charged[], count: number): Charge[] {
  if (!one || count === 0) return [];
  return chargesOf(one.placed).map((charge) => ({ ...charge, pods: charge.pods * count }));
}

function addIfRoom(kept: Ledger, charges: readonly Charge[]): boolean {
  kept.add(charges);
  if (charges.every(({ pool }) => kept.missingNodes(pool, []) === 0)) return true;
  kept.remove(charges);
  return false;
}
