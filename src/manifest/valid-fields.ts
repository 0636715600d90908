import { parseResource, type Resource } from '../api/kinds';
import type { Path } from '../api/resource';
import { isMap, valueAt } from '../base/json';

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
  const rest = structuredClone(value);
  for (const path of without) {
    const holder = valueAt(rest, path.slice(0, -1));
    if (isMap(holder)) Reflect.deleteProperty(holder, String(path.at(-1)));
  }
  const parsed = parseResource(rest);
  const resource = 'findings' in parsed ? parsed.loose : parsed.resource;
  return resource && { resource, without };
}

/** Without an item of a list, the items after it would have other indices than in the document. */
function toFieldOfMap(path: Path): Path {
  const length = path.findLastIndex((part) => typeof part === 'string') + 1;
  return path.slice(0, length);
}
