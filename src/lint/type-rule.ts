import type { FactType } from '../catalog/driver';
import { relationOf } from '../cel/relation';
import { accessOf, callOf, type Node, nodesOf, textOf } from '../cel/syntax';
import type { Remark } from './remark';
import type { Part, Subject } from './subject';

/** Comparisons of what a device publishes with a value of another type. */
export function* typeRule(subject: Subject): Generator<Remark> {
  for (const part of subject.parts) {
    const mismatch = comparedWith(part) ?? searched(part);
    const type = mismatch && typeOfName(subject, mismatch.name);
    if (!mismatch || !type || mismatch.types.includes(type)) continue;
    const [label, other] = [nameOf(mismatch.name), subject.text(mismatch.other)];
    yield {
      code: 'wrong-comparison',
      severity: part.certain ? 'error' : 'warning',
      ...subject.span(part.node),
      what: `'${label}' is ${NOUNS[type]}, and ${other} is ${NOUNS[mismatch.types[0] ?? 'string']}: the comparison fails or is never true`,
      hint: HINTS[type](subject.text(mismatch.name)),
    };
  }
}

interface Mismatch {
  readonly name: Node;
  readonly other: Node;

  /** The types with which the other side compares, the one that it has first. */
  readonly types: readonly FactType[];
}

/** `x == "9.0.0"`, `x.compareTo(quantity("1"))`, `x in ["9.0.0"]` */
function comparedWith({ node }: Part): Mismatch | undefined {
  const relation = relationOf(node, true);
  const [item, list] = node.op === 'in' ? node.args : [];
  if (item && list?.op === 'list') {
    const [first] = list.args;
    return first && mismatchOf(item, first);
  }
  return relation && mismatchOf(relation.subject, relation.other);
}

function mismatchOf(name: Node, other: Node): Mismatch | undefined {
  const type = typeOfLiteral(other);
  return accessOf(name) && type ? { name, other, types: [type] } : undefined;
}

const TEXT_METHODS = new Set(['startsWith', 'endsWith', 'contains', 'matches', 'lowerAscii', 'upperAscii']);

/** `x.startsWith("9")`, on what is no text. */
function searched({ node }: Part): Mismatch | undefined {
  const call = nodesOf(node)
    .map(callOf)
    .find((one) => one?.receiver && TEXT_METHODS.has(one.name) && accessOf(one.receiver));
  return call?.receiver ? { name: call.receiver, other: node, types: ['string'] } : undefined;
}

function typeOfLiteral(node: Node): FactType | undefined {
  if (textOf(node) !== undefined) return 'string';
  if (node.op === 'value' && typeof node.args === 'bigint') return 'int';
  if (node.op === 'value' && typeof node.args === 'boolean') return 'bool';
  const call = callOf(node);
  if (call?.name === 'semver' && !call.receiver) return 'version';
  return call?.name === 'quantity' && !call.receiver ? 'quantity' : undefined;
}

function typeOfName({ vocabulary }: Subject, node: Node): FactType | undefined {
  const access = accessOf(node);
  const domain = textOf(access?.domain);
  return access && domain !== undefined ? vocabulary.word(access.from, domain, access.name)?.type : undefined;
}

function nameOf(node: Node): string {
  return accessOf(node)?.name ?? '';
}

const NOUNS: Readonly<Record<FactType, string>> = {
  string: 'a text',
  version: 'a version',
  quantity: 'an amount',
  int: 'a whole number',
  bool: 'true or false',
};

const HINTS: Readonly<Record<FactType, (name: string) => string>> = {
  string: (name) => `Write ${name} == "..."`,
  version: (name) => `Write ${name}.compareTo(semver("9.0.0")) >= 0`,
  quantity: (name) => `Write ${name}.compareTo(quantity("79Gi")) >= 0`,
  int: (name) => `Write ${name} == 1, without quotes`,
  bool: (name) => `Write ${name}, or !${name}`,
};
