import { Optional, ParseError } from 'cel-js';
import { isOpenType } from '../cel-go-compat/type-checking';
import {
  type CelMacro,
  type CelType,
  createEvaluationError,
  declaredNameOf,
  type Evaluator,
  type MacroCall,
  type TypeChecker,
  type VariableScope,
  type VariableValues,
} from '../cel-js-internals';
import { type AstNode, callOf } from '../syntax-tree';
import { kindOf, lookUp } from '../values/kinds';

/**
 * The macros that test for presence, by signature.
 *
 * `has` replaces the macro of the library, which accepts only a chain of names, and not
 * `has(device.attributes["d"].name)`.
 */
export const PRESENCE_MACROS: readonly (readonly [string, (call: MacroCall) => CelMacro])[] = [
  ['Has(ast): bool', createHasMacro],
  ['optional.optMap(ast, ast): optional<dyn>', (call) => new OptionalMacro(call, false)],
  ['optional.optFlatMap(ast, ast): optional<dyn>', (call) => new OptionalMacro(call, true)],
];

function createHasMacro({ ast, args }: MacroCall): CelMacro {
  const selection = selectionOfHas(args[0] ?? ast);
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
    evaluate: (evaluator, _, values) => hasField(evaluator.run(operand, values), name, operand),
  };
}

/**
 * Returns the selection in the argument of `has`. CEL expands the inner call of `has(has(a.b))` first, and the result
 * is a selection too.
 */
export function selectionOfHas(node: AstNode): AstNode {
  const call = callOf(node);
  const [inner] = call?.args ?? [];
  return call?.name === 'has' && !call.receiver && inner ? selectionOfHas(inner) : node;
}

function hasField(operand: unknown, name: string, node: AstNode): boolean {
  if (operand instanceof Optional) return operand.hasValue() && hasField(operand.value(), name, node);
  const kind = kindOf(operand);
  if (kind === 'map' || kind === 'device') return lookUp(operand, name) !== undefined;
  throw createEvaluationError(`has() needs a map to look into, got a value of type ${kind}`, node);
}

/** `optional.optMap(v, f(v))`, and `optFlatMap`, whose body returns an optional. */
class OptionalMacro implements CelMacro {
  readonly async = false;
  readonly #name: string;
  readonly #body: AstNode;
  readonly #receiver: AstNode;
  #scope: VariableScope | undefined;

  constructor(
    { ast, args, receiver }: MacroCall,
    readonly flat: boolean,
  ) {
    const [variable = ast, body = ast] = args;
    this.#name = declaredNameOf(variable);
    this.#body = body;
    this.#receiver = receiver ?? ast;
  }

  typeCheck(checker: TypeChecker, _: CelMacro, scope: VariableScope): CelType {
    const type = checker.check(this.#receiver, scope);
    if (type.kind !== 'optional' && type.kind !== 'dyn') throw this.#noOptional(checker, type, this.#receiver);
    this.#scope = scope.forkWithVariable(this.#name, type.valueType ?? checker.getType('dyn'));
    const body = checker.check(this.#body, this.#scope);
    if (!this.flat) return checker.getType(`optional<${body.name}>`);
    if (body.kind !== 'optional' && body.kind !== 'dyn') throw this.#noOptional(checker, body, this.#body);
    return body;
  }

  evaluate(evaluator: Evaluator, _: CelMacro, values: VariableValues): unknown {
    const optional = evaluator.run(this.#receiver, values);
    if (!(optional instanceof Optional) || !this.#scope) {
      throw createEvaluationError(`expected an optional, got a value of type ${kindOf(optional)}`, this.#receiver);
    }
    if (!optional.hasValue()) return Optional.none();
    const result = evaluator.run(this.#body, this.#scope.reuse(values).setIterValue(optional.value(), evaluator));
    return this.flat ? result : Optional.of(result);
  }

  #noOptional(checker: TypeChecker, type: CelType, node: AstNode): Error {
    return checker.createError('optional_expected', `expected an optional but found '${type.name}'`, node);
  }
}

/** The variant `or` or `orValue`: the result for an optional with a value, and the required type of the other part. */
interface OrForm {
  readonly present: (optional: Optional) => unknown;
  readonly inner: (type: CelType, checker: TypeChecker) => CelType | undefined;
}

const OR: OrForm = { present: (optional) => optional, inner: toOptionalType };
const OR_VALUE: OrForm = { present: (optional) => optional.value(), inner: valueTypeOf };

/**
 * Creates `optional.or(optional)` and `optional.orValue(value)`, which replace the macros of the library. In cel-go, a
 * receiver of unknown type that is not an optional is itself the result. During checking, the result has the type of
 * the other part. With `dynamic`, which is for evaluation, it can have any type.
 */
export function createOrMacros(dynamic: boolean): readonly (readonly [string, (call: MacroCall) => CelMacro])[] {
  return [
    ['optional.Or(ast): optional<dyn>', (call) => new OrMacro(call, OR, dynamic)],
    ['optional.OrValue(ast): dyn', (call) => new OrMacro(call, OR_VALUE, dynamic)],
  ];
}

class OrMacro implements CelMacro {
  readonly async = false;
  readonly #receiver: AstNode;
  readonly #other: AstNode;

  constructor(
    { ast, receiver, args: [other = ast] }: MacroCall,
    readonly kind: OrForm,
    readonly dynamic: boolean,
  ) {
    this.#receiver = receiver ?? ast;
    this.#other = other;
  }

  typeCheck(checker: TypeChecker, _: CelMacro, scope: VariableScope): CelType {
    const receiver = checker.check(this.#receiver, scope);
    const other = checker.check(this.#other, scope);
    const wanted = this.kind.inner(receiver, checker);
    if (!wanted || (this.kind === OR && !toOptionalType(other, checker))) {
      const wrong = wanted ? this.#other : this.#receiver;
      const { name } = wanted ? other : receiver;
      throw checker.createError('optional_expected', `expected an optional but found '${name}'`, wrong);
    }
    if (receiver.kind !== 'optional') return this.dynamic ? checker.getType('dyn') : other;
    const unified = isOpenType(this.#other) ? wanted : wanted.unify(checker.registry, other);
    if (unified) return unified;
    const message = `expected type '${wanted.name}' but found '${other.name}'`;
    throw checker.createError('incompatible_argument_type', message, this.#other);
  }

  evaluate(evaluator: Evaluator, _: CelMacro, values: VariableValues): unknown {
    const optional = evaluator.run(this.#receiver, values);
    if (!(optional instanceof Optional)) return optional;
    return optional.hasValue() ? this.kind.present(optional) : evaluator.run(this.#other, values);
  }
}

function toOptionalType(type: CelType, checker: TypeChecker): CelType | undefined {
  if (type.kind === 'optional') return type;
  return mayBeAny(type) ? checker.getType('optional') : undefined;
}

/** During checking, cel-go treats null as a value of an optional type. */
function mayBeAny({ kind, name }: CelType): boolean {
  return kind === 'dyn' || name === 'null';
}

function valueTypeOf(type: CelType): CelType | undefined {
  return type.kind === 'optional' ? type.valueType : mayBeAny(type) ? type : undefined;
}
