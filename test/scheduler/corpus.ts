import * as fc from 'fast-check';
import type { CompiledFleet } from '../../src/scheduler/compiled-fleet';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { formatLock } from '../../src/scheduler/lock/lock';
import { schedule } from '../../src/scheduler/schedule';
import type { Schedule } from '../../src/scheduler/schedule-result';
import type { Placement } from '../../src/scheduler/placement';
import { modelAfter } from './build';
import { type FleetSpec, fleetSpec, resourcesOf } from './fleets';
import { daily } from '../daily';

/** Every property looks at the same fleets, so that what was computed for one serves all. */
const SEED = Number(process.env['FLEETWRIGHT_SEED'] ?? Date.now() % 2 ** 31);

/** How many fleets a property is tried on. */
export const RUNS = { seed: SEED, numRuns: daily(50) };

/** A fleet, and the placements that some earlier form of it led to. */
export interface History {
  readonly next: FleetSpec;
  readonly previous: readonly Placement[];
  /** That earlier form, where it is known what its replicas are made of. */
  readonly before?: FleetSpec;
}

/** A third of the fleets start from nothing, and of another third no one knows what they were. */
export const history: fc.Arbitrary<History> = fc.tuple(fleetSpec, fleetSpec, fc.nat(2)).map(([next, first, kind]) => {
  const previous = kind > 0 ? runFleet({ next: first, previous: [] }).placements : [];
  return { next, previous, ...(kind > 1 && { before: first }) };
});

const models = new Map<string, CompiledFleet>();
const schedules = new Map<string, Schedule>();
const matcher = new PodMatcher();

/** What the scheduler sees of a fleet. */
export function modelOfFleet({ next, before }: Omit<History, 'previous'>): CompiledFleet {
  const former = before ? resourcesOf(before) : [];
  return known(models, JSON.stringify([next, before]), () => modelAfter(former, resourcesOf(next)));
}

/** Schedules a fleet. The same question is answered once. */
export function runFleet(history: History): Schedule {
  const key = JSON.stringify(history);
  return known(schedules, key, () => schedule(modelOfFleet(history), history.previous, matcher));
}

/** Placements as the lock has them. */
export function bytes(placements: readonly Placement[]): string {
  return formatLock({ placements, unplaced: new Map(), shapes: [] });
}

/** A few thousand answers are kept: those of a longer run would not fit into memory. */
const MOST_KEPT = 20_000;

function known<V>(table: Map<string, V>, key: string, compute: () => V): V {
  const found = table.get(key);
  if (found !== undefined) return found;
  if (table.size >= MOST_KEPT) table.clear();
  const value = compute();
  table.set(key, value);
  return value;
}
