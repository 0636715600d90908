import type { Locate } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import type { Fleet } from '../fleet/fleet';
import { compileClusters } from '../scheduler/compile/compile-clusters';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import { checkFleet } from './check-fleet';

/**
 * Turns a fleet into what the scheduler works on: every distinct selector compiled once, devices folded into
 * shapes, lists sorted.
 *
 * @param locate finds the place of a problem
 * @throws FleetwrightError with everything that is wrong between resources and every selector that does not compile or
 * can never match
 */
export function compileFleet(fleet: Fleet, locate: Locate): CompiledFleet {
  const { deployments: workloads, problems, warnings: remarks } = compileDeployments(fleet, locate);
  const all = [...checkFleet(fleet, locate), ...problems];
  if (all.length > 0) throw new FleetwrightError(all);
  return { deployments: workloads, clusters: compileClusters(fleet), warnings: remarks };
}

/** Everything for which `compile` refuses a fleet. */
export function findCompileProblems(fleet: Fleet, locate: Locate): Diagnostic[] {
  return [...checkFleet(fleet, locate), ...compileDeployments(fleet, locate).problems];
}
