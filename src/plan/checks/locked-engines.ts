import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { Lock } from '../../scheduler/lock/lock';
import { demandOf, placementKeyOf } from '../../scheduler/placement';

/**
 * Rejects a lock with a line that names an engine which replicas of its shape do not have: the line is damaged.
 *
 * @throws FleetwrightError with all such lines
 */
export function refuseUnknownEngines({ deployments }: CompiledFleet, { placements }: Lock): void {
  const byId = new Map(deployments.map((one) => [one.id, one]));
  const problems = placements.flatMap((placement) => {
    const deployment = byId.get(placement.deployment);
    const demand = deployment && demandOf(deployment, placement);
    if (!demand) return [];
    const unknown = Object.keys(placement.pools).filter((name) => demand.engines.every((one) => one.name !== name));
    const what = `the lock has a pool for engine '${unknown[0]}', and shape ${placement.shape} has no such engine`;
    const hint = "Restore the lock from git, or recreate it with 'fleetwright lock DIR --from HEAD'";
    return unknown.length > 0 ? [errorAt('bad-lock', placementKeyOf(placement), what, hint)] : [];
  });
  if (problems.length > 0) throw new FleetwrightError(problems);
}
