import type { IConstruct } from 'constructs';
import type { Resource } from '../src/api/kinds';

/** A construct that props of others may give instead of its name. */
export interface Named extends IConstruct {
  readonly kind: Resource['kind'];
  readonly name: string;
  readonly namespace: string | undefined;
}

/** Marks declarations, also those of another copy of this package. */
const NAMED = Symbol.for('fleetwright.Declaration');

/** Lets a construct stand for its name. */
export function markNamed(construct: Named): void {
  Object.defineProperty(construct, NAMED, { value: true });
}

/** Whether a value is a construct that stands for its name. */
export function isNamed(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && NAMED in value;
}
