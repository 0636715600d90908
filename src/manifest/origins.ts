import type { YAMLMap } from 'yaml';
import { resourceId } from '../api/kinds';
import type { Locate } from '../api/locate';
import type { Path } from '../api/resource';
import { type Anchors, anchorsIn } from './anchors';
import { readAgain } from './documents';
import { offsetOf } from './positions';
import type { Source } from './source';

/** The text that declares a resource: all that is kept of it once it is read. */
export interface Origin {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** The text of a map in a file. */
export function originOf(source: Source, { range: [start, end] }: YAMLMap.Parsed): Origin {
  return { source, start, end };
}

/** Offsets below a resource, from the start of its file. */
type OffsetOf = (path: Path) => number;

/**
 * Finds the places of resources by `resourceId`, so that a changed copy of one still has a place.
 *
 * Most resources are never asked about, and the nodes of all would take ten times the memory of their
 * text: so the text of one is parsed again when somebody asks.
 */
export function locator(origins: ReadonlyMap<string, Origin>): Locate {
  let last: { readonly id: string; readonly offset: OffsetOf } | undefined;
  return (resource, path) => {
    const id = resourceId(resource);
    const origin = origins.get(id);
    if (!origin) return id;
    if (last?.id !== id) last = { id, offset: offsetsIn(origin) };
    return origin.source.place(last.offset(path));
  };
}

/** Finds the places of fields below one map of a file. Its text is parsed again when somebody asks. */
export function placesIn(origin: Origin): (path: Path) => string {
  let offset: OffsetOf | undefined;
  return (path) => {
    offset ??= offsetsIn(origin);
    return origin.source.place(offset(path));
  };
}

function offsetsIn({ source: { text }, start, end }: Origin): OffsetOf {
  // An item of a list is indented: its first line must stay so too.
  const indent = start - (text.lastIndexOf('\n', start - 1) + 1);
  const root = readAgain(' '.repeat(indent) + text.slice(start, end));
  if (!root) return () => start;
  const anchors: Anchors = anchorsIn(root);
  return (path) => start - indent + offsetOf(root, path, anchors);
}
