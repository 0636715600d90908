import type { Diagnostic } from './diagnostic';
import { FleetwrightError } from './errors';

/** The value of a step, or the problems of its input. */
type Attempt<T> = { readonly value: T } | { readonly problems: readonly Diagnostic[] };

/**
 * Runs a step and returns its problems instead of throwing them, so that they can be reported together with those
 * of other steps.
 *
 * @example
 * const lock = attempt(() => parseLock(text, path));
 */
export function attempt<T>(step: () => T): Attempt<T> {
  try {
    return { value: step() };
  } catch (error) {
    if (error instanceof FleetwrightError) return { problems: error.diagnostics };
    throw error;
  }
}

/** The problems of the input of a step; empty if it succeeded. */
export function problemsOf(taken: Attempt<unknown>): readonly Diagnostic[] {
  return 'problems' in taken ? taken.problems : [];
}

/**
 * Runs independent steps, each for a field of the result.
 *
 * @throws FleetwrightError with the problems of all
 *
 * @example
 * const { clouds, model } = attemptAll({ clouds: () => parseClouds(flags), model: () => findModel(flags) });
 */
export function attemptAll<T extends object>(steps: { readonly [F in keyof T]: () => T[F] }): T {
  const fields = Object.keys(steps) as (keyof T)[];
  const taken = fields.map((field) => [field, attempt(steps[field])] as const);
  const problems = taken.flatMap(([, one]) => problemsOf(one));
  if (problems.length > 0) throw new FleetwrightError(problems);
  return Object.fromEntries(taken.map(([field, one]) => [field, 'value' in one ? one.value : undefined])) as T;
}

/**
 * Runs two independent steps.
 *
 * @throws FleetwrightError with the problems of both
 */
export function attemptBoth<A, B>(first: () => A, second: () => B): [A, B] {
  const [a, b] = [attempt(first), attempt(second)];
  if ('value' in a && 'value' in b) return [a.value, b.value];
  throw new FleetwrightError([...problemsOf(a), ...problemsOf(b)]);
}
