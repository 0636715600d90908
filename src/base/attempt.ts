import type { Diagnostic } from './diagnostic';
import { FleetwrightError } from './errors';

/** What a step gives, or what is wrong with its input. */
export type Attempt<T> = { readonly value: T } | { readonly problems: readonly Diagnostic[] };

/**
 * Takes a step whose refusal is told together with those of others.
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
 * Takes two steps of which neither needs the other.
 *
 * @throws FleetwrightError with what is wrong with the input of both
 */
export function attemptBoth<A, B>(first: () => A, second: () => B): [A, B] {
  const [left, right] = [attempt(first), attempt(second)];
  if ('value' in left && 'value' in right) return [left.value, right.value];
  throw new FleetwrightError([...problemsOf(left), ...problemsOf(right)]);
}
