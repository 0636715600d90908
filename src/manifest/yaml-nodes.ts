import type { Alias, Node, ParsedNode, YAMLMap } from 'yaml';
import { bisectLast } from '../base/order';
import { yaml } from './yaml-library';

/** Finds the node that an alias repeats: the last node with its anchor above the alias. */
export type Anchors = (alias: Alias.Parsed) => ParsedNode | undefined;

/** Creates a lookup of the anchors below a node. It collects them on first use: most documents have no aliases. */
export function collectAnchors(root: ParsedNode): Anchors {
  let nodes: Map<string, ParsedNode[]> | undefined;
  return (alias) => {
    nodes ??= collectByName(root);
    const same = nodes.get(alias.source) ?? [];
    return same[bisectLast(same.length, (index) => (same[index]?.range[0] ?? 0) < alias.range[0])];
  };
}

/** Returns the node, or the node that it repeats if it is an alias. */
export function resolveAlias(node: ParsedNode | null, anchors: Anchors): ParsedNode | undefined {
  return yaml().isAlias(node) ? anchors(node) : (node ?? undefined);
}

function collectByName(root: ParsedNode): Map<string, ParsedNode[]> {
  const nodes = new Map<string, ParsedNode[]>();
  yaml().visit(root, {
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

type MapEntry = YAMLMap.Parsed['items'][number];

/**
 * A key as text. Undefined for a list, a map or an absent key. Numbers, booleans and nulls keep their source text, as
 * in the Kubernetes label `1.10: x`.
 */
export function keyTextOf(key: ParsedNode | null, anchors: Anchors): string | undefined {
  const node = resolveAlias(key, anchors);
  if (!yaml().isScalar(node)) return undefined;
  if (typeof node.value === 'string') return node.value;
  return node.source || undefined;
}

/** Whether a key is the `<<` of YAML 1.1, which merges a map into this one. */
export function isMergeKey(key: ParsedNode): boolean {
  return yaml().isScalar(key) && key.type === yaml().Scalar.PLAIN && key.value === '<<';
}

/** The first entry of a map with this key. */
export function findEntry(map: YAMLMap.Parsed, key: string, anchors: Anchors): MapEntry | undefined {
  return map.items.find((entry) => keyTextOf(entry.key, anchors) === key);
}
