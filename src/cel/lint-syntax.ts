import type { Features } from './environment';
import { type Fault, report } from './fault';
import { CONSTANT_RULES } from './lint-constants';
import { NAMESPACES } from './namespaces';
import { accessOf, type Call, callOf, type Node, nodesOf } from './syntax';

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
  'transformMapEntry',
  'sortBy',
]);

/** Methods of bytes in the library that CEL does not have. */
const FOREIGN_METHODS = new Set(['hex', 'base64', 'json', 'at', 'string']);

/** Functions of namespaces that are no methods. */
const NAMESPACED = new Set([...NAMESPACES.values()].flatMap(({ functions }) => [...functions]));
NAMESPACED.delete('contains');

const RULES: readonly Rule[] = [foreign, comparison, ...CONSTANT_RULES];

/** The checks of the syntax tree of a selector. Throws a `SelectorError` for the first fault. */
export function lintSyntax(expression: string, root: Node, { listAttributes = true }: Features): void {
  const nodes = nodesOf(root);
  for (const rule of listAttributes ? RULES : [...RULES, listMacro]) {
    for (const node of nodes) report(expression, rule(node));
  }
}

function foreign(node: Node): Fault | undefined {
  const call = callOf(node);
  if (!call?.receiver || isNamespaced(call)) return undefined;
  if (!FOREIGN_METHODS.has(call.name) && !NAMESPACED.has(call.name)) return undefined;
  return { offset: node.start, what: `there is no function '${call.name}'` };
}

function isNamespaced({ name, receiver }: Call): boolean {
  return receiver?.op === 'id' && NAMESPACES.get(receiver.args)?.functions.has(name) === true;
}

/** The library checks no argument of a method of an attribute, whose type it does not know. */
function comparison(node: Node): Fault | undefined {
  const call = callOf(node);
  const [value] = call?.args ?? [];
  if (!call?.receiver || !COMPARISONS.has(call.name) || value?.op !== 'value' || value.args === null)
    return undefined;
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
