import { readManifests, resolveFleet } from '../../src/files/read-fleet';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';

/** Places a recipe afresh and plans it, as `fleetwright plan` does. */
export function decideRecipe(folder: string): Decision {
  const judged = resolveFleet(readManifests(folder, {}));
  return decide(judged.fleet, judged.locate, EMPTY_LOCK, judged);
}
