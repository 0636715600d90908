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
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { Limits } from './input-limits';
import { type Anchors, isMergeKey, keyTextOf } from './yaml-nodes';

/** How many more values aliases may repeat in this run. */
export interface AliasBudget {
  left: number;
}

/** What reading the value of a node needs to know, and whom it tells what is wrong. */
export interface ValueContext {
  readonly anchors: Anchors;
  readonly limits: Limits;
  readonly budget: AliasBudget;
  readonly report: (fault: Diagnostic<number>) => void;
}

/** What an alias stands for, read once however often it is used. */
interface AliasTarget {
  readonly value: unknown;
  readonly values: number;
  readonly depth: number;
}

interface Walk extends ValueContext {
  /** Targets of aliases; `undefined` while one is being read, so that an alias inside its own anchor is seen. */
  readonly targets: Map<ParsedNode, AliasTarget | undefined>;
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
    const key = keyTextOf(keyNode, walk.anchors);
    const fault = checkMapKey(keyNode, key, values);
    if (fault) reportFault(fault, walk);
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
  if (depth > walk.limits.depth) return reportFault(describeDeepAlias(alias, walk.limits), walk);
  const repeated = target && readTarget(target, depth, walk);
  if (!repeated) return reportFault(describeBadAlias(alias, target), walk);
  if (depth + repeated.depth > walk.limits.depth)
    return reportFault(describeDeepAlias(alias, walk.limits), walk);

  walk.values += repeated.values;
  walk.deepest = Math.max(walk.deepest, depth + repeated.depth);
  const wasWithin = walk.budget.left >= 0;
  walk.budget.left -= repeated.values;
  if (wasWithin && walk.budget.left < 0) reportFault(describeAliasBomb(alias, walk.limits), walk);
  return repeated.value;
}

/** What a target stands for, or nothing while it is being read: then the alias is inside it. */
function readTarget(target: ParsedNode, depth: number, walk: Walk): AliasTarget | undefined {
  if (walk.targets.has(target)) return walk.targets.get(target);
  walk.targets.set(target, undefined);
  const inner: Walk = { ...walk, values: 0, deepest: depth };
  const value = read(target, depth, inner);
  const repeated = { value, values: inner.values, depth: inner.deepest - depth };
  walk.targets.set(target, repeated);
  return repeated;
}

function reportFault(fault: Diagnostic<number>, walk: Walk): undefined {
  walk.report(fault);
  return undefined;
}

/** A tag of some other program, or more often an expression that starts with `!` and lacks its quotes. */
export function describeUnknownTag(offset: number): Diagnostic<number> {
  return errorAt(
    'unknown-tag',
    offset,
    "this '!' starts a tag that YAML 1.2 does not have",
    'Put the whole value in quotes if the sign is part of it',
  );
}

/** A key that is no text, that merges, or that was seen before in its map. */
export function checkMapKey(
  node: ParsedNode,
  key: string | undefined,
  before: object,
): Diagnostic<number> | undefined {
  const offset = node.range[0];
  if (key === undefined) {
    return errorAt(
      'bad-key',
      offset,
      'the key of this entry is no text',
      'Put it in quotes. Double braces are a template: render it first',
    );
  }
  if (isMergeKey(node)) {
    return errorAt(
      'merge-key',
      offset,
      "'<<' merges maps in YAML 1.1 only, and manifests are YAML 1.2",
      'Repeat the fields, or use an alias for a whole value',
    );
  }
  if (!Object.hasOwn(before, key)) return undefined;
  return errorAt(
    'duplicate-key',
    offset,
    `the key '${key}' stands twice in this map`,
    'Remove one of the two',
  );
}

/** An alias without an anchor above it, or inside its own. Its name is not shown: a value may start with `*`. */
export function describeBadAlias(
  { range }: Alias.Parsed,
  target: ParsedNode | undefined,
): Diagnostic<number> {
  return errorAt(
    'bad-alias',
    range[0],
    target ? 'this alias stands inside its own anchor' : 'no anchor above has the name of this alias',
    target
      ? 'Write the value out'
      : 'Add the anchor, or put the value in quotes if the asterisk is part of it',
  );
}

/** Aliases of aliases that nest values beyond the limit. */
export function describeDeepAlias({ range }: Alias.Parsed, { depth }: Limits): Diagnostic<number> {
  return errorAt(
    'too-deep',
    range[0],
    `with this alias values are nested more than ${depth} levels deep`,
    'Write the value out',
  );
}

/** The alias at which the run passes its limit. */
export function describeAliasBomb({ range }: Alias.Parsed, { aliasedValues }: Limits): Diagnostic<number> {
  return errorAt(
    'alias-bomb',
    range[0],
    `aliases repeat more than ${aliasedValues} values up to here`,
    'Leave the file out if you did not write it, or write the values out',
  );
}
