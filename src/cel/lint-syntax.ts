import type { Features } from './environment';
import { type Fault, report } from './fault';
import { CONSTANT_RULES } from './lint-constants';
import { accessOf, callOf, isNamed, type Node, nodesOf } from './syntax';

type Rule = (node: Node) => Fault | undefined;

const COMPARISONS = new Set(['compareTo', 'isGreaterThan', 'isLessThan']);
const MACROS = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'map',
  'filter',
  'transformList',
  'transformMap',
]);

/** Functions, methods and namespaces of Kubernetes that this library does not have. */
const OFFLINE_FUNCTIONS = new Set(['url', 'isURL', 'ip', 'isIP', 'cidr', 'isCIDR']);
const OFFLINE_METHODS = new Set(['format', 'transformMapEntry', 'sortBy']);
const OFFLINE_NAMESPACES = ['format', 'strings', 'ip'];

/** Methods of bytes in the library that CEL does not have. */
const FOREIGN_METHODS = new Set(['hex', 'base64', 'json', 'at', 'string']);

const RULES: readonly Rule[] = [unsupported, foreign, comparison, ...CONSTANT_RULES];

/** The checks of the syntax tree of a selector. Throws a `SelectorError` for the first fault. */
export function lintSyntax(expression: string, root: Node, { listAttributes = true }: Features): void {
  const nodes = nodesOf(root);
  for (const rule of listAttributes ? RULES : [...RULES, listMacro]) {
    for (const node of nodes) report(expression, rule(node));
  }
}

function unsupported(node: Node): Fault | undefined {
  const call = callOf(node);
  if (!call) return undefined;
  const { name, receiver } = call;
  const offline = receiver
    ? OFFLINE_METHODS.has(name) || OFFLINE_NAMESPACES.some((namespace) => isNamed(receiver, namespace))
    : OFFLINE_FUNCTIONS.has(name);
  if (!offline) return undefined;
  return {
    offset: node.start,
    what: `'${name}' is not supported offline`,
    hint: 'Kubernetes has this function, and a plan cannot evaluate it: select by other means',
  };
}

function foreign(node: Node): Fault | undefined {
  const call = callOf(node);
  if (!call?.receiver || !FOREIGN_METHODS.has(call.name)) return undefined;
  return { offset: node.start, what: `there is no function '${call.name}'` };
}

/** The library checks no argument of a method of an attribute, whose type it does not know. */
function comparison(node: Node): Fault | undefined {
  const call = callOf(node);
  const [value] = call?.args ?? [];
  if (!call?.receiver || !COMPARISONS.has(call.name) || value?.op !== 'value') return undefined;
  return {
    offset: value.start,
    what: `'${call.name}' takes a quantity or a version`,
    hint: 'Write quantity("40Gi") or semver("1.2.3")',
  };
}

function listMacro(node: Node): Fault | undefined {
  const call = callOf(node);
  if (!call?.receiver || !MACROS.has(call.name) || !accessOf(call.receiver)) return undefined;
  return {
    offset: node.start,
    what: `'${call.name}' goes over an attribute, which is no list without the gate DRAListTypeAttributes`,
  };
}
