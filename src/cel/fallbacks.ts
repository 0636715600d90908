import { Optional } from 'cel-js';
import type { Checker, Evaluator, Macro, Scope, Site, Type, Values } from './macro';
import { isOpen } from './open-types';
import type { Node } from './syntax';

/** `or` and `orValue` of an optional: what they make of one that has a value, and what type the other part may have. */
interface Kind {
  readonly present: (optional: Optional) => unknown;
  readonly inner: (type: Type, checker: Checker) => Type | undefined;
}

const OR: Kind = { present: (optional) => optional, inner: optionalOf };
const OR_VALUE: Kind = { present: (optional) => optional.value(), inner: valueOf };

/**
 * `optional.or(optional)` and `optional.orValue(value)`, which replace the library's own: a receiver whose type only
 * evaluation tells, and that is no optional, is the result for cel-go. While types are checked it has the type of
 * the other part then; while it runs (`dynamic`) it may be anything.
 */
export function fallbacks(dynamic: boolean): readonly (readonly [string, (site: Site) => Macro])[] {
  return [
    ['optional.Or(ast): optional<dyn>', (site) => new Fallback(site, OR, dynamic)],
    ['optional.OrValue(ast): dyn', (site) => new Fallback(site, OR_VALUE, dynamic)],
  ];
}

class Fallback implements Macro {
  readonly async = false;
  readonly #receiver: Node;
  readonly #other: Node;

  constructor(
    { ast, receiver, args: [other = ast] }: Site,
    readonly kind: Kind,
    readonly dynamic: boolean,
  ) {
    this.#receiver = receiver ?? ast;
    this.#other = other;
  }

  typeCheck(checker: Checker, _: Macro, scope: Scope): Type {
    const receiver = checker.check(this.#receiver, scope);
    const other = checker.check(this.#other, scope);
    const wanted = this.kind.inner(receiver, checker);
    if (!wanted || (this.kind === OR && !optionalOf(other, checker))) {
      const wrong = wanted ? this.#other : this.#receiver;
      const { name } = wanted ? other : receiver;
      throw checker.createError('optional_expected', `expected an optional but found '${name}'`, wrong);
    }
    if (receiver.kind !== 'optional') return this.dynamic ? checker.getType('dyn') : other;
    const unified = isOpen(this.#other) ? wanted : wanted.unify(checker.registry, other);
    if (unified) return unified;
    const message = `expected type '${wanted.name}' but found '${other.name}'`;
    throw checker.createError('incompatible_argument_type', message, this.#other);
  }

  evaluate(evaluator: Evaluator, _: Macro, values: Values): unknown {
    const optional = evaluator.run(this.#receiver, values);
    if (!(optional instanceof Optional)) return optional;
    return optional.hasValue() ? this.kind.present(optional) : evaluator.run(this.#other, values);
  }
}

function optionalOf(type: Type, checker: Checker): Type | undefined {
  if (type.kind === 'optional') return type;
  return mayBeAny(type) ? checker.getType('optional') : undefined;
}

/** Null is a value of an optional type for cel-go while it checks types. */
function mayBeAny({ kind, name }: Type): boolean {
  return kind === 'dyn' || name === 'null';
}

function valueOf(type: Type): Type | undefined {
  return type.kind === 'optional' ? type.valueType : mayBeAny(type) ? type : undefined;
}
