import { type Locate, locateAll } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { checkDeviceCounts } from '../fleet/checks/devices';
import { expandModels } from '../engine/expand/expand-models';
import type { Fleet } from '../fleet/fleet';
import { compileClusters } from '../scheduler/compile/compile-clusters';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import { findUnreachedClusters } from '../routing/unreached-clusters';
import { checkFleet } from './check-fleet';

/**
 * Compiles a fleet for the scheduler: compiles every distinct selector once, folds devices into shapes and sorts lists.
 *
 * @param locate finds the source position of a problem
 * @throws FleetwrightError with every problem between resources, and every selector that does not compile or can never
 * match
 */
export function compileFleet(fleet: Fleet, locate: Locate): CompiledFleet {
  const { deployments, problems, warnings } = compileDeployments(fleet, locate);
  const all = [...checkFleet(fleet, locate), ...problems];
  if (all.length > 0) throw new FleetwrightError(all);
  const unreached = findUnreachedClusters(fleet);
  const placed = deployments.map((one) => {
    const avoids = unreached.get(one.id);
    return avoids ? { ...one, avoids } : one;
  });
  return { deployments: placed, clusters: compileClusters(fleet), warnings };
}

/**
 * Rejects requests for more devices of one node than a node of any class has. A plan reports them as shortfalls.
 *
 * @throws FleetwrightError with every such request
 */
export function refuseImpossibleRequests(fleet: Fleet, locate: Locate): void {
  const problems = locateAll([...checkDeviceCounts(fleet)], locate);
  if (problems.length > 0) throw new FleetwrightError(problems);
}

/** Finds all problems for which `compileFleet` rejects a fleet. */
export function findCompileProblems(declared: Fleet, locate: Locate): Diagnostic[] {
  const fleet = expandModels(declared, {});
  return [...checkFleet(fleet, locate), ...compileDeployments(fleet, locate).problems];
}
