import { checkedNode } from './checked-node';
import { typeOf } from './estimate';
import { type Fault, report } from './fault';
import type { Type } from './macro';
import { NAMESPACES } from './namespaces';
import { sameType } from './open-types';
import { ORDERED } from './order-of-values';
import { type Call, callOf, children, type Node, nodesOf } from './syntax';

const NUMBERS = ['int', 'uint', 'double', 'google.protobuf.Duration'];

/** What the elements of a list may be for its functions. The library takes any. */
const ELEMENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  isSorted: ORDERED,
  min: ORDERED,
  max: ORDERED,
  sort: ORDERED,
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
export function lintTypes(expression: string, root: Node): void {
  if (isNamespace(root)) report(expression, noVariable(root));
  const free = freeInFormats(root);
  for (const node of nodesOf(root))
    report(
      expression,
      typeVariable(node) ??
        namespace(node) ??
        unnamed(expression, node) ??
        selection(node) ??
        key(node) ??
        elements(node) ??
        (free.has(node) ? undefined : mixed(node)) ??
        argumentsOf(node),
    );
}

/** `cel.bind(x, int, true)`: Kubernetes makes no program of an expression with a variable for a type. */
function typeVariable(node: Node): Fault | undefined {
  const call = callOf(node);
  const bound = call?.name === 'bind' ? call.args[1] : undefined;
  const read = node.op === 'id' && !TYPES.has(node.args) ? node : undefined;
  const found = [bound, read].find((part) => part && typeOf(part)?.name === 'type');
  return found && { offset: found.start, what: 'a type cannot be the value of a variable' };
}

function namespace(node: Node): Fault | undefined {
  const receiver = callOf(node)?.receiver;
  const found = children(node).find((child) => child !== receiver && isNamespace(child));
  return found && noVariable(found);
}

/** `Ip.isCanonical("::1")` is the library's spelling, and nobody else's. */
function unnamed(expression: string, node: Node): Fault | undefined {
  const receiver = callOf(node)?.receiver;
  const misspelt = receiver && isNamespace(receiver) && receiver.args === wordAt(expression, receiver.start);
  return misspelt && NAMESPACES.has(String(receiver.args)) ? noVariable(receiver) : undefined;
}

function wordAt(expression: string, offset: number): string | undefined {
  return /^\w+/.exec(expression.slice(offset))?.[0];
}

/** The parts of calls of `format`, whose lists and maps may have elements of different types. */
function freeInFormats(root: Node): ReadonlySet<Node> {
  const formats = nodesOf(root).filter((node) => callOf(node)?.name === 'format');
  return new Set(formats.flatMap(nodesOf));
}

/** What stands before the functions of a library, which the CEL library takes for a variable. */
function isNamespace(node: Node): boolean {
  return node.op === 'id' && typeOf(node)?.name.endsWith('Namespace') === true;
}

function noVariable(node: Node): Fault {
  return { offset: node.start, what: `there is no variable '${String(node.args)}'` };
}

/** `1u.name` */
function selection(node: Node): Fault | undefined {
  if (node.op !== '.') return undefined;
  const type = typeOf(node.args[0]);
  if (!type || SELECTABLE.has(type.kind)) return undefined;
  return { offset: node.start, what: `a value of type ${type.name} has no fields` };
}

/** `device.attributes[1]` */
function key(node: Node): Fault | undefined {
  if (node.op !== '[]' && node.op !== '[?]') return undefined;
  const [map, name] = node.args.map(typeOf);
  if (map?.name === 'type') return { offset: node.start, what: 'a type cannot be indexed' };
  if (map?.kind !== 'map' || known(map.keyType) === undefined || known(name) === undefined) return undefined;
  if (map.keyType?.name === name?.name) return undefined;
  return {
    offset: node.args[1].start,
    what: `the keys of the map are of type ${map.keyType?.name}, not ${name?.name}`,
  };
}

/** `[{}].isSorted()`, `[1].indexOf("a")` */
function elements(node: Node): Fault | undefined {
  const call = callOf(node);
  const list = call?.receiver && typeOf(call.receiver);
  const type = list?.kind === 'list' ? known(list.valueType) : undefined;
  const what = call && type && (unordered(call, type) ?? neverFound(call, type));
  return what === undefined ? undefined : { offset: node.start, what };
}

function unordered({ name }: Call, type: Type): string | undefined {
  // What is wrong with null is found when it runs.
  if (type.name === 'null' || ELEMENTS[name]?.has(type.name) !== false) return undefined;
  return `there is no function '${name}' for a list of type ${type.name}`;
}

function neverFound({ name, args: [arg] }: Call, type: Type): string | undefined {
  const sought = SOUGHT.has(name) && arg ? known(typeOf(arg)) : undefined;
  if (!sought || type.kind !== 'primitive' || sought.name === type.name) return undefined;
  return `a list of type ${type.name} has no element of type ${sought.name}`;
}

/** `[{}, 1]`: the elements of a list have one type, and so have the keys and the values of a map. */
function mixed(node: Node): Fault | undefined {
  if (node.op === 'list') return odd(node.args);
  if (node.op !== 'map') return undefined;
  return odd(node.args.map(([key]) => key)) ?? odd(node.args.map(([, value]) => value));
}

function odd([first, ...rest]: readonly Node[]): Fault | undefined {
  const other = first && rest.find((node) => !sameType(first, node));
  if (!other) return undefined;
  const [type, otherType] = [first, other].map((node) => typeOf(node)?.name);
  return { offset: other.start, what: `the elements must have one type, and ${type} is not ${otherType}` };
}

/** `attribute.startsWith({})`: the library asks nothing of the arguments where the receiver is of unknown type. */
function argumentsOf(node: Node): Fault | undefined {
  const { candidates, argTypes } = checkedNode(node);
  const receiver = node.op === 'rcall' ? typeOf(node.args[1]) : undefined;
  if (receiver?.kind !== 'dyn' || !candidates || !argTypes || candidates.findFunction(argTypes, receiver))
    return undefined;
  const types = argTypes.map(({ name }) => name).join(', ');
  return { offset: node.start, what: `there is no function '${callOf(node)?.name}' for (${types})` };
}

function known(type: Type | undefined): Type | undefined {
  return type && type.kind !== 'dyn' && type.kind !== 'param' ? type : undefined;
}
