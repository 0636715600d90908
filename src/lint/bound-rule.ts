import type { FactType } from '../catalog/driver';
import { isQuantity } from '../cel/quantity';
import { isSemver } from '../cel/semver';
import { relationOf } from '../cel/relation';
import { callOf, type Node, textOf } from '../cel/syntax';
import { groupBy } from '../order';
import type { Operator } from '../select/comparison';
import { type Bound, clash } from '../select/where-bounds';
import type { Remark } from './remark';
import type { Subject } from './subject';

const OPERATORS: Readonly<Record<number, Operator>> = { 1: '<', 2: '==', 3: '<=', 4: '>', 5: '!=', 6: '>=' };

interface Written {
  readonly node: Node;
  readonly subject: string;
  readonly type: FactType;
  readonly bound: Bound;
}

/** Bounds that no device meets at once: `memory >= 80Gi` and `memory < 40Gi`. */
export function* boundRule(subject: Subject): Generator<Remark> {
  const certain = subject.parts.filter((part) => part.certain);
  const written = certain.flatMap(({ node, wanted }) => boundOf(node, wanted, subject));
  for (const bounds of groupBy(written, (one) => `${one.type} ${one.subject}`).values()) {
    const [first] = bounds;
    const pair =
      first &&
      clash(
        first.type,
        bounds.map(({ bound }) => bound),
      );
    const second = pair && bounds.find(({ bound }) => bound === pair[1]);
    const other = pair && bounds.find(({ bound }) => bound === pair[0]);
    if (!second || !other) continue;
    yield {
      code: 'contradiction',
      severity: 'error',
      ...subject.span(second.node),
      what: `no device meets this and ${subject.text(other.node)} at once`,
      hint: 'Keep one of the two, or write || between them',
    };
  }
}

function boundOf(node: Node, wanted: boolean, subject: Subject): Written[] {
  const relation = relationOf(node, wanted);
  const operator = relation && OPERATORS[relation.orders];
  const literal = relation && literalOf(relation.other);
  if (!relation || !operator || !literal) return [];
  return [
    {
      node,
      subject: subject.text(relation.subject),
      type: literal.type,
      bound: { operator, value: literal.value },
    },
  ];
}

function literalOf(node: Node): { readonly type: FactType; readonly value: string } | undefined {
  const text = textOf(node);
  if (text !== undefined) return { type: 'string', value: text };
  if (node.op === 'value' && typeof node.args === 'bigint') return { type: 'int', value: String(node.args) };
  const call = callOf(node);
  const argument = textOf(call?.args[0]);
  if (argument === undefined || call?.receiver) return undefined;
  if (call?.name === 'quantity' && isQuantity(argument)) return { type: 'quantity', value: argument };
  return call?.name === 'semver' && isSemver(argument) ? { type: 'version', value: argument } : undefined;
}
