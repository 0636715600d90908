import type { Resource } from './kinds';
import type { Path } from './resource';

/** Finds the place of a field: `file:line:column`, or a construct path. */
export type Locate = (resource: Resource, path: Path) => string;
