import { runEnvironment } from './environment';
import { isInt64 } from './decimal';
import { failureText } from './cel-errors';
import type { Fault } from './fault';
import { regex } from './regex';
import { callOf, children, isNegativeLiteral, type Node, nodesOf } from './syntax';

const INT64_MAX = 2n ** 63n - 1n;
const PATTERNS = new Set(['matches', 'find', 'findAll']);
const CONVERSIONS = new Set(['int', 'uint', 'double', 'bool', 'string', 'dyn']);

/** The checks of what is written down in a selector: it has to be right also where evaluation may not come to it. */
export const CONSTANT_RULES = [integer, pattern, conversion, index];

function integer(node: Node): Fault | undefined {
  for (const child of children(node)) {
    if (
      child.op === '-_' &&
      node.op === '-_' &&
      child.args.op === 'value' &&
      child.args.args === INT64_MAX + 1n
    ) {
      return { offset: child.start, what: `${INT64_MAX + 1n} does not fit into 64 bits` };
    }
    if (child.op !== 'value' || typeof child.args !== 'bigint') continue;
    const most = node.op === '-_' ? INT64_MAX + 1n : INT64_MAX;
    if (child.args > most) return { offset: child.start, what: `${child.args} does not fit into 64 bits` };
  }
  return undefined;
}

function pattern(node: Node): Fault | undefined {
  const call = callOf(node);
  if (!call || !PATTERNS.has(call.name)) return undefined;
  const text = call.args[call.receiver ? 0 : 1];
  if (text?.op !== 'value' || typeof text.args !== 'string') return undefined;
  try {
    regex(text.args);
    return undefined;
  } catch (error) {
    const hint = 'Patterns are in the syntax of RE2, which has no lookaround and no back-references';
    return { offset: text.start, what: error instanceof Error ? error.message : String(error), hint };
  }
}

/** Kubernetes converts constants when it compiles: `int("x")` never gets to run. */
function conversion(node: Node): Fault | undefined {
  const call = callOf(node);
  const [value] = call?.args ?? [];
  if (!call || !CONVERSIONS.has(call.name) || !value || !isConstant(value)) return undefined;
  const what = conversionError(constantText(node));
  return what === undefined ? undefined : { offset: node.start, what };
}

/** Kubernetes makes an accessor of a constant index when it compiles: of a text, a number or a truth. */
function index(node: Node): Fault | undefined {
  const key = node.op === '[]' || node.op === '[?]' ? node.args[1] : undefined;
  if (!key || !nodesOf(key).every(({ op }) => op === 'list' || op === 'map' || op === 'value'))
    return undefined;
  if (key.op === 'value' && key.args !== null && !(key.args instanceof Uint8Array)) return undefined;
  return { offset: key.start, what: 'nothing can be indexed with null, bytes, a list or a map' };
}

function conversionError(call: string): string | undefined {
  try {
    const result: unknown = runEnvironment().evaluate(call);
    return typeof result === 'bigint' && !isInt64(result) ? `${result} does not fit into 64 bits` : undefined;
  } catch (error) {
    return failureText(error);
  }
}

/** A constant as the library can read it: it may have been written in a spelling that it cannot. */
function constantText(node: Node): string {
  if (node.op === 'value' && typeof node.args === 'number') return doubleText(node.args);
  if (node.op === 'list') return `[${node.args.map(constantText).join(', ')}]`;
  if (node.op === 'call') return `${node.args[0]}(${node.args[1].map(constantText).join(', ')})`;
  return node.input.slice(node.start, node.end);
}

function doubleText(value: number): string {
  const text = String(value);
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text;
}

function isConstant(node: Node): boolean {
  if (node.op === 'value') return true;
  if (node.op === 'list') return node.args.every(isConstant);
  const call = callOf(node);
  if (call && !call.receiver && CONVERSIONS.has(call.name)) return call.args.every(isConstant);
  return isNegativeLiteral(node);
}
