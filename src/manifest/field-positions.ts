import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import { type Locate, resourceIdOf } from '../api/kinds';
import type { Path } from '../api/resource';
import type { SourceText } from './source-file';
import { reparseDocument } from './yaml-documents';
import { type Anchors, collectAnchors, findEntry, resolveAlias } from './yaml-nodes';

/** The text that declares a resource: all that is kept of it once it is read. */
export interface Origin {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

/** The text of a map in a file. */
export function originOf(source: SourceText, { range: [start, end] }: YAMLMap.Parsed): Origin {
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
export function createLocator(origins: ReadonlyMap<string, Origin>): Locate {
  let last: { readonly id: string; readonly offset: OffsetOf } | undefined;
  return (resource, path) => {
    const id = resourceIdOf(resource);
    const origin = origins.get(id);
    if (!origin) return id;
    if (last?.id !== id) last = { id, offset: createOffsetFinder(origin) };
    return origin.source.place(last.offset(path));
  };
}

/** Finds the places of fields below one map of a file. Its text is parsed again when somebody asks. */
export function createPlaceFinder(origin: Origin): (path: Path) => string {
  let offset: OffsetOf | undefined;
  return (path) => {
    offset ??= createOffsetFinder(origin);
    return origin.source.place(offset(path));
  };
}

function createOffsetFinder({ source: { text }, start, end }: Origin): OffsetOf {
  // An item of a list is indented: its first line must stay so too.
  const indent = start - (text.lastIndexOf('\n', start - 1) + 1);
  const root = reparseDocument(' '.repeat(indent) + text.slice(start, end));
  if (!root) return () => start;
  const anchors: Anchors = collectAnchors(root);
  return (path) => start - indent + offsetOf(root, path, anchors);
}

/** Which side of `key: value` a place means. */
export type EntrySide = 'key' | 'value';

/** One step down a document. An item of a list has no key. */
interface Step {
  readonly key?: ParsedNode;
  readonly value: ParsedNode | null;
}

/**
 * The offset of a field below `root`: its value if that is one word or text, otherwise the key that
 * introduces it, or the start of an item. A field that is missing has the place of what should hold it.
 *
 * @param side `key` for a field that should not be there
 */
export function offsetOf(root: ParsedNode, path: Path, anchors: Anchors, side: EntrySide = 'value'): number {
  let offset = root.range[0];
  let node: ParsedNode | null = root;
  for (const [index, part] of path.entries()) {
    const step: Step | undefined = stepInto(resolveAlias(node, anchors), part, anchors);
    if (!step) return offset;
    const isTarget = index === path.length - 1;
    offset = startOf(step, isTarget ? side : 'value') ?? offset;
    node = step.value;
  }
  return offset;
}

function stepInto(node: ParsedNode | undefined, part: string | number, anchors: Anchors): Step | undefined {
  if (isMap(node)) return findEntry(node, String(part), anchors);
  if (!isSeq(node) || typeof part !== 'number') return undefined;
  const value = node.items[part];
  return value && { value };
}

function startOf({ key, value }: Step, side: EntrySide): number | undefined {
  if (!key) return value?.range[0];
  const isShown = isAlias(value) || (isScalar(value) && value.range[0] < value.range[1]);
  return side === 'value' && isShown ? value.range[0] : key.range[0];
}
