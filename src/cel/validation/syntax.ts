import { messageOf } from '../../base/errors';
import { COMPREHENSIONS } from '../cel-go-compat/parsing';
import { findOverrideName, FUNCTION_NAMESPACES } from '../cel-go-compat/rename-overridden-calls';
import { getRunEnvironment, type SelectorFeatures } from '../environment';
import { describeFailure } from '../error-messages';
import { compileRegex } from '../library/strings';
import { type SyntaxFault, faultAt, throwFault } from '../selector-error';
import {
  allNodesOf,
  type AstNode,
  attributeAccessOf,
  type CallNode,
  callOf,
  childrenOf,
  isNegativeLiteral,
} from '../syntax-tree';
import { BRACKET_DEPTH, type Token } from '../tokens';
import { INT64_MAX, isInt64 } from '../values/decimal';

/** The Kubernetes limit for the length of a selector, in bytes of UTF-8. */
const MAX_BYTES = 10 * 1024;

/** Validates a selector without its syntax tree. Throws a `SelectorError` for the first fault. */
export function validateText(expression: string, tokens: readonly Token[]): void {
  throwFault(
    expression,
    checkLength(expression) ??
      checkOverrideName(tokens) ??
      checkDeviceIndex(tokens) ??
      checkNestedChoice(tokens) ??
      checkTrailingComma(tokens),
  );
}

function checkLength(expression: string): SyntaxFault | undefined {
  const bytes = new TextEncoder().encode(expression).length;
  if (bytes <= MAX_BYTES) return undefined;
  return faultAt(0, `the selector has ${bytes} bytes, and Kubernetes accepts at most ${MAX_BYTES}`);
}

function checkOverrideName(tokens: readonly Token[]): SyntaxFault | undefined {
  const stray = findOverrideName(tokens);
  return stray && faultAt(stray.start, `unknown function '${stray.text}'`);
}

/** The library accepts an index of a message, `device["driver"]`. CEL does not. */
function checkDeviceIndex(tokens: readonly Token[]): SyntaxFault | undefined {
  const found = tokens.find(
    ({ text }, i) => text === 'device' && tokens[i - 1]?.text !== '.' && tokens[i + 1]?.text === '[',
  );
  if (!found) return undefined;
  return faultAt(found.start, "'device' cannot be indexed", 'Write device.driver, with a dot');
}

/** The CEL grammar has no `a ? b ? c : d : e`: a choice between `?` and `:` needs parentheses. */
function checkNestedChoice(tokens: readonly Token[]): SyntaxFault | undefined {
  const open: string[] = [];
  for (const [i, { text, start }] of tokens.entries()) {
    if (BRACKET_DEPTH[text] === 1) open.push(text);
    else if (BRACKET_DEPTH[text] === -1) while (open.length > 0 && open.pop() === '?');
    else if (text === ':' && open.at(-1) === '?') open.pop();
    else if (text === '?' && tokens[i - 1]?.text !== '.' && tokens[i - 1]?.text !== '[') {
      if (open.at(-1) === '?') {
        const what = "'?' between '?' and ':' needs parentheses";
        return faultAt(start, what, 'Put parentheses around the inner choice');
      }
      open.push('?');
    }
  }
  return undefined;
}

/** The library accepts a comma after the last argument. CEL accepts it only in lists and maps. */
function checkTrailingComma(tokens: readonly Token[]): SyntaxFault | undefined {
  const found = tokens.find(({ text }, i) => text === ',' && tokens[i + 1]?.text === ')');
  return found && faultAt(found.start, "an argument is missing after ','", 'Remove the comma');
}

const PATTERNS = new Set(['matches', 'find', 'findAll']);
const CONVERSIONS = new Set(['int', 'uint', 'double', 'bool', 'string', 'dyn']);

/** Literals must be valid even if the evaluation never reaches them. */
function checkInteger(node: AstNode): SyntaxFault | undefined {
  for (const child of childrenOf(node)) {
    if (child.op === '-_' && node.op === '-_' && child.args.op === 'value' && child.args.args === INT64_MAX + 1n) {
      return faultAt(child.start, `${INT64_MAX + 1n} does not fit into 64 bits`);
    }
    if (child.op !== 'value' || typeof child.args !== 'bigint') continue;
    const max = node.op === '-_' ? INT64_MAX + 1n : INT64_MAX;
    if (child.args > max) return faultAt(child.start, `${child.args} does not fit into 64 bits`);
  }
  return undefined;
}

function checkPattern(node: AstNode): SyntaxFault | undefined {
  const call = callOf(node);
  if (!call || !PATTERNS.has(call.name)) return undefined;
  const text = call.args[call.receiver ? 0 : 1];
  if (text?.op !== 'value' || typeof text.args !== 'string') return undefined;
  try {
    compileRegex(text.args);
    return undefined;
  } catch (error) {
    const hint = 'Patterns are in the syntax of RE2, which has no lookaround and no back-references';
    return faultAt(text.start, messageOf(error), hint);
  }
}

/** Kubernetes converts constants at compile time, so `int("x")` never runs. */
function checkConversion(node: AstNode): SyntaxFault | undefined {
  const call = callOf(node);
  const [value] = call?.args ?? [];
  if (!call || !CONVERSIONS.has(call.name) || !value || !isConstant(value)) return undefined;
  try {
    const result: unknown = getRunEnvironment().evaluate(constantTextOf(node));
    if (typeof result !== 'bigint' || isInt64(result)) return undefined;
    return faultAt(node.start, `${result} does not fit into 64 bits`);
  } catch (error) {
    return faultAt(node.start, describeFailure(error));
  }
}

/** Kubernetes compiles a constant index to an accessor, which must be a string, a number or a bool. */
function checkIndex(node: AstNode): SyntaxFault | undefined {
  const key = node.op === '[]' || node.op === '[?]' ? node.args[1] : undefined;
  if (!key || !allNodesOf(key).every(({ op }) => op === 'list' || op === 'map' || op === 'value')) return undefined;
  if (key.op === 'value' && key.args !== null && !(key.args instanceof Uint8Array)) return undefined;
  return faultAt(key.start, 'nothing can be indexed with null, bytes, a list or a map');
}

/** Returns the text of a constant in the spelling of the library, which can differ from the original. */
function constantTextOf(node: AstNode): string {
  if (node.op === 'value' && typeof node.args === 'number') return formatDouble(node.args);
  if (node.op === 'list') return `[${node.args.map(constantTextOf).join(', ')}]`;
  if (node.op === 'call') return `${node.args[0]}(${node.args[1].map(constantTextOf).join(', ')})`;
  return node.input.slice(node.start, node.end);
}

function formatDouble(value: number): string {
  const text = String(value);
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text;
}

function isConstant(node: AstNode): boolean {
  if (node.op === 'value') return true;
  if (node.op === 'list') return node.args.every(isConstant);
  const call = callOf(node);
  if (call && !call.receiver && CONVERSIONS.has(call.name)) return call.args.every(isConstant);
  return isNegativeLiteral(node);
}

const COMPARISONS = new Set(['compareTo', 'isGreaterThan', 'isLessThan']);

/** Methods of bytes in the library that do not exist in CEL. */
const FOREIGN_METHODS = new Set(['hex', 'base64', 'json', 'at', 'string']);

/** Functions of namespaces that are not also methods. */
const NAMESPACED = new Set([...FUNCTION_NAMESPACES.values()].flatMap(({ functions }) => [...functions]));
NAMESPACED.delete('contains');

const SYNTAX_RULES = [checkForeignMethod, checkComparison, checkInteger, checkPattern, checkConversion, checkIndex];

/** Validates the syntax tree of a selector. Throws a `SelectorError` for the first fault. */
export function validateSyntax(expression: string, root: AstNode, { listAttributes = true }: SelectorFeatures): void {
  const nodes = allNodesOf(root);
  for (const rule of listAttributes ? SYNTAX_RULES : [...SYNTAX_RULES, checkListMacro]) {
    for (const node of nodes) throwFault(expression, rule(node));
  }
}

function checkForeignMethod(node: AstNode): SyntaxFault | undefined {
  const call = callOf(node);
  if (!call?.receiver || isNamespaced(call)) return undefined;
  if (!FOREIGN_METHODS.has(call.name) && !NAMESPACED.has(call.name)) return undefined;
  return faultAt(node.start, `unknown function '${call.name}'`);
}

function isNamespaced({ name, receiver }: CallNode): boolean {
  return receiver?.op === 'id' && FUNCTION_NAMESPACES.get(receiver.args)?.functions.has(name) === true;
}

/** The library does not check the arguments of methods of attributes, because it does not know their type. */
function checkComparison(node: AstNode): SyntaxFault | undefined {
  const call = callOf(node);
  const [value] = call?.args ?? [];
  if (!call?.receiver || !COMPARISONS.has(call.name) || value?.op !== 'value' || value.args === null) return undefined;
  const hint = 'Write quantity("40Gi") or semver("1.2.3")';
  return faultAt(value.start, `'${call.name}' takes a quantity or a version`, hint);
}

function checkListMacro(node: AstNode): SyntaxFault | undefined {
  const call = callOf(node);
  if (!call?.receiver || !COMPREHENSIONS.has(call.name) || !attributeAccessOf(call.receiver)) return undefined;
  return faultAt(
    node.start,
    `'${call.name}' iterates over an attribute, which is not a list without the feature gate DRAListTypeAttributes`,
  );
}
