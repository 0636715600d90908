import { type Alias, isAlias, type Node, type ParsedNode, visit } from 'yaml';
import { lastThat } from './bisect';

/** The node that an alias repeats: the last one with its anchor above it. */
export type Anchors = (alias: Alias.Parsed) => ParsedNode | undefined;

/** The anchors below a node. They are collected when the first alias asks: most documents have none. */
export function anchorsIn(root: ParsedNode): Anchors {
  let nodes: Map<string, ParsedNode[]> | undefined;
  return (alias) => {
    nodes ??= collect(root);
    const same = nodes.get(alias.source) ?? [];
    return same[lastThat(same.length, (index) => (same[index]?.range[0] ?? 0) < alias.range[0])];
  };
}

/** The node itself, or what it repeats if it is an alias. */
export function resolved(node: ParsedNode | null, anchors: Anchors): ParsedNode | undefined {
  return isAlias(node) ? anchors(node) : (node ?? undefined);
}

function collect(root: ParsedNode): Map<string, ParsedNode[]> {
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
