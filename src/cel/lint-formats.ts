import type { Features } from './environment';
import { typeOf } from './estimate';
import { type Fault, report } from './fault';
import { isOpen } from './open-types';
import { readsDevice } from './relation';
import { callOf, children, type Node, nodesOf, textOf } from './syntax';
import { type Clause, piecesOf } from './text-format';

/** The names of types that the library has, as clauses of a format have them. */
const KINDS: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
};

/**
 * The checks of a format that is written down, with its values in a list that is written down: cel-go makes them when
 * it compiles. Throws a `SelectorError` for the first fault.
 */
export function lintFormats(expression: string, root: Node, { listAttributes = true }: Features): void {
  for (const node of nodesOf(root)) {
    const call = callOf(node);
    const [values] = call?.args ?? [];
    const format = call?.name === 'format' ? textOf(call.receiver) : undefined;
    if (format === undefined || values?.op !== 'list') continue;
    const anys = listAttributes ? () => false : attributesIn(root);
    report(expression, faultIn(format, node, values.args, anys));
  }
}

/** Whether a part is of the type of attributes, which no clause takes. */
type IsAttribute = (node: Node) => boolean;

function faultIn(
  format: string,
  node: Node,
  values: readonly Node[],
  isAttribute: IsAttribute,
): Fault | undefined {
  const clauses = clausesOf(format);
  if (typeof clauses === 'string') return { offset: node.start, what: clauses };
  if (clauses.length !== values.length) {
    const what = `the format has clauses for ${clauses.length} values, and the list has ${values.length}`;
    return { offset: node.start, what };
  }
  for (const [i, clause] of clauses.entries()) {
    const value = values[i];
    const wrong = value && misfit(clause, value, isAttribute);
    if (wrong) return describe(clause, wrong, isAttribute(wrong));
  }
  return undefined;
}

function clausesOf(format: string): readonly Clause[] | string {
  try {
    return piecesOf(format).flatMap((piece) => (typeof piece === 'string' ? [] : piece.clause));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function describe({ noun }: Clause, value: Node, attribute: boolean): Fault {
  const type = attribute ? 'unknown' : typeOf(value)?.name;
  return {
    offset: value.start,
    what: `the clause is for ${noun}, and the value is of type ${type}`,
    ...(attribute && { hint: 'Write string(device.attributes["domain"].name) for an attribute' }),
  };
}

/** The part of a value that its clause does not write. What lists and maps have in them is looked at where it is written. */
function misfit(clause: Clause, value: Node, isAttribute: IsAttribute): Node | undefined {
  if (isAttribute(value) || !mayTake(clause, value)) return value;
  if (value.op !== 'list' && value.op !== 'map') return undefined;
  for (const child of children(value)) {
    const found = misfit(clause, child, isAttribute);
    if (found) return found;
  }
  return undefined;
}

function mayTake({ takes }: Clause, value: Node): boolean {
  const type = typeOf(value);
  if (!type || isOpen(value) || type.kind === 'dyn' || type.kind === 'param') return true;
  return takes.has(KINDS[type.name] ?? (type.kind === 'list' || type.kind === 'map' ? type.kind : type.name));
}

/**
 * Without the gate DRAListTypeAttributes attributes have a type of their own, which is not that of `dyn(1)`. What is
 * of unknown type and made of the device is taken for one.
 */
function attributesIn(root: Node): IsAttribute {
  const names = new Set<unknown>();
  for (const node of nodesOf(root)) {
    const call = callOf(node);
    const [variable, value] = call?.args ?? [];
    const from = call?.name === 'bind' ? value : call?.receiver;
    if (variable?.op === 'id' && from && reads(from, names)) names.add(variable.args);
  }
  return (node) => typeOf(node)?.kind === 'dyn' && callOf(node)?.name !== 'dyn' && reads(node, names);
}

function reads(node: Node, names: ReadonlySet<unknown>): boolean {
  return readsDevice(node) || nodesOf(node).some((part) => part.op === 'id' && names.has(part.args));
}
