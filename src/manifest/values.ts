import { type Alias, isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from 'yaml';
import { nearest } from '../nearest';
import type { Anchors } from './anchors';
import { type Entry, isMergeKey, keyText } from './keys';
import type { Limits } from './limits';

/** Something in a document that has no plain value, at an offset of its file. */
export interface Fault {
  readonly code: string;
  readonly offset: number;
  readonly what: string;
  readonly hint: string;
}

/** How many more values aliases may repeat in this run. */
export interface AliasBudget {
  left: number;
}

/** What reading the value of a node needs to know, and whom it tells what is wrong. */
export interface ValueContext {
  readonly anchors: Anchors;
  readonly limits: Limits;
  readonly budget: AliasBudget;
  readonly report: (fault: Fault) => void;
}

/** What an alias stands for, read once however often it is used. */
interface Repeated {
  readonly value: unknown;
  readonly values: number;
  readonly depth: number;
}

interface Walk extends ValueContext {
  /** Targets of aliases; `undefined` while one is being read, so that an alias inside its own anchor is seen. */
  readonly targets: Map<ParsedNode, Repeated | undefined>;
  values: number;
  deepest: number;
}

/**
 * The plain value of a node: objects, arrays, strings, numbers, booleans and null, and a bigint for an
 * integer that a number would round. Repeated parts are shared, not copied.
 *
 * Faults are reported, and the value is then incomplete.
 */
export function readValue(node: ParsedNode, context: ValueContext): unknown {
  return read(node, 0, { ...context, targets: new Map(), values: 0, deepest: 0 });
}

function read(node: ParsedNode | null, depth: number, walk: Walk): unknown {
  walk.values += 1;
  if (depth > walk.deepest) walk.deepest = depth;
  if (node?.tag) checkTag(node, node.tag, walk);
  if (isScalar(node)) return scalarValue(node);
  if (isMap(node)) return readMap(node, depth + 1, walk);
  if (isSeq(node)) return node.items.map((item) => read(item, depth + 1, walk));
  return isAlias(node) ? readAlias(node, depth, walk) : null;
}

const INTEGER = /^(?:[-+]?\d+|0x[\da-f]+|0o[0-7]+)$/i;

function scalarValue({ value, source }: Scalar): unknown {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && source && INTEGER.test(source) ? BigInt(source.replace(/^\+/, '')) : value;
}

function readMap(map: YAMLMap.Parsed, depth: number, walk: Walk): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const entry of map.items) {
    const key = keyText(entry.key, walk.anchors);
    const fault = keyFault(entry, key, values);
    if (fault) walk.report({ offset: entry.key.range[0], ...fault });
    else if (key === '__proto__') Object.defineProperty(values, key, { value: null, enumerable: true });
    else if (key !== undefined) values[key] = read(entry.value, depth, walk);
  }
  return values;
}

function keyFault(entry: Entry, key: string | undefined, before: object): Omit<Fault, 'offset'> | undefined {
  if (key === undefined) {
    return {
      code: 'bad-key',
      what: 'the key of this entry is no text',
      hint: 'Put it in quotes. A value in double braces is a template: render it first',
    };
  }
  if (isMergeKey(entry.key)) {
    return {
      code: 'merge-key',
      what: "'<<' merges mappings in YAML 1.1 only, and manifests are YAML 1.2",
      hint: 'Repeat the fields, or use an alias for a whole value',
    };
  }
  if (!Object.hasOwn(before, key)) return undefined;
  return { code: 'duplicate-key', what: `'${key}' stands twice in this mapping`, hint: 'Remove one of the two' };
}

function readAlias(alias: Alias.Parsed, depth: number, walk: Walk): unknown {
  const target = walk.anchors(alias);
  const repeated = target && repeatedValue(target, walk);
  if (!repeated) return void walk.report(badAlias(alias, target !== undefined));
  walk.values += repeated.values - 1;
  walk.deepest = Math.max(walk.deepest, depth + repeated.depth);
  if (depth + repeated.depth > walk.limits.depth) return void walk.report(aliasTooDeep(alias, walk.limits));

  const before = walk.budget.left;
  walk.budget.left -= repeated.values;
  if (before >= 0 && walk.budget.left < 0) walk.report(aliasBomb(alias, walk.limits));
  return repeated.value;
}

/** The value of an alias's target, or nothing while that is being read: the alias is inside it. */
function repeatedValue(target: ParsedNode, walk: Walk): Repeated | undefined {
  if (walk.targets.has(target)) return walk.targets.get(target);
  walk.targets.set(target, undefined);
  const inner: Walk = { ...walk, values: 0, deepest: 0 };
  const value = read(target, 0, inner);
  const repeated = { value, values: inner.values, depth: inner.deepest };
  walk.targets.set(target, repeated);
  return repeated;
}
