import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import type { Path } from '../api/resource';
import { type Anchors, resolved } from './anchors';
import { entryOf } from './keys';

/** Which side of `key: value` a place means. */
export type Side = 'key' | 'value';

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
export function offsetOf(root: ParsedNode, path: Path, anchors: Anchors, side: Side = 'value'): number {
  let offset = root.range[0];
  let node: ParsedNode | null = root;
  for (const [index, part] of path.entries()) {
    const step: Step | undefined = stepInto(resolved(node, anchors), part, anchors);
    if (!step) return offset;
    const isTarget = index === path.length - 1;
    offset = startOf(step, isTarget ? side : 'value') ?? offset;
    node = step.value;
  }
  return offset;
}

function stepInto(node: ParsedNode | undefined, part: string | number, anchors: Anchors): Step | undefined {
  if (isMap(node)) return entryOf(node, String(part), anchors);
  if (!isSeq(node) || typeof part !== 'number') return undefined;
  const value = node.items[part];
  return value && { value };
}

function startOf({ key, value }: Step, side: Side): number | undefined {
  if (!key) return value?.range[0];
  const isShown = isAlias(value) || (isScalar(value) && value.range[0] < value.range[1]);
  return side === 'value' && isShown ? value.range[0] : key.range[0];
}
