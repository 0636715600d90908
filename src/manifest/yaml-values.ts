import type { Alias, ParsedNode, Scalar, YAMLMap } from 'yaml';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { Limits } from './input-limits';
import { type Anchors, isMergeKey, keyTextOf } from './yaml-nodes';
import { yaml } from './yaml-library';

/** The number of values that aliases can still repeat in this run. */
export interface AliasBudget {
  remaining: number;
}

/** The anchors, the limits and the fault handler for reading the value of a node. */
interface ValueContext {
  readonly anchors: Anchors;
  readonly limits: Limits;
  readonly budget: AliasBudget;
  readonly report: (fault: Diagnostic<number>) => void;
}

/** The value of an alias target. It is read once for all its aliases. */
interface AliasTarget {
  readonly value: unknown;
  readonly values: number;
  readonly depth: number;
}

interface Walk extends ValueContext {
  /** Targets of aliases. `undefined` while a target is being read, to detect an alias inside its own anchor. */
  readonly targets: Map<ParsedNode, AliasTarget | undefined>;
  values: number;
  deepest: number;
}

/**
 * Reads the plain value of a node: objects, arrays, strings, numbers, booleans and null, and a bigint for an integer
 * that a number would round. Repeated parts are shared, not copied. If faults are reported, the value is incomplete.
 */
export function readValue(node: ParsedNode, context: ValueContext): unknown {
  return read(node, 0, { ...context, targets: new Map(), values: 0, deepest: 0 });
}

function read(node: ParsedNode | null, depth: number, walk: Walk): unknown {
  walk.values += 1;
  if (yaml().isAlias(node)) return readAlias(node, depth, walk);
  walk.deepest = Math.max(walk.deepest, depth);
  if (yaml().isScalar(node)) return scalarValue(node);
  if (yaml().isMap(node)) return readMap(node, depth + 1, walk);
  return yaml().isSeq(node) ? node.items.map((item) => read(item, depth + 1, walk)) : null;
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
    if (depth === 1 && !map.flow && fault && key !== undefined && startsResource(key, values)) {
      reportFault(describeMissingSeparator(keyNode.range[0]), walk);
      return values;
    }
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
  // Checked before the target is read: a chain of aliases can be as long as the file.
  if (depth > walk.limits.depth) return reportFault(describeDeepAlias(alias, walk.limits), walk);
  const repeated = target && readTarget(target, depth, walk);
  if (!repeated) return reportFault(describeBadAlias(alias, target), walk);
  if (depth + repeated.depth > walk.limits.depth) return reportFault(describeDeepAlias(alias, walk.limits), walk);

  walk.values += repeated.values;
  walk.deepest = Math.max(walk.deepest, depth + repeated.depth);
  const wasWithin = walk.budget.remaining >= 0;
  walk.budget.remaining -= repeated.values;
  if (wasWithin && walk.budget.remaining < 0) reportFault(describeAliasBomb(alias, walk.limits), walk);
  return repeated.value;
}

/** Reads an alias target. Undefined while the target is being read: the alias is then inside its own anchor. */
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

/** The fault of an unknown tag: often an expression that starts with `!` and needs quotes. */
export function describeUnknownTag(offset: number): Diagnostic<number> {
  const hint = 'Put the whole value in quotes if the character is part of it';
  return errorAt('unknown-tag', offset, "this '!' starts a tag that YAML 1.2 does not have", hint);
}

/** Whether a key of a manifest that occurs twice begins another resource. */
function startsResource(key: string, before: object): boolean {
  return (key === 'apiVersion' || key === 'kind') && Object.hasOwn(before, key) && Object.hasOwn(before, 'metadata');
}

function describeMissingSeparator(offset: number): Diagnostic<number> {
  const what = "another resource begins here, and a '---' is missing before it";
  return errorAt('duplicate-key', offset, what, "Write '---' on a line of its own");
}

/** Checks a map key: reports a key that is not text, a merge key, and a duplicate of a key in `before`. */
function checkMapKey(node: ParsedNode, key: string | undefined, before: object): Diagnostic<number> | undefined {
  const offset = node.range[0];
  if (key === undefined) {
    const hint = 'If double braces are a template, render it first. Otherwise put the key in quotes';
    return errorAt('bad-key', offset, 'the key of this entry is not text', hint);
  }
  if (isMergeKey(node)) {
    const what = "'<<' merges maps in YAML 1.1 only, and manifests are YAML 1.2";
    return errorAt('merge-key', offset, what, 'Repeat the fields, or use an alias for a whole value');
  }
  if (!Object.hasOwn(before, key)) return undefined;
  return errorAt('duplicate-key', offset, `the key '${key}' occurs twice in this map`, 'Remove one of the two');
}

/**
 * The fault of an alias without an anchor above it, or inside its own anchor. The message does not show its name: it
 * can be an unquoted value that starts with `*`.
 */
function describeBadAlias({ range }: Alias.Parsed, target: ParsedNode | undefined): Diagnostic<number> {
  return errorAt(
    'bad-alias',
    range[0],
    target ? 'this alias is inside its own anchor' : 'this alias has no anchor above it',
    target ? 'Write the value out' : 'Add the anchor, or put the value in quotes if the asterisk is part of it',
  );
}

function describeDeepAlias({ range }: Alias.Parsed, { depth }: Limits): Diagnostic<number> {
  const what = `with this alias, values are nested more than ${depth} levels deep`;
  return errorAt('too-deep', range[0], what, 'Write the value out');
}

function describeAliasBomb({ range }: Alias.Parsed, { aliasedValues }: Limits): Diagnostic<number> {
  const hint = 'Remove the file if you did not write it, or write the values out';
  return errorAt('alias-bomb', range[0], `aliases repeat more than ${aliasedValues} values up to here`, hint);
}
