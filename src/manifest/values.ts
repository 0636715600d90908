import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { Anchors } from './anchors';
import { aliasBomb, aliasTooDeep, badAlias, type Fault, keyFault } from './faults';
import { keyText } from './keys';
import type { Limits } from './limits';

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
  if (isAlias(node)) return readAlias(node, depth, walk);
  walk.deepest = Math.max(walk.deepest, depth);
  if (isScalar(node)) return scalarValue(node);
  if (isMap(node)) return readMap(node, depth + 1, walk);
  return isSeq(node) ? node.items.map((item) => read(item, depth + 1, walk)) : null;
}

const INTEGER = /^(?:[-+]?\d+|0x[\da-f]+|0o[0-7]+)$/i;

function scalarValue({ value, source }: Scalar): unknown {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && source && INTEGER.test(source) ? BigInt(source) : value;
}

function readMap(map: YAMLMap.Parsed, depth: number, walk: Walk): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { key: keyNode, value } of map.items) {
    const key = keyText(keyNode, walk.anchors);
    const fault = keyFault(keyNode, key, values);
    if (fault) tell(fault, walk);
    if (fault || key === undefined) continue;
    // An assignment to this key would set the prototype.
    if (key === '__proto__') Object.defineProperty(values, key, { value: null, enumerable: true });
    else values[key] = read(value, depth, walk);
  }
  return values;
}

function readAlias(alias: Alias.Parsed, depth: number, walk: Walk): unknown {
  const target = walk.anchors(alias);
  // Looked at before the target is: a chain of aliases could be as long as the file.
  if (depth > walk.limits.depth) return tell(aliasTooDeep(alias, walk.limits), walk);
  const repeated = target && repeat(target, depth, walk);
  if (!repeated) return tell(badAlias(alias, target), walk);
  if (depth + repeated.depth > walk.limits.depth) return tell(aliasTooDeep(alias, walk.limits), walk);

  walk.values += repeated.values;
  walk.deepest = Math.max(walk.deepest, depth + repeated.depth);
  const wasWithin = walk.budget.left >= 0;
  walk.budget.left -= repeated.values;
  if (wasWithin && walk.budget.left < 0) tell(aliasBomb(alias, walk.limits), walk);
  return repeated.value;
}

/** What a target stands for, or nothing while it is being read: then the alias is inside it. */
function repeat(target: ParsedNode, depth: number, walk: Walk): Repeated | undefined {
  if (walk.targets.has(target)) return walk.targets.get(target);
  walk.targets.set(target, undefined);
  const inner: Walk = { ...walk, values: 0, deepest: depth };
  const value = read(target, depth, inner);
  const repeated = { value, values: inner.values, depth: inner.deepest - depth };
  walk.targets.set(target, repeated);
  return repeated;
}

function tell(fault: Fault, walk: Walk): undefined {
  walk.report(fault);
  return undefined;
}
