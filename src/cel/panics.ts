/** What ended the evaluation that runs; nothing while nothing did. Evaluations do not overlap. */
let reason: { readonly error: unknown } | undefined;

/**
 * Does something whose error ends the whole evaluation: Kubernetes' `sortBy` panics, where its keys are of a known
 * type, and `||` does not pass over that.
 */
export function orPanic<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    reason ??= { error };
    throw error;
  }
}

/** Runs an evaluation, and throws what ended it, whatever it came to. */
export function unlessPanic<T>(run: () => T): T {
  reason = undefined;
  const result = run();
  const ended = reason as { readonly error: unknown } | undefined;
  if (ended) throw ended.error;
  return result;
}
