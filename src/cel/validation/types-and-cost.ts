import { FUNCTION_NAMESPACES } from '../cel-go-compat/function-overrides';
import { haveSameType } from '../cel-go-compat/type-checking';
import { asCheckedNode, type CelType, celTypeOf } from '../cel-js-internals';
import { COST_LIMIT, estimateCost } from '../evaluation-cost/estimate-cost';
import { type Fault, throwFault } from '../selector-error';
import { allNodesOf, type AstNode, type CallNode, callOf, childrenOf } from '../syntax-tree';
import { ORDERED_TYPES } from '../values/comparison';

const NUMBERS = ['int', 'uint', 'double', 'google.protobuf.Duration'];

/** What the elements of a list may be for its functions. The library takes any. */
const ELEMENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  isSorted: ORDERED_TYPES,
  min: ORDERED_TYPES,
  max: ORDERED_TYPES,
  sort: ORDERED_TYPES,
  sum: new Set(NUMBERS),
};
/** The types that an expression can name. */
const TYPES = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
]);

const SOUGHT = new Set(['indexOf', 'lastIndexOf']);
const SELECTABLE = new Set(['map', 'message', 'dyn', 'optional', 'param']);

/** The checks of an expression whose types are known. Throws a `SelectorError` for the first fault. */
export function validateTypes(expression: string, root: AstNode): void {
  if (isNamespace(root)) throwFault(expression, createNoVariableFault(root));
  const free = formatOperandsOf(root);
  for (const node of allNodesOf(root))
    throwFault(
      expression,
      checkTypeVariable(node) ??
        checkNamespace(node) ??
        checkNamespaceSpelling(expression, node) ??
        checkSelection(node) ??
        checkKey(node) ??
        checkElements(node) ??
        (free.has(node) ? undefined : checkMixedElements(node)) ??
        checkArguments(node),
    );
}

/** `cel.bind(x, int, true)`: Kubernetes makes no program of an expression with a variable for a type. */
function checkTypeVariable(node: AstNode): Fault | undefined {
  const call = callOf(node);
  const bound = call?.name === 'bind' ? call.args[1] : undefined;
  const read = node.op === 'id' && !TYPES.has(node.args) ? node : undefined;
  const found = [bound, read].find((part) => part && celTypeOf(part)?.name === 'type');
  return found && { offset: found.start, what: 'a type cannot be the value of a variable' };
}

function checkNamespace(node: AstNode): Fault | undefined {
  const receiver = callOf(node)?.receiver;
  const found = childrenOf(node).find((child) => child !== receiver && isNamespace(child));
  return found && createNoVariableFault(found);
}

/** `Ip.isCanonical("::1")` is the library's spelling, and nobody else's. */
function checkNamespaceSpelling(expression: string, node: AstNode): Fault | undefined {
  const receiver = callOf(node)?.receiver;
  const misspelt = receiver && isNamespace(receiver) && receiver.args === wordAt(expression, receiver.start);
  return misspelt && FUNCTION_NAMESPACES.has(String(receiver.args))
    ? createNoVariableFault(receiver)
    : undefined;
}

function wordAt(expression: string, offset: number): string | undefined {
  return /^\w+/.exec(expression.slice(offset))?.[0];
}

/** The parts of calls of `format`, whose lists and maps may have elements of different types. */
function formatOperandsOf(root: AstNode): ReadonlySet<AstNode> {
  const formats = allNodesOf(root).filter((node) => callOf(node)?.name === 'format');
  return new Set(formats.flatMap(allNodesOf));
}

/** What stands before the functions of a library, which the CEL library takes for a variable. */
function isNamespace(node: AstNode): boolean {
  return node.op === 'id' && celTypeOf(node)?.name.endsWith('Namespace') === true;
}

function createNoVariableFault(node: AstNode): Fault {
  return { offset: node.start, what: `there is no variable '${String(node.args)}'` };
}

/** `1u.name` */
function checkSelection(node: AstNode): Fault | undefined {
  if (node.op !== '.') return undefined;
  const type = celTypeOf(node.args[0]);
  if (!type || SELECTABLE.has(type.kind)) return undefined;
  return { offset: node.start, what: `a value of type ${type.name} has no fields` };
}

/** `device.attributes[1]` */
function checkKey(node: AstNode): Fault | undefined {
  if (node.op !== '[]' && node.op !== '[?]') return undefined;
  const [map, name] = node.args.map(celTypeOf);
  if (map?.name === 'type') return { offset: node.start, what: 'a type cannot be indexed' };
  if (map?.kind !== 'map' || known(map.keyType) === undefined || known(name) === undefined) return undefined;
  if (map.keyType?.name === name?.name) return undefined;
  return {
    offset: node.args[1].start,
    what: `the keys of the map are of type ${map.keyType?.name}, not ${name?.name}`,
  };
}

/** `[{}].isSorted()`, `[1].indexOf("a")` */
function checkElements(node: AstNode): Fault | undefined {
  const call = callOf(node);
  const list = call?.receiver && celTypeOf(call.receiver);
  const type = list?.kind === 'list' ? known(list.valueType) : undefined;
  const what = call && type && (unordered(call, type) ?? neverFound(call, type));
  return what === undefined ? undefined : { offset: node.start, what };
}

function unordered({ name }: CallNode, type: CelType): string | undefined {
  // What is wrong with null is found when it runs.
  if (type.name === 'null' || ELEMENTS[name]?.has(type.name) !== false) return undefined;
  return `there is no function '${name}' for a list of type ${type.name}`;
}

function neverFound({ name, args: [arg] }: CallNode, type: CelType): string | undefined {
  const sought = SOUGHT.has(name) && arg ? known(celTypeOf(arg)) : undefined;
  if (!sought || type.kind !== 'primitive' || sought.name === type.name) return undefined;
  return `a list of type ${type.name} has no element of type ${sought.name}`;
}

/** `[{}, 1]`: the elements of a list have one type, and so have the keys and the values of a map. */
function checkMixedElements(node: AstNode): Fault | undefined {
  if (node.op === 'list') return odd(node.args);
  if (node.op !== 'map') return undefined;
  return odd(node.args.map(([key]) => key)) ?? odd(node.args.map(([, value]) => value));
}

function odd([first, ...rest]: readonly AstNode[]): Fault | undefined {
  const other = first && rest.find((node) => !haveSameType(first, node));
  if (!other) return undefined;
  const [type, otherType] = [first, other].map((node) => celTypeOf(node)?.name);
  return { offset: other.start, what: `the elements must have one type, and ${type} is not ${otherType}` };
}

/** `attribute.startsWith({})`: the library asks nothing of the arguments where the receiver is of unknown type. */
function checkArguments(node: AstNode): Fault | undefined {
  const { candidates, argTypes } = asCheckedNode(node);
  const receiver = node.op === 'rcall' ? celTypeOf(node.args[1]) : undefined;
  if (receiver?.kind !== 'dyn' || !candidates || !argTypes || candidates.findFunction(argTypes, receiver))
    return undefined;
  const types = argTypes.map(({ name }) => name).join(', ');
  return { offset: node.start, what: `there is no function '${callOf(node)?.name}' for (${types})` };
}

function known(type: CelType | undefined): CelType | undefined {
  return type && type.kind !== 'dyn' && type.kind !== 'param' ? type : undefined;
}

/** Throws a `SelectorError` for a checked expression that the API server refuses for its cost. */
export function validateCost(expression: string, root: AstNode): void {
  const cost = Math.ceil(estimateCost(root));
  if (cost <= COST_LIMIT) return;
  const what = Number.isFinite(cost)
    ? `the selector may take ${cost} steps for one device, and the limit is ${COST_LIMIT}`
    : 'Kubernetes refuses the selector: it cannot tell how large a value in it becomes, and so what it costs';
  const hint = Number.isFinite(cost)
    ? 'Nest fewer macros such as all and exists in each other'
    : 'Compare with a text or a number that is written down';
  throwFault(expression, { offset: root.start, what, hint });
}
