/**
 * A condition on one device, as CEL: what `selectors` of a request take.
 *
 * @example
 * const big: Condition = gpu.memory.atLeast('79Gi');
 */
export interface Condition {
  readonly cel: string;
}

/** All of some conditions. */
export function and(first: Condition, ...rest: readonly Condition[]): Condition {
  return { cel: [first, ...rest].map(({ cel }) => cel).join(' && ') };
}

/** Any of some conditions. In parentheses, so that it can stand beside others. */
export function or(first: Condition, ...rest: readonly Condition[]): Condition {
  if (rest.length === 0) return first;
  return { cel: `(${[first, ...rest].map(({ cel }) => cel).join(' || ')})` };
}

/** The contrary of a condition. A device that leaves an optional attribute out does not meet a condition on it. */
export function not(condition: Condition): Condition {
  return { cel: `!(${condition.cel})` };
}
