import { FUNCTION_NAMESPACES } from '../cel-go-compat/rename-overridden-calls';
import { haveSameType } from '../cel-go-compat/type-checking';
import { asCheckedNode, type CelType, celTypeOf } from '../cel-js-internals';
import { COST_LIMIT, estimateCost } from '../evaluation-cost/estimate-cost';
import { type SyntaxFault, faultAt, throwFault } from '../selector-error';
import { allNodesOf, type AstNode, type CallNode, callOf, childrenOf } from '../syntax-tree';
import { ORDERED_TYPES } from '../values/comparison';

const NUMBERS = ['int', 'uint', 'double', 'google.protobuf.Duration'];

/** The element types that functions of lists accept. The library accepts all types. */
const ELEMENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  isSorted: ORDERED_TYPES,
  min: ORDERED_TYPES,
  max: ORDERED_TYPES,
  sort: ORDERED_TYPES,
  sum: new Set(NUMBERS),
};
/** The types that have a name in expressions. */
const TYPES = new Set(['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint']);

const SEARCHES = new Set(['indexOf', 'lastIndexOf']);
const SELECTABLE = new Set(['map', 'message', 'dyn', 'optional', 'param']);

/** Validates a checked expression, whose types are known. Throws a `SelectorError` for the first fault. */
export function validateTypes(expression: string, root: AstNode): void {
  if (isNamespace(root)) throwFault(expression, createNoVariableFault(root));
  const formatOperands = formatOperandsOf(root);
  for (const node of allNodesOf(root))
    throwFault(
      expression,
      checkTypeVariable(node) ??
        checkNamespace(node) ??
        checkNamespaceSpelling(expression, node) ??
        checkSelection(node) ??
        checkKey(node) ??
        checkElements(node) ??
        (formatOperands.has(node) ? undefined : checkMixedElements(node)) ??
        checkArguments(node),
    );
}

/** `cel.bind(x, int, true)`: Kubernetes does not compile an expression with a type as the value of a variable. */
function checkTypeVariable(node: AstNode): SyntaxFault | undefined {
  const call = callOf(node);
  const bound = call?.name === 'bind' ? call.args[1] : undefined;
  const variable = node.op === 'id' && !TYPES.has(node.args) ? node : undefined;
  const found = [bound, variable].find((part) => part && celTypeOf(part)?.name === 'type');
  return found && faultAt(found.start, 'a type cannot be the value of a variable');
}

function checkNamespace(node: AstNode): SyntaxFault | undefined {
  const receiver = callOf(node)?.receiver;
  const found = childrenOf(node).find((child) => child !== receiver && isNamespace(child));
  return found && createNoVariableFault(found);
}

/** `Ip.isCanonical("::1")` is the spelling for the library. Users must not write it. */
function checkNamespaceSpelling(expression: string, node: AstNode): SyntaxFault | undefined {
  const receiver = callOf(node)?.receiver;
  if (!receiver || !isNamespace(receiver) || !FUNCTION_NAMESPACES.has(String(receiver.args))) return undefined;
  const [written] = /^\w+/.exec(expression.slice(receiver.start)) ?? [];
  return written === receiver.args ? createNoVariableFault(receiver) : undefined;
}

/** Returns the nodes in calls of `format`, whose lists and maps can have elements of different types. */
function formatOperandsOf(root: AstNode): ReadonlySet<AstNode> {
  const formats = allNodesOf(root).filter((node) => callOf(node)?.name === 'format');
  return new Set(formats.flatMap(allNodesOf));
}

/** Reports whether a node is the namespace of a function, which the library treats as a variable. */
function isNamespace(node: AstNode): boolean {
  return node.op === 'id' && celTypeOf(node)?.name.endsWith('Namespace') === true;
}

function createNoVariableFault(node: AstNode): SyntaxFault {
  return faultAt(node.start, `unknown variable '${String(node.args)}'`);
}

/** `1u.name` */
function checkSelection(node: AstNode): SyntaxFault | undefined {
  if (node.op !== '.') return undefined;
  const type = celTypeOf(node.args[0]);
  if (!type || SELECTABLE.has(type.kind)) return undefined;
  return faultAt(node.start, `a value of type ${type.name} has no fields`);
}

/** `device.attributes[1]` */
function checkKey(node: AstNode): SyntaxFault | undefined {
  if (node.op !== '[]' && node.op !== '[?]') return undefined;
  const [map, name] = node.args.map(celTypeOf);
  if (map?.name === 'type') return faultAt(node.start, 'a type cannot be indexed');
  if (map?.kind !== 'map' || toKnownType(map.keyType) === undefined || toKnownType(name) === undefined)
    return undefined;
  if (map.keyType?.name === name?.name) return undefined;
  return faultAt(node.args[1].start, `the keys of the map are of type ${map.keyType?.name}, not ${name?.name}`);
}

/** `[{}].isSorted()`, `[1].indexOf("a")` */
function checkElements(node: AstNode): SyntaxFault | undefined {
  const call = callOf(node);
  const list = call?.receiver && celTypeOf(call.receiver);
  const type = list?.kind === 'list' ? toKnownType(list.valueType) : undefined;
  const what = call && type && (describeUnordered(call, type) ?? describeNeverFound(call, type));
  return what === undefined ? undefined : faultAt(node.start, what);
}

function describeUnordered({ name }: CallNode, type: CelType): string | undefined {
  // The evaluation reports null.
  if (type.name === 'null' || ELEMENTS[name]?.has(type.name) !== false) return undefined;
  return `unknown function '${name}' for a list of type ${type.name}`;
}

function describeNeverFound({ name, args: [arg] }: CallNode, type: CelType): string | undefined {
  const searched = SEARCHES.has(name) && arg ? toKnownType(celTypeOf(arg)) : undefined;
  if (!searched || type.kind !== 'primitive' || searched.name === type.name) return undefined;
  return `a list of type ${type.name} has no element of type ${searched.name}`;
}

/** `[{}, 1]`: the elements of a list have one type, and so do the keys and the values of a map. */
function checkMixedElements(node: AstNode): SyntaxFault | undefined {
  if (node.op === 'list') return findMixedElement(node.args);
  if (node.op !== 'map') return undefined;
  return findMixedElement(node.args.map(([key]) => key)) ?? findMixedElement(node.args.map(([, value]) => value));
}

function findMixedElement([first, ...rest]: readonly AstNode[]): SyntaxFault | undefined {
  const other = first && rest.find((node) => !haveSameType(first, node));
  if (!other) return undefined;
  const [type, otherType] = [first, other].map((node) => celTypeOf(node)?.name);
  return faultAt(other.start, `the elements must have one type, and ${type} is not ${otherType}`);
}

/** `attribute.startsWith({})`: the library does not check arguments if the receiver has an unknown type. */
function checkArguments(node: AstNode): SyntaxFault | undefined {
  const { candidates, argTypes } = asCheckedNode(node);
  const receiver = node.op === 'rcall' ? celTypeOf(node.args[1]) : undefined;
  if (receiver?.kind !== 'dyn' || !candidates || !argTypes || candidates.findFunction(argTypes, receiver))
    return undefined;
  const types = argTypes.map(({ name }) => name).join(', ');
  return faultAt(node.start, `unknown function '${callOf(node)?.name}' for (${types})`);
}

function toKnownType(type: CelType | undefined): CelType | undefined {
  return type && type.kind !== 'dyn' && type.kind !== 'param' ? type : undefined;
}

/** Throws a `SelectorError` if the API server rejects a checked expression because of its cost. */
export function validateCost(expression: string, root: AstNode): void {
  const cost = Math.ceil(estimateCost(root));
  if (cost <= COST_LIMIT) return;
  const what = Number.isFinite(cost)
    ? `the selector may take ${cost} steps for one device, and the limit is ${COST_LIMIT}`
    : 'Kubernetes rejects the selector: the size of a value in it has no bound, and so neither has its cost';
  const hint = Number.isFinite(cost)
    ? 'Nest fewer macros such as all and exists in each other'
    : 'Compare with a literal text or number';
  throwFault(expression, faultAt(root.start, what, hint));
}
