import type { Locate } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import type { Fleet } from '../fleet/fleet';
import { compileClusters } from '../scheduler/compile/compile-clusters';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import { findSharedParts, type KnownFleet } from '../scheduler/compile/reuse-compiled';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import { checkFleet } from './check-fleet';

/**
 * Turns a fleet into what the scheduler works on: every distinct selector compiled once, devices folded into
 * shapes, lists sorted.
 *
 * @param locate finds the place of a problem
 * @param known another state of the fleet: what both have in common is taken from it, and is neither checked nor
 *   compiled again. It changes nothing of the result. Default: none
 * @throws FleetwrightError with everything that is wrong between resources and every selector that does not compile or
 * can never match
 */
export function compileFleet(fleet: Fleet, locate: Locate, known?: KnownFleet): CompiledFleet {
  const common = known && findSharedParts(fleet, known.fleet);
  const {
    deployments: workloads,
    problems,
    warnings: remarks,
  } = compileDeployments(fleet, locate, known && { ...known, ...common });
  const sound = common?.sameClusters ? common.deployments : undefined;
  const all = [...checkFleet(fleet, locate, sound), ...problems];
  if (all.length > 0) throw new FleetwrightError(all);
  return {
    deployments: workloads,
    clusters: known && common?.sameClusters ? known.model.clusters : compileClusters(fleet),
    warnings: remarks,
  };
}

/** Everything for which `compile` refuses a fleet. */
export function findCompileProblems(fleet: Fleet, locate: Locate): Diagnostic[] {
  return [...checkFleet(fleet, locate), ...compileDeployments(fleet, locate).problems];
}
