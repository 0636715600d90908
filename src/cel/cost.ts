import { callCost, comparison, concatenation, namespaceCost, type Operand } from './cost-calls';
import { equalityCost } from './cost-equality';
import { loopCost } from './cost-macros';
import { deviceSize } from './device-size';
import { isNegativeLiteral } from './syntax';
import { type Entries, type Estimate, isDynamic, type Scope, sized, sizeOf, typeOf } from './estimate';
import type { Type } from './macro';
import { isOpen } from './open-types';
import { either, exactly, plus, type Size, UNKNOWN } from './size';
import { type Call, callOf, children, isNamed, type Node } from './syntax';
import { selectionIn } from './presence';

/** The limit of Kubernetes for the evaluation of one selector on one device, in its own units. */
export const MOST_COST = 1_000_000;

const TEXTS = new Set(['string', 'bytes']);
const NEW_LIST = 10;
const NEW_MAP = 30;
const NOTHING: Estimate = { steps: 0 };

/**
 * The most that an evaluation can cost, as the API server estimates it before it accepts a selector. `Infinity`
 * where the size of a value is needed and not known, which it refuses as well.
 *
 * @param root the tree of an expression that has been checked, so that its parts have types
 */
export function costOf(root: Node): number {
  return estimate(root, new Map()).steps;
}

function estimate(node: Node, scope: Scope): Estimate {
  const call = callOf(node);
  const found = call
    ? (loopCost(call, scope, estimate) ?? callEstimate(call, scope))
    : partEstimate(node, scope);
  return sized(node, found);
}

function partEstimate(node: Node, scope: Scope): Estimate {
  const known = OPERATIONS[node.op];
  if (known) return known(node, scope);
  const operands = children(node).map((operand) => estimate(operand, scope));
  return operationEstimate(node, operands);
}

type Operation = (node: Node, scope: Scope) => Estimate;

/** Parts that are more than an operator between operands. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  value: (node) => ({ steps: 0, size: literalSize(node) }),
  id: (node, scope) => {
    const name = node.op === 'id' ? node.args : '';
    const variable = scope.get(name);
    return variable ? { ...variable, steps: 1 } : { steps: 1, path: [name] };
  },
  '.': (node, scope) => {
    if (node.op !== '.') throw new Error('bug: no selection');
    const [operand, name] = node.args;
    const from = estimate(operand, scope);
    return { steps: from.steps + (isDynamic(operand) ? 0 : 1), path: from.path && [...from.path, name] };
  },
  '.?': (node, scope) => {
    if (node.op !== '.?') throw new Error('bug: no selection');
    return { steps: estimate(node.args[0], scope).steps + 1 };
  },
  list: (node, scope) => {
    const items = children(node).map((item) => estimate(item, scope));
    const entries: Entries = { container: 'list', key: exactly(1), value: anyOf(items) };
    return { steps: NEW_LIST + total(items), size: exactly(items.length), entries };
  },
  map: (node, scope) => {
    if (node.op !== 'map') throw new Error('bug: no map');
    const keys = node.args.map(([key]) => estimate(key, scope));
    const values = node.args.map(([, value]) => estimate(value, scope));
    const entries: Entries = { container: 'map', key: anyOf(keys), value: anyOf(values) };
    return { steps: NEW_MAP + total(keys) + total(values), size: exactly(keys.length), entries };
  },
  '?:': (node, scope) => {
    if (node.op !== '?:') throw new Error('bug: no choice');
    const [condition, yes, no] = node.args.map((part) => estimate(part, scope));
    if (!condition || !yes || !no) throw new Error('bug: a choice has three parts');
    const steps = condition.steps + Math.max(yes.steps, no.steps);
    return { steps, size: either(sizeOf(yes), sizeOf(no)), entries: eitherOf(yes.entries, no.entries) };
  },
};

/** An operator between operands that are estimated already. `steps` is what they take. */
type Operator = (node: Node, steps: number, operands: readonly [Estimate, Estimate]) => Estimate;

const equals: Operator = (node, steps, [a, b]) => ({ steps: steps + equalityCost(node, a, b) });
const orders: Operator = (node, steps, [a, b]) => ({
  steps: steps + (bothMayBe(node, TEXTS) ? comparison(sizeOf(a), sizeOf(b)) : 1),
});
const connects: Operator = (_, steps) => ({ steps });
const plain: Operator = (_, steps) => ({ steps: steps + 1 });

/** The operators that take anything but one step. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  '&&': connects,
  '||': connects,
  '==': equals,
  '!=': equals,
  '<': orders,
  '<=': orders,
  '>': orders,
  '>=': orders,
  in: (node, steps, [, list]) => ({
    steps: steps + (kindOfOperand(node, 1) === 'map' ? 1 : sizeOf(list).max),
  }),
  '+': (node, steps, [a, b]) => addition(node, steps, a, b),
  '[]': (node, steps, [from]) => ({
    steps: steps + 1,
    size: from.entries?.value,
    path: from.path && [...from.path, itemStep(node)],
  }),
  '-_': (node, steps) => ({ steps: isNegativeLiteral(node) ? 0 : steps + 1 }),
};

function operationEstimate(node: Node, operands: readonly Estimate[]): Estimate {
  const [a = NOTHING, b = NOTHING] = operands;
  return (OPERATORS[node.op] ?? plain)(node, total(operands), [a, b]);
}

function itemStep(node: Node): string {
  return kindOfOperand(node, 0) === 'list' ? '@items' : '@values';
}

function addition(node: Node, steps: number, a: Estimate, b: Estimate): Estimate {
  const size = plus(sizeOf(a), sizeOf(b));
  const entries = eitherOf(a.entries, b.entries);
  if (bothMayBe(node, TEXTS)) return { steps: steps + concatenation(sizeOf(a), sizeOf(b)), size, entries };
  const lists = children(node).every((operand) => isDynamic(operand) || typeOf(operand)?.kind === 'list');
  return { steps: steps + 1, ...(lists && { size, entries }) };
}

/** Whether both operands of a node are of one of these types, or nobody knows of which. */
function bothMayBe(node: Node, names: ReadonlySet<string>): boolean {
  return children(node).every((operand) => isDynamic(operand) || names.has(typeOf(operand)?.name ?? ''));
}

function kindOfOperand(node: Node, i: number): string | undefined {
  const operand = children(node)[i];
  return operand && typeOf(operand)?.kind;
}

/** Calls that stand for something else, by name. */
const EXPANDED: Readonly<Record<string, (call: Call, scope: Scope) => Estimate | undefined>> = {
  has: ({ args }, scope) => ({ steps: selectionOperand(args[0], scope) }),
  bind: ({ receiver, args }, scope) => (isNamed(receiver, 'cel') ? binding(args, scope) : undefined),
  optMap: optional,
  optFlatMap: optional,
  dyn: ({ args: [arg] }, scope) => {
    if (!arg) return undefined;
    const value = estimate(arg, scope);
    return { ...value, path: undefined, steps: value.steps + 1 };
  },
};

function callEstimate(call: Call, scope: Scope): Estimate {
  const { name, receiver, args } = call;
  const expanded = EXPANDED[name]?.(call, scope);
  if (expanded) return expanded;
  const values = args.map((arg) => estimate(arg, scope));
  const operands = values.map((value, i) => operand(args[i], value));
  const namespace = receiver && /^(.*)Namespace$/.exec(typeOf(receiver)?.name ?? '')?.[1];
  if (namespace !== undefined) {
    const { steps, size } = namespaceCost(namespace, name, operands);
    return { steps: total(values) + steps, size };
  }
  const target = receiver && estimate(receiver, scope);
  const { steps, size } = callCost(name, target && operand(receiver, target), operands);
  return { steps: total(values) + (target?.steps ?? 0) + steps, size };
}

/** `has(a.b)` evaluates `a`. */
function selectionOperand(written: Node | undefined, scope: Scope): number {
  const selection = written && selectionIn(written);
  return selection?.op === '.' ? estimate(selection.args[0], scope).steps : 0;
}

/** A binding is a loop over an empty list to CEL. */
function binding([variable, value, body]: readonly Node[], scope: Scope): Estimate {
  if (variable?.op !== 'id' || !value || !body) return { steps: 0 };
  const bound = estimate(value, scope);
  const inner = estimate(body, new Map([...scope, [variable.args, bound]]));
  // Kubernetes has forgotten the variable when it asks how large the body is.
  const result = isNamed(body, variable.args)
    ? sized(body, { ...inner, size: undefined, entries: undefined })
    : inner;
  return { ...result, path: undefined, steps: NEW_LIST + bound.steps + result.steps };
}

/** `a.optMap(x, f(x))` is `a.hasValue() ? optional.of(cel.bind(x, a.value(), f(x))) : optional.none()`. */
function optional({ name, receiver, args }: Call, scope: Scope): Estimate | undefined {
  const [variable, body] = args;
  if (!receiver || variable?.op !== 'id' || !body) return undefined;
  const from = estimate(receiver, scope);
  const inner = estimate(body, new Map([...scope, [variable.args, { steps: 1 }]]));
  const wrapped = name === 'optMap' ? 1 : 0;
  return { steps: from.steps + 1 + wrapped + NEW_LIST + from.steps + 1 + inner.steps };
}

function operand(node: Node | undefined, value: Estimate): Operand {
  const type = node && typeOf(node);
  const element = type?.kind === 'map' ? type.keyType : type?.valueType;
  const literal = node && literalInt(node);
  const size = (value.path && deviceSize([...value.path, '@items'])) ?? UNKNOWN;
  return {
    size: sizeOf(value),
    ...(element && type?.kind !== 'dyn' && { element: { type: nameOf(element), size } }),
    ...(literal !== undefined && { literal }),
    dynamic: node ? isDynamic(node) && !isOpen(node) : false,
    ...(type && { type: type.name }),
  };
}

/** The name of a type, empty where nothing tells the type. */
function nameOf({ kind, name }: Type): string {
  return kind === 'param' ? '' : name;
}

function literalInt(node: Node): bigint | undefined {
  if (node.op === 'value') return typeof node.args === 'bigint' ? node.args : undefined;
  const positive = isNegativeLiteral(node) ? literalInt(node.args) : undefined;
  return positive === undefined ? undefined : -positive;
}

function literalSize(node: Node): Size {
  if (node.op !== 'value') return UNKNOWN;
  const { args } = node;
  if (typeof args === 'string') return exactly([...args].length);
  return exactly(args instanceof Uint8Array ? args.length : 1);
}

function anyOf(estimates: readonly Estimate[]): Size {
  if (estimates.length === 0) return exactly(0);
  return estimates.map(sizeOf).reduce(either);
}

function eitherOf(a: Entries | undefined, b: Entries | undefined): Entries | undefined {
  return a && b && { container: a.container, key: either(a.key, b.key), value: either(a.value, b.value) };
}

function total(estimates: readonly Estimate[]): number {
  return estimates.reduce((steps, estimate) => steps + estimate.steps, 0);
}
