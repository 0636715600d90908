import { isScalar, type ParsedNode, Scalar, type YAMLMap } from 'yaml';
import { type Anchors, resolved } from './anchors';

/** One `key: value` of a map. */
export type Entry = YAMLMap.Parsed['items'][number];

/**
 * A key as text, or nothing when it is none: a list, a map, or absent. Numbers, booleans and nulls
 * are keys as they are written, as in a Kubernetes label `1.10: x`.
 */
export function keyText(key: ParsedNode | null, anchors: Anchors): string | undefined {
  const node = resolved(key, anchors);
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'string') return node.value;
  return node.source || undefined;
}

/** Whether a key is the `<<` of YAML 1.1, which merges a map into this one. */
export function isMergeKey(key: ParsedNode): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.value === '<<';
}

/** The first entry of a map with this key. */
export function entryOf(map: YAMLMap.Parsed, key: string, anchors: Anchors): Entry | undefined {
  return map.items.find((entry) => keyText(entry.key, anchors) === key);
}
