import { type Alias, isAlias, isScalar, type Node, type ParsedNode, Scalar, visit, type YAMLMap } from 'yaml';
import { bisectLast } from '../base/order';

/** The node that an alias repeats: the last one with its anchor above it. */
export type Anchors = (alias: Alias.Parsed) => ParsedNode | undefined;

/** The anchors below a node. They are collected when the first alias asks: most documents have none. */
export function collectAnchors(root: ParsedNode): Anchors {
  let nodes: Map<string, ParsedNode[]> | undefined;
  return (alias) => {
    nodes ??= collectByName(root);
    const same = nodes.get(alias.source) ?? [];
    return same[bisectLast(same.length, (index) => (same[index]?.range[0] ?? 0) < alias.range[0])];
  };
}

/** The node itself, or what it repeats if it is an alias. */
export function resolveAlias(node: ParsedNode | null, anchors: Anchors): ParsedNode | undefined {
  return isAlias(node) ? anchors(node) : (node ?? undefined);
}

function collectByName(root: ParsedNode): Map<string, ParsedNode[]> {
  const nodes = new Map<string, ParsedNode[]>();
  visit(root, {
    Value(_, node: Node) {
      if (!node.anchor || !isParsed(node)) return;
      const same = nodes.get(node.anchor);
      if (same) same.push(node);
      else nodes.set(node.anchor, [node]);
    },
  });
  return nodes;
}

function isParsed(node: Node): node is ParsedNode {
  return Array.isArray(node.range);
}

/** One `key: value` of a map. */
export type MapEntry = YAMLMap.Parsed['items'][number];

/**
 * A key as text, or nothing when it is none: a list, a map, or absent. Numbers, booleans and nulls
 * are keys as they are written, as in a Kubernetes label `1.10: x`.
 */
export function keyTextOf(key: ParsedNode | null, anchors: Anchors): string | undefined {
  const node = resolveAlias(key, anchors);
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'string') return node.value;
  return node.source || undefined;
}

/** Whether a key is the `<<` of YAML 1.1, which merges a map into this one. */
export function isMergeKey(key: ParsedNode): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.value === '<<';
}

/** The first entry of a map with this key. */
export function findEntry(map: YAMLMap.Parsed, key: string, anchors: Anchors): MapEntry | undefined {
  return map.items.find((entry) => keyTextOf(entry.key, anchors) === key);
}
