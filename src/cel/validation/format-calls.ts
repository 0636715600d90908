import { messageOf } from '../../base/errors';
import { readsDevice } from '../attribute-comparison';
import { isOpenType } from '../cel-go-compat/type-checking';
import { celTypeOf } from '../cel-js-internals';
import type { SelectorFeatures } from '../environment';
import { type FormatClause, parseFormat } from '../library/string-format';
import { type SyntaxFault, faultAt, throwFault } from '../selector-error';
import { allNodesOf, type AstNode, callOf, childrenOf, stringLiteralOf } from '../syntax-tree';

/** The kinds of types whose names in the library differ. */
const KINDS: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
};

/** Validates literal formats with literal lists of values, as cel-go does at compile time. */
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
    const isAttribute = listAttributes ? () => false : createAttributeTest(root);
    throwFault(expression, findFormatFault(format, node, values.args, isAttribute));
  }
}

/** Reports whether a node has the type of attributes, which no clause accepts. */
type IsAttribute = (node: AstNode) => boolean;

function findFormatFault(
  format: string,
  node: AstNode,
  values: readonly AstNode[],
  isAttribute: IsAttribute,
): SyntaxFault | undefined {
  const clauses = clausesOf(format);
  if (typeof clauses === 'string') return faultAt(node.start, clauses);
  if (clauses.length !== values.length) {
    const what = `the format has clauses for ${clauses.length} values, and the list has ${values.length}`;
    return faultAt(node.start, what);
  }
  for (const [i, clause] of clauses.entries()) {
    const value = values[i];
    const wrong = value && findMisfit(clause, value, isAttribute);
    if (wrong) return describeMisfit(clause, wrong, isAttribute(wrong));
  }
  return undefined;
}

function clausesOf(format: string): readonly FormatClause[] | string {
  try {
    return parseFormat(format).flatMap((piece) => (typeof piece === 'string' ? [] : piece.clause));
  } catch (error) {
    return messageOf(error);
  }
}

function describeMisfit({ noun }: FormatClause, value: AstNode, attribute: boolean): SyntaxFault {
  const type = attribute ? 'unknown' : celTypeOf(value)?.name;
  return faultAt(
    value.start,
    `the clause is for ${noun}, and the value is of type ${type}`,
    attribute ? 'Write string(device.attributes["domain"].name) for an attribute' : undefined,
  );
}

/** Returns the part of a value that the clause cannot format. Checks the elements of list and map literals. */
function findMisfit(clause: FormatClause, value: AstNode, isAttribute: IsAttribute): AstNode | undefined {
  if (isAttribute(value) || !acceptsValue(clause, value)) return value;
  if (value.op !== 'list' && value.op !== 'map') return undefined;
  for (const child of childrenOf(value)) {
    const found = findMisfit(clause, child, isAttribute);
    if (found) return found;
  }
  return undefined;
}

function acceptsValue({ takes }: FormatClause, value: AstNode): boolean {
  const type = celTypeOf(value);
  if (!type || isOpenType(value) || type.kind === 'dyn' || type.kind === 'param') return true;
  return takes.has(KINDS[type.name] ?? (type.kind === 'list' || type.kind === 'map' ? type.kind : type.name));
}

/**
 * Returns a test for attributes. Without the gate DRAListTypeAttributes, attributes have a separate type, which differs
 * from the type of `dyn(1)`. The test treats a node of unknown type that reads the device as an attribute.
 */
function createAttributeTest(root: AstNode): IsAttribute {
  const names = new Set<unknown>();
  for (const node of allNodesOf(root)) {
    const call = callOf(node);
    const [variable, value] = call?.args ?? [];
    const from = call?.name === 'bind' ? value : call?.receiver;
    if (variable?.op === 'id' && from && readsDeviceOrVariable(from, names)) names.add(variable.args);
  }
  return (node) =>
    celTypeOf(node)?.kind === 'dyn' && callOf(node)?.name !== 'dyn' && readsDeviceOrVariable(node, names);
}

function readsDeviceOrVariable(node: AstNode, names: ReadonlySet<unknown>): boolean {
  return readsDevice(node) || allNodesOf(node).some((part) => part.op === 'id' && names.has(part.args));
}
