import type { ParsedNode, YAMLMap } from 'yaml';
import { type Locate, resourceIdOf } from '../api/kinds';
import type { Path } from '../api/resource';
import { DEFAULT_LIMITS } from './input-limits';
import { hasPlainCharacters, NotPlain } from './plain-scalars';
import { type EntryOffsets, type PlainDocument, readPlainDocument } from './plain-yaml';
import type { SourceText } from './source-file';
import { reparseDocument } from './yaml-documents';
import { type Anchors, collectAnchors, findEntry, resolveAlias } from './yaml-nodes';
import { yaml } from './yaml-library';

/** The text range that declares a resource. Nothing else of the YAML is kept after parsing. */
export interface Origin {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

export function originOf(source: SourceText, { range: [start, end] }: YAMLMap.Parsed): Origin {
  return { source, start, end };
}

/** Returns the offset of a field of a resource, from the start of the file. */
type OffsetOf = (path: Path) => number;

/**
 * Creates a function that finds the positions of fields of resources. It looks resources up by `resourceIdOf`, so it
 * also works for a changed copy of a resource.
 *
 * The text of a resource is parsed again on demand: few positions are ever needed, and YAML nodes take ten times the
 * memory of their text.
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

/** Creates a function that finds the positions of fields in a map of a file. It parses the text again on first use. */
export function createPlaceFinder(origin: Origin): (path: Path) => string {
  let offset: OffsetOf | undefined;
  return (path) => {
    offset ??= createOffsetFinder(origin);
    return origin.source.place(offset(path));
  };
}

function createOffsetFinder(origin: Origin): OffsetOf {
  return createPlainOffsetFinder(origin) ?? createExactOffsetFinder(origin);
}

/** Finds offsets in a document that the plain reader reads, ten times as fast as the YAML library. */
function createPlainOffsetFinder({ source: { text }, start, end }: Origin): OffsetOf | undefined {
  const isLineStart = start === 0 || text[start - 1] === '\n';
  if (!isLineStart || !hasPlainCharacters(text.slice(start, end))) return undefined;
  const offsets: EntryOffsets = new Map();
  try {
    const document = readPlainDocument(text, start, end, { maxDepth: DEFAULT_LIMITS.depth, offsets });
    return document && ((path) => plainOffsetOf(document, path, offsets));
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** The same offset as that of `offsetOf`, in a document of the plain reader. */
export function plainOffsetOf({ value, start }: PlainDocument, path: Path, offsets: EntryOffsets): number {
  let offset = start;
  let node: unknown = value;
  for (const part of path) {
    const entries = typeof node === 'object' && node !== null ? offsets.get(node) : undefined;
    const found = entries?.get(Array.isArray(node) ? part : String(part));
    if (found === undefined) return offset;
    offset = found;
    node = (node as Readonly<Record<string | number, unknown>>)[part];
  }
  return offset;
}

function createExactOffsetFinder({ source: { text }, start, end }: Origin): OffsetOf {
  // The text of a list item starts behind its indentation: restore it on the first line.
  const indent = start - (text.lastIndexOf('\n', start - 1) + 1);
  const root = reparseDocument(' '.repeat(indent) + text.slice(start, end));
  if (!root) return () => start;
  const anchors: Anchors = collectAnchors(root);
  return (path) => start - indent + offsetOf(root, path, anchors);
}

export type EntrySide = 'key' | 'value';

/** A map entry or a list item on a path. A list item has no key. */
interface Step {
  readonly key?: ParsedNode;
  readonly value: ParsedNode | null;
}

/**
 * The offset of the field at a path below `root`: the offset of its value if this is a scalar or an alias, else of its
 * key, or of the list item. For a missing field, the offset of its nearest existing parent.
 *
 * @param side `key` for a field that must not exist
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
  if (yaml().isMap(node)) return findEntry(node, String(part), anchors);
  if (!yaml().isSeq(node) || typeof part !== 'number') return undefined;
  const value = node.items[part];
  return value && { value };
}

function startOf({ key, value }: Step, side: EntrySide): number | undefined {
  if (!key) return value?.range[0];
  const isInline = yaml().isAlias(value) || (yaml().isScalar(value) && value.range[0] < value.range[1]);
  return side === 'value' && isInline ? value.range[0] : key.range[0];
}
