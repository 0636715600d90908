import type { Diagnostic } from './diagnostic';
import { FleetwrightError } from './errors';

/** What a step gives, or what is wrong with its input. */
export type Attempt<T> = { readonly value: T } | { readonly problems: readonly Diagnostic[] };

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

/** What is wrong with the input of a step: nothing where it succeeds. */
export function problemsOf(taken: Attempt<unknown>): readonly Diagnostic[] {
  return 'problems' in taken ? taken.problems : [];
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
