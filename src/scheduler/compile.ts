import type { Locate } from '../api/locate';
import { FleetwrightError, type Problem } from '../errors';
import { checkFleet } from '../check-fleet';
import type { Fleet } from '../fleet';
import { type Compiled, commonGround } from './common-ground';
import { compileSites } from './compile-sites';
import { compileWorkloads } from './compile-workloads';
import type { Model } from './model';

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
export function compile(fleet: Fleet, locate: Locate, known?: Compiled): Model {
  const common = known && commonGround(fleet, known.fleet);
  const { workloads, problems, remarks } = compileWorkloads(fleet, locate, known && { ...known, ...common });
  const sound = common?.sites ? common.deployments : undefined;
  const all = [...checkFleet(fleet, locate, sound), ...problems];
  if (all.length > 0) throw new FleetwrightError(all);
  return { workloads, sites: known && common?.sites ? known.model.sites : compileSites(fleet), remarks };
}

/** Everything for which `compile` refuses a fleet. */
export function compileProblems(fleet: Fleet, locate: Locate): Problem[] {
  return [...checkFleet(fleet, locate), ...compileWorkloads(fleet, locate).problems];
}
