import { parseResource, type Resource } from '../api/kinds';
import type { Path } from '../api/resource';
import { isMap } from '../base/json';

/** What a document with invalid fields says apart from them. */
export interface ValidFields {
  /** With the defaults of the fields that are left out. */
  readonly resource: Resource;

  /** The fields that are left out: those that are invalid, and lists with an invalid item. */
  readonly without: readonly Path[];
}

/** Reads a document without its invalid fields. Returns undefined if it is no resource without them. */
export function readValidFields(value: unknown, invalid: readonly Path[]): ValidFields | undefined {
  const without = invalid.map(toFieldOfMap);
  const parsed = parseResource(without.reduce(omitAt, value));
  const resource = 'findings' in parsed ? parsed.loose : parsed.resource;
  return resource && { resource, without };
}

/** A copy of a value without the field at a path. What is not on the path is shared. */
function omitAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? omitAt(item, rest) : item));
  if (!isMap(value)) return value;
  const entries = Object.entries(value).flatMap(([name, one]) => {
    if (name !== String(key)) return [[name, one]];
    return rest.length === 0 ? [] : [[name, omitAt(one, rest)]];
  });
  return Object.fromEntries(entries);
}

/** Without an item of a list, the items after it would have other indices than in the document. */
function toFieldOfMap(path: Path): Path {
  const length = path.findLastIndex((part) => typeof part === 'string') + 1;
  return path.slice(0, length);
}
