import { checkedNode } from './checked-node';
import type { Evaluator, Values } from './macro';
import { callOf, type Node, nodesOf } from './syntax';
import { entriesOf, numberOf } from './values';

/** The entries of maps that are written down with other keys than texts: the library has only the texts of them. */
const WRITTEN = new WeakMap<object, ReadonlyMap<unknown, unknown>>();

/** What tells keys by their types. */
const KEYED = new Set(['format', 'transformMapEntry']);

/** The entries of a map with the keys that it was written with; nothing for any other value. */
export function writtenEntries(value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  const written = typeof value === 'object' && value !== null ? WRITTEN.get(value) : undefined;
  return written ? [...written] : entriesOf(value);
}

/** Makes the maps of a checked tree be written with their keys, where it has a call that tells them. */
export function rememberKeys(root: Node): void {
  const nodes = nodesOf(root);
  if (!nodes.some((node) => KEYED.has(callOf(node)?.name ?? ''))) return;
  for (const node of nodes) {
    if (node.op === 'map' && checkedNode(node).checkedType?.keyType?.name !== 'string')
      checkedNode(node).setMeta('evaluate', map);
  }
}

function map(evaluator: Evaluator, node: Node, values: Values): unknown {
  if (node.op !== 'map') throw new Error('bug: no map');
  const entries = node.args.map(
    ([key, value]) => [evaluator.run(key, values), evaluator.run(value, values)] as const,
  );
  const made = Object.fromEntries(entries.map(([key, value]) => [String(numberOf(key) ?? key), value]));
  WRITTEN.set(made, new Map(entries));
  return made;
}
