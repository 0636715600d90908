import {
  Document,
  isMap as isMapNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
  visit,
  type YAMLMap,
  YAMLSeq,
} from 'yaml';
import { isMap } from '../base/json';
import { type ManifestNode, manifestNodesOf } from './document-contents';
import { DEFAULT_LIMITS } from './input-limits';
import { openSource, type SourceFile } from './source-file';
import { readDocuments } from './yaml-documents';
import { collectAnchors, findEntry, keyTextOf } from './yaml-nodes';

/**
 * Rewrites the specs of manifests in a file. Comments, and everything outside these specs, stay as they are. Returns the
 * same text if nothing changes.
 *
 * @param change returns another document with a new spec, or the same object. It keeps parts that do not change
 */
export function rewriteManifests(file: SourceFile, change: (document: Readonly<Record<string, unknown>>) => unknown) {
  const source = openSource(file);
  const edits = [...readDocuments(source, DEFAULT_LIMITS)].flatMap((read) => {
    const root = 'document' in read ? read.document.contents : null;
    if (!root) return [];
    return [...manifestNodesOf(root, collectAnchors(root))].flatMap((item) => {
      return 'node' in item ? editSpec(item, change, source.text) : [];
    });
  });
  const text = edits.reduceRight((all, { start, end, by }) => all.slice(0, start) + by + all.slice(end), source.text);
  return text === source.text ? file.text : text;
}

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

function editSpec(
  { node }: ManifestNode,
  change: (document: Readonly<Record<string, unknown>>) => unknown,
  text: string,
): TextEdit[] {
  const origins: Origins = new Map();
  const value = valueOf(node, origins);
  const changed = isMap(value) ? change(value) : value;
  const spec = findEntry(node, 'spec', NO_ANCHORS)?.value;
  if (changed === value || !isMap(changed) || !isMapNode(spec)) return [];
  const [start, end] = spec.range;
  // It is before the start of the node.
  spec.commentBefore = null;
  const comments = collectComments(spec);
  const edited = editNode(spec, changed['spec'], { origins, used: new Set() });
  const ending = text[end - 1] === '\n' ? '\n' : '';
  return [{ start, end, by: formatNode(edited, comments, { text, start }) + ending }];
}

function collectComments(root: Node): string[] {
  const comments: string[] = [];
  visit(root, {
    Node: (_, { commentBefore, comment }) => {
      comments.push(...[commentBefore, comment].flatMap((one) => one?.split('\n') ?? []));
    },
  });
  return comments.filter((comment) => comment.trim() !== '');
}

/** The nodes that plain values were read from. */
type Origins = Map<object, ParsedNode>;

/** Reads plain data. Every map and list is an object of its own, so that it has one node. */
function valueOf(node: ParsedNode | null, origins: Origins): unknown {
  if (isScalar(node)) return node.value;
  const value = isMapNode(node)
    ? Object.fromEntries(node.items.map((pair) => [keyOf(pair), valueOf(pair.value, origins)]))
    : isSeq(node)
      ? node.items.map((item) => valueOf(item, origins))
      : // An alias stays as it is.
        {};
  if (node) origins.set(value, node);
  return value;
}

const NO_ANCHORS = (): undefined => undefined;

function keyOf({ key }: Pair<ParsedNode, unknown>): string {
  return keyTextOf(key, NO_ANCHORS) ?? '';
}

interface Edit {
  readonly origins: Origins;

  /** Nodes that have a place in the result. A further place gets a copy. */
  readonly used: Set<Node>;
}

/** The node of a new value, in place of a node. Nodes of equal and moved parts are kept, with their comments. */
function editNode(old: Node | null | undefined, value: unknown, edit: Edit): Node {
  const known = typeof value === 'object' && value !== null ? edit.origins.get(value) : undefined;
  if (known) return useNode(known, edit);
  if (isMapNode(old) && isMap(value)) return editMap(old as YAMLMap<Node, Node | null>, value, edit);
  if (isSeq(old) && Array.isArray(value) && value.length === old.items.length) {
    old.items = old.items.map((item, i) => editNode(item as Node, value[i], edit));
    return old;
  }
  if (isScalar(old) && old.value === value) return old;
  return createNode(value, edit);
}

function editMap(map: YAMLMap<Node, Node | null>, value: Readonly<Record<string, unknown>>, edit: Edit): Node {
  const pairs = new Map(map.items.map((pair) => [keyOf(pair as Pair<ParsedNode, unknown>), pair]));
  const document = new Document();
  if (map.items.length === 0) map.flow = false;
  map.items = Object.entries(value).map(([key, inner]) => {
    const pair = pairs.get(key);
    if (!pair) return document.createPair(key, createNode(inner, edit)) as Pair<Node, Node | null>;
    pair.value = editNode(pair.value, inner, edit);
    return pair;
  });
  return map;
}

function createNode(value: unknown, edit: Edit): Node {
  const known = typeof value === 'object' && value !== null ? edit.origins.get(value) : undefined;
  if (known) return useNode(known, edit);
  const document = new Document();
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items = value.map((item) => createNode(item, edit));
    return list;
  }
  const node = document.createNode(isMap(value) ? {} : value);
  if (isMap(value) && isMapNode(node)) {
    node.flow = false;
    node.items = Object.entries(value).map(([key, inner]) => document.createPair(key, createNode(inner, edit)));
  }
  return node;
}

function useNode(node: ParsedNode, { used }: Edit): Node {
  if (used.has(node)) return node.clone() as Node;
  used.add(node);
  return node;
}

/** Formats a node for its place in a text, and as the text indents lists. Comments of fields that went come first. */
function formatNode(node: Node, comments: readonly string[], { text, start }: { text: string; start: number }): string {
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  const indentSeq = !/\n( *)[\w-]+:[ ]*\n\1- /.test(text);
  const document = new Document(null, { schema: 'core' });
  document.contents = node as typeof document.contents;
  const formatted = document.toString({ lineWidth: 0, indentSeq }).trimEnd();
  const kept = new Set(collectComments(node));
  const lost = comments.filter((comment) => !kept.has(comment)).map((comment) => `#${comment}`);
  const pad = ' '.repeat(column);
  return [...lost, ...formatted.split('\n')].map((line, i) => (i === 0 || line === '' ? line : pad + line)).join('\n');
}
