import { typeOf } from './estimate';
import { type Fault, report } from './fault';
import type { Type } from './macro';
import { callOf, children, type Node, nodesOf } from './syntax';

/** Names before the functions of a library, which the CEL library takes for variables too. */
const NAMESPACES = new Set(['lists', 'sets', 'optional', 'cel']);
const SELECTABLE = new Set(['map', 'message', 'dyn', 'optional', 'param']);

/** The checks of an expression whose types are known. Throws a `SelectorError` for the first fault. */
export function lintTypes(expression: string, root: Node): void {
  if (isNamespace(root)) report(expression, noVariable(root));
  for (const node of nodesOf(root)) report(expression, namespace(node) ?? selection(node) ?? key(node));
}

function namespace(node: Node): Fault | undefined {
  const receiver = callOf(node)?.receiver;
  const found = children(node).find((child) => child !== receiver && isNamespace(child));
  return found && noVariable(found);
}

function isNamespace(node: Node): boolean {
  return node.op === 'id' && NAMESPACES.has(node.args) && typeOf(node)?.name.endsWith('Namespace') === true;
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
  if (map?.kind !== 'map' || known(map.keyType) === undefined || known(name) === undefined) return undefined;
  if (map.keyType?.name === name?.name) return undefined;
  return {
    offset: node.args[1].start,
    what: `the keys of the map are of type ${map.keyType?.name}, not ${name?.name}`,
  };
}

function known(type: Type | undefined): Type | undefined {
  return type && type.kind !== 'dyn' && type.kind !== 'param' ? type : undefined;
}
