import { isOpenType } from '../cel-go-compat/type-checking';
import { type CelType, celTypeOf, isDynamic } from '../cel-js-internals';
import { selectionOfHas } from '../macros/has-and-optionals';
import { type AstNode, type CallNode, callOf, childrenOf, isIdentifier, isNegativeLiteral } from '../syntax-tree';
import {
  costOfCall,
  costOfComparison,
  costOfConcatenation,
  costOfEquality,
  costOfNamespaceCall,
  type CostOperand,
} from './calls';
import { costOfMacro } from './macros';
import {
  addSizes,
  type CostScope,
  type EntrySizes,
  type Estimate,
  estimatedSizeOf,
  type Size,
  sizeOfDevicePath,
  sumSteps,
  toExactSize,
  unionSizes,
  UNKNOWN_SIZE,
  withSize,
} from './sizes';

/** The Kubernetes limit for the evaluation of one selector on one device, in cost units of Kubernetes. */
export const COST_LIMIT = 1_000_000;

const TEXTS = new Set(['string', 'bytes']);
const NEW_LIST = 10;
const NEW_MAP = 30;
const NOTHING: Estimate = { steps: 0 };

/**
 * Estimates the maximum cost of an evaluation, as the API server does before it accepts a selector. The result is
 * `Infinity` if it depends on an unknown size; the API server rejects such selectors too.
 *
 * @param root the tree of a checked expression, whose nodes have types
 */
export function estimateCost(root: AstNode): number {
  return estimate(root, new Map()).steps;
}

function estimate(node: AstNode, scope: CostScope): Estimate {
  const call = callOf(node);
  const found = call
    ? (costOfMacro(call, scope, estimate) ?? estimateCall(call, scope))
    : estimateOperator(node, scope);
  return withSize(node, found);
}

function estimateOperator(node: AstNode, scope: CostScope): Estimate {
  const known = OPERATIONS[node.op];
  if (known) return known(node, scope);
  const operands = childrenOf(node).map((operand) => estimate(operand, scope));
  const [a = NOTHING, b = NOTHING] = operands;
  return (OPERATORS[node.op] ?? plain)(node, sumSteps(operands), [a, b]);
}

type Operation = (node: AstNode, scope: CostScope) => Estimate;

/** Nodes that are not a plain operator with operands. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  value: (node) => ({ steps: 0, size: literalSizeOf(node) }),
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
    const items = childrenOf(node).map((item) => estimate(item, scope));
    const entries: EntrySizes = { container: 'list', key: toExactSize(1), value: unionOfEstimates(items) };
    return { steps: NEW_LIST + sumSteps(items), size: toExactSize(items.length), entries };
  },
  map: (node, scope) => {
    if (node.op !== 'map') throw new Error('bug: no map');
    const keys = node.args.map(([key]) => estimate(key, scope));
    const values = node.args.map(([, value]) => estimate(value, scope));
    const entries: EntrySizes = { container: 'map', key: unionOfEstimates(keys), value: unionOfEstimates(values) };
    return { steps: NEW_MAP + sumSteps(keys) + sumSteps(values), size: toExactSize(keys.length), entries };
  },
  '?:': (node, scope) => {
    if (node.op !== '?:') throw new Error('bug: no choice');
    const [condition, yes, no] = node.args.map((part) => estimate(part, scope));
    if (!condition || !yes || !no) throw new Error('bug: a choice has three parts');
    const steps = condition.steps + Math.max(yes.steps, no.steps);
    return {
      steps,
      size: unionSizes(estimatedSizeOf(yes), estimatedSizeOf(no)),
      entries: unionEntries(yes.entries, no.entries),
    };
  },
};

/** Estimates an operator from the estimates of its operands. `steps` is the sum of their steps. */
type BinaryOperator = (node: AstNode, steps: number, operands: readonly [Estimate, Estimate]) => Estimate;

const equals: BinaryOperator = (node, steps, [a, b]) => ({ steps: steps + costOfEquality(node, a, b) });
const orders: BinaryOperator = (node, steps, [a, b]) => ({
  steps: steps + (mayBothBe(node, TEXTS) ? costOfComparison(estimatedSizeOf(a), estimatedSizeOf(b)) : 1),
});
const connects: BinaryOperator = (_, steps) => ({ steps });
const plain: BinaryOperator = (_, steps) => ({ steps: steps + 1 });

/** Operators that do not take exactly one step. */
const OPERATORS: Readonly<Record<string, BinaryOperator>> = {
  '&&': connects,
  '||': connects,
  '==': equals,
  '!=': equals,
  '<': orders,
  '<=': orders,
  '>': orders,
  '>=': orders,
  in: (node, steps, [, list]) => ({
    steps: steps + (kindOfOperand(node, 1) === 'map' ? 1 : estimatedSizeOf(list).max),
  }),
  '+': (node, steps, [a, b]) => estimateAddition(node, steps, a, b),
  '[]': (node, steps, [from]) => ({
    steps: steps + 1,
    size: from.entries?.value,
    path: from.path && [...from.path, kindOfOperand(node, 0) === 'list' ? '@items' : '@values'],
  }),
  '-_': (node, steps) => ({ steps: isNegativeLiteral(node) ? 0 : steps + 1 }),
};

function estimateAddition(node: AstNode, steps: number, a: Estimate, b: Estimate): Estimate {
  const size = addSizes(estimatedSizeOf(a), estimatedSizeOf(b));
  const entries = unionEntries(a.entries, b.entries);
  if (mayBothBe(node, TEXTS))
    return { steps: steps + costOfConcatenation(estimatedSizeOf(a), estimatedSizeOf(b)), size, entries };
  const lists = childrenOf(node).every((operand) => isDynamic(operand) || celTypeOf(operand)?.kind === 'list');
  return { steps: steps + 1, ...(lists && { size, entries }) };
}

/** Reports whether each operand of a node has one of these types, or an unknown type. */
function mayBothBe(node: AstNode, names: ReadonlySet<string>): boolean {
  return childrenOf(node).every((operand) => isDynamic(operand) || names.has(celTypeOf(operand)?.name ?? ''));
}

function kindOfOperand(node: AstNode, i: number): string | undefined {
  const operand = childrenOf(node)[i];
  return operand && celTypeOf(operand)?.kind;
}

const EXPANDED: Readonly<Record<string, (call: CallNode, scope: CostScope) => Estimate | undefined>> = {
  // `has(a.b)` evaluates `a`.
  has: ({ args: [written] }, scope) => {
    const selection = written && selectionOfHas(written);
    return { steps: selection?.op === '.' ? estimate(selection.args[0], scope).steps : 0 };
  },
  bind: ({ receiver, args }, scope) => (isIdentifier(receiver, 'cel') ? estimateBind(args, scope) : undefined),
  optMap: estimateOptional,
  optFlatMap: estimateOptional,
  dyn: ({ args: [arg] }, scope) => {
    if (!arg) return undefined;
    const value = estimate(arg, scope);
    return { ...value, path: undefined, steps: value.steps + 1 };
  },
};

function estimateCall(call: CallNode, scope: CostScope): Estimate {
  const { name, receiver, args } = call;
  const expanded = EXPANDED[name]?.(call, scope);
  if (expanded) return expanded;
  const values = args.map((arg) => estimate(arg, scope));
  const operands = values.map((value, i) => toOperand(args[i], value));
  const namespace = receiver && /^(.*)Namespace$/.exec(celTypeOf(receiver)?.name ?? '')?.[1];
  if (namespace !== undefined) {
    const { steps, size } = costOfNamespaceCall(namespace, name, operands);
    return { steps: sumSteps(values) + steps, size };
  }
  const target = receiver && estimate(receiver, scope);
  const { steps, size } = costOfCall(name, target && toOperand(receiver, target), operands);
  return { steps: sumSteps(values) + (target?.steps ?? 0) + steps, size };
}

/** CEL expands a binding to a loop over an empty list. */
function estimateBind([variable, value, body]: readonly AstNode[], scope: CostScope): Estimate {
  if (variable?.op !== 'id' || !value || !body) return { steps: 0 };
  const bound = estimate(value, scope);
  const inner = estimate(body, new Map([...scope, [variable.args, bound]]));
  // Kubernetes does not know the size of the variable when it needs the size of the body.
  const result = isIdentifier(body, variable.args)
    ? withSize(body, { ...inner, size: undefined, entries: undefined })
    : inner;
  return { ...result, path: undefined, steps: NEW_LIST + bound.steps + result.steps };
}

/** `a.optMap(x, f(x))` is `a.hasValue() ? optional.of(cel.bind(x, a.value(), f(x))) : optional.none()`. */
function estimateOptional({ name, receiver, args }: CallNode, scope: CostScope): Estimate | undefined {
  const [variable, body] = args;
  if (!receiver || variable?.op !== 'id' || !body) return undefined;
  const from = estimate(receiver, scope);
  const inner = estimate(body, new Map([...scope, [variable.args, { steps: 1 }]]));
  const wrapped = name === 'optMap' ? 1 : 0;
  return { steps: from.steps + 1 + wrapped + NEW_LIST + from.steps + 1 + inner.steps };
}

function toOperand(node: AstNode | undefined, value: Estimate): CostOperand {
  const type = node && celTypeOf(node);
  const element = type?.kind === 'map' ? type.keyType : type?.valueType;
  const literal = node && integerLiteralOf(node);
  const size = (value.path && sizeOfDevicePath([...value.path, '@items'])) ?? UNKNOWN_SIZE;
  return {
    size: estimatedSizeOf(value),
    ...(element && type?.kind !== 'dyn' && { element: { type: nameOf(element), size } }),
    ...(literal !== undefined && { literal }),
    dynamic: node ? isDynamic(node) && !isOpenType(node) : false,
    ...(type && { type: type.name }),
  };
}

/** Returns the name of a type. The name of an open type is empty. */
function nameOf({ kind, name }: CelType): string {
  return kind === 'param' ? '' : name;
}

function integerLiteralOf(node: AstNode): bigint | undefined {
  if (node.op === 'value') return typeof node.args === 'bigint' ? node.args : undefined;
  const positive = isNegativeLiteral(node) ? integerLiteralOf(node.args) : undefined;
  return positive === undefined ? undefined : -positive;
}

function literalSizeOf(node: AstNode): Size {
  if (node.op !== 'value') return UNKNOWN_SIZE;
  const { args } = node;
  if (typeof args === 'string') return toExactSize([...args].length);
  return toExactSize(args instanceof Uint8Array ? args.length : 1);
}

function unionOfEstimates(estimates: readonly Estimate[]): Size {
  if (estimates.length === 0) return toExactSize(0);
  return estimates.map(estimatedSizeOf).reduce(unionSizes);
}

function unionEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a && b && { container: a.container, key: unionSizes(a.key, b.key), value: unionSizes(a.value, b.value) };
}
