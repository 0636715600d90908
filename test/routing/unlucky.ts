import * as fc from 'fast-check';
import { FleetwrightError } from '../../src/base/errors';

/**
 * Why a random fleet may be refused by right: services take what labels come, and one of them may select nothing.
 */
const UNLUCKY: ReadonlySet<string> = new Set(['selects-nothing']);

/**
 * What is made of a random fleet, in a property. Of one that is unlucky nothing can be said, and fast-check draws
 * another; whatever else is thrown fails the property.
 *
 * @param more codes of problems that this property brings about itself
 */
export function unlessUnlucky<T>(make: () => T, more: readonly string[] = []): T {
  try {
    return make();
  } catch (error) {
    const isUnlucky =
      error instanceof FleetwrightError &&
      error.diagnostics.every(({ code }) => UNLUCKY.has(code) || more.includes(code));
    if (isUnlucky) fc.pre(false);
    throw error;
  }
}

/** A property gives up after so many unlucky fleets for each that it wants: of `routedFleet` two of five are. */
export const FEW_UNLUCKY = { maxSkipsPerRun: 5 };
