/** The least and the most elements, characters or bytes that a value can have. `Infinity`: nobody knows. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

export const UNKNOWN: Size = { min: 0, max: Infinity };

export function exactly(size: number): Size {
  return { min: size, max: size };
}

/** A value that is one of two. */
export function either(a: Size, b: Size): Size {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Two values, one behind the other. */
export function plus(a: Size, b: Size): Size {
  return { min: a.min + b.min, max: a.max + b.max };
}

/** As many of one value as another tells. */
export function times(a: Size, b: Size): Size {
  return { min: product(a.min, b.min), max: product(a.max, b.max) };
}

/** A product in which nothing, however often, is nothing. */
export function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Steps to go over a size, rounded up, when each element takes a part of a step. */
export function stepsOver(size: number, factor: number): number {
  return Math.ceil(product(size, factor));
}
