import { Optional, ParseError } from 'cel-js';
import {
  type Checker,
  declaredName,
  type Evaluator,
  failure,
  type Macro,
  type Scope,
  type Site,
  type Type,
  type Values,
} from './macro';
import { callOf, type Node } from './syntax';
import { kindOf, lookUp } from './values';

/**
 * The macros that ask whether something is there, by signature.
 *
 * `has` replaces the library's own, which takes a chain of names only, and no `has(device.attributes["d"].name)`.
 */
export const PRESENCE: readonly (readonly [string, (site: Site) => Macro])[] = [
  ['Has(ast): bool', has],
  ['optional.optMap(ast, ast): optional<dyn>', (site) => new OptionalMacro(site, false)],
  ['optional.optFlatMap(ast, ast): optional<dyn>', (site) => new OptionalMacro(site, true)],
];

function has({ ast, args }: Site): Macro {
  const selection = selectionIn(args[0] ?? ast);
  if (selection.op !== '.') {
    const message = 'has() takes a selection such as device.attributes["gpu.example.com"].name';
    throw new ParseError({ code: 'invalid_macro_argument', message, node: selection });
  }
  const [operand, name] = selection.args;
  return {
    async: false,
    typeCheck(checker, _, scope) {
      checker.check(selection, scope);
      return checker.getType('bool');
    },
    evaluate: (evaluator, _, values) => contains(evaluator.run(operand, values), name, operand),
  };
}

/** The selection that `has` asks for. CEL makes `has(a.b)` of `has(has(a.b))`: the inner one is the selection by then. */
export function selectionIn(node: Node): Node {
  const call = callOf(node);
  const [inner] = call?.args ?? [];
  return call?.name === 'has' && !call.receiver && inner ? selectionIn(inner) : node;
}

function contains(operand: unknown, name: string, node: Node): boolean {
  if (operand instanceof Optional) return operand.hasValue() && contains(operand.value(), name, node);
  const kind = kindOf(operand);
  if (kind === 'map' || kind === 'device') return lookUp(operand, name) !== undefined;
  throw failure(`has() needs a map to look into, got a value of type ${kind}`, node);
}

/** `optional.optMap(v, f(v))`, and `optFlatMap`, whose body gives an optional itself. */
class OptionalMacro implements Macro {
  readonly async = false;
  readonly #name: string;
  readonly #body: Node;
  readonly #receiver: Node;
  #scope: Scope | undefined;

  constructor(
    { ast, args, receiver }: Site,
    readonly flat: boolean,
  ) {
    const [variable = ast, body = ast] = args;
    this.#name = declaredName(variable);
    this.#body = body;
    this.#receiver = receiver ?? ast;
  }

  typeCheck(checker: Checker, _: Macro, scope: Scope): Type {
    const type = checker.check(this.#receiver, scope);
    if (type.kind !== 'optional' && type.kind !== 'dyn')
      throw this.#noOptional(checker, type, this.#receiver);
    this.#scope = scope.forkWithVariable(this.#name, type.valueType ?? checker.getType('dyn'));
    const body = checker.check(this.#body, this.#scope);
    if (!this.flat) return checker.getType(`optional<${body.name}>`);
    if (body.kind !== 'optional' && body.kind !== 'dyn') throw this.#noOptional(checker, body, this.#body);
    return body;
  }

  evaluate(evaluator: Evaluator, _: Macro, values: Values): unknown {
    const optional = evaluator.run(this.#receiver, values);
    if (!(optional instanceof Optional) || !this.#scope) {
      throw failure(`expected an optional, got a value of type ${kindOf(optional)}`, this.#receiver);
    }
    if (!optional.hasValue()) return Optional.none();
    const result = evaluator.run(
      this.#body,
      this.#scope.reuse(values).setIterValue(optional.value(), evaluator),
    );
    return this.flat ? result : Optional.of(result);
  }

  #noOptional(checker: Checker, type: Type, node: Node): Error {
    return checker.createError('optional_expected', `expected an optional but found '${type.name}'`, node);
  }
}
