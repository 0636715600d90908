import { readsDevice } from '../attribute-comparison';
import { isOpenType } from '../cel-go-compat/type-checking';
import { celTypeOf } from '../cel-js-internals';
import type { SelectorFeatures } from '../environment';
import { type FormatClause, parseFormat } from '../library/string-format';
import { type Fault, throwFault } from '../selector-error';
import { allNodesOf, type AstNode, callOf, childrenOf, stringLiteralOf } from '../syntax-tree';

/** The names of types that the library has, as clauses of a format have them. */
const KINDS: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
};

/**
 * The checks of a format that is written down, with its values in a list that is written down: cel-go makes them when
 * it compiles. Throws a `SelectorError` for the first fault.
 */
export function validateStringFormats(
  expression: string,
  root: AstNode,
  { listAttributes = true }: SelectorFeatures,
): void {
  for (const node of allNodesOf(root)) {
    const call = callOf(node);
    const [values] = call?.args ?? [];
    const format = call?.name === 'format' ? stringLiteralOf(call.receiver) : undefined;
    if (format === undefined || values?.op !== 'list') continue;
    const anys = listAttributes ? () => false : attributesIn(root);
    throwFault(expression, findFormatFault(format, node, values.args, anys));
  }
}

/** Whether a part is of the type of attributes, which no clause takes. */
type IsAttribute = (node: AstNode) => boolean;

function findFormatFault(
  format: string,
  node: AstNode,
  values: readonly AstNode[],
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
    const wrong = value && findMisfit(clause, value, isAttribute);
    if (wrong) return describe(clause, wrong, isAttribute(wrong));
  }
  return undefined;
}

function clausesOf(format: string): readonly FormatClause[] | string {
  try {
    return parseFormat(format).flatMap((piece) => (typeof piece === 'string' ? [] : piece.clause));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function describe({ noun }: FormatClause, value: AstNode, attribute: boolean): Fault {
  const type = attribute ? 'unknown' : celTypeOf(value)?.name;
  return {
    offset: value.start,
    what: `the clause is for ${noun}, and the value is of type ${type}`,
    ...(attribute && { hint: 'Write string(device.attributes["domain"].name) for an attribute' }),
  };
}

/** The part of a value that its clause does not write. What lists and maps have in them is looked at where it is written. */
function findMisfit(clause: FormatClause, value: AstNode, isAttribute: IsAttribute): AstNode | undefined {
  if (isAttribute(value) || !mayTake(clause, value)) return value;
  if (value.op !== 'list' && value.op !== 'map') return undefined;
  for (const child of childrenOf(value)) {
    const found = findMisfit(clause, child, isAttribute);
    if (found) return found;
  }
  return undefined;
}

function mayTake({ takes }: FormatClause, value: AstNode): boolean {
  const type = celTypeOf(value);
  if (!type || isOpenType(value) || type.kind === 'dyn' || type.kind === 'param') return true;
  return takes.has(KINDS[type.name] ?? (type.kind === 'list' || type.kind === 'map' ? type.kind : type.name));
}

/**
 * Without the gate DRAListTypeAttributes attributes have a type of their own, which is not that of `dyn(1)`. What is
 * of unknown type and made of the device is taken for one.
 */
function attributesIn(root: AstNode): IsAttribute {
  const names = new Set<unknown>();
  for (const node of allNodesOf(root)) {
    const call = callOf(node);
    const [variable, value] = call?.args ?? [];
    const from = call?.name === 'bind' ? value : call?.receiver;
    if (variable?.op === 'id' && from && reads(from, names)) names.add(variable.args);
  }
  return (node) => celTypeOf(node)?.kind === 'dyn' && callOf(node)?.name !== 'dyn' && reads(node, names);
}

function reads(node: AstNode, names: ReadonlySet<unknown>): boolean {
  return readsDevice(node) || allNodesOf(node).some((part) => part.op === 'id' && names.has(part.args));
}
