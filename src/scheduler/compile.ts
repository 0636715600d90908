import type { Locate } from '../api/locate';
import { FleetwrightError } from '../errors';
import { checkFleet } from '../check-fleet';
import type { Fleet } from '../fleet';
import { compileSites } from './compile-sites';
import { compileWorkloads } from './compile-workloads';
import type { Model } from './model';

/**
 * Turns a fleet into what the scheduler works on: every distinct selector compiled once, devices folded into
 * shapes, lists sorted.
 *
 * @param locate finds the place of a problem
 * @throws FleetwrightError with everything that is wrong between resources and every selector that does not compile or
 * can never match
 */
export function compile(fleet: Fleet, locate: Locate): Model {
  const { workloads, problems, remarks } = compileWorkloads(fleet, locate);
  const all = [...checkFleet(fleet, locate), ...problems];
  if (all.length > 0) throw new FleetwrightError(all);
  return { workloads, sites: compileSites(fleet), remarks };
}
