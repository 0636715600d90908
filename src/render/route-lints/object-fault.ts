import type { Manifest } from '../manifest';
import type { Objects } from './objects';

/** Something wrong with an object that routes requests, which no API server refuses. */
export interface ObjectFault {
  readonly code: string;
  readonly object: Manifest;

  /** What is wrong, as a clause without a full stop. */
  readonly what: string;

  /** What to do about it, likewise. */
  readonly hint: string;
}

/** A rule about the objects of a cluster. */
export type ObjectRule = (objects: Objects) => Iterable<ObjectFault>;
