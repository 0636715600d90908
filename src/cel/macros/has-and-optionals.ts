import { Optional, ParseError } from 'cel-js';
import { isOpenType } from '../cel-go-compat/type-checking';
import {
  type CelMacro,
  type CelType,
  createEvaluationError,
  declaredNameOf,
  type MacroCall,
  type Macros,
  type TypeChecker,
  type VariableScope,
} from '../cel-js-internals';
import { type AstNode, callOf } from '../syntax-tree';
import { kindOf, lookUp } from '../values/kinds';

/** With `dynamic`, which is for evaluation, the result of `or` and `orValue` can have any type. */
export function createPresenceMacros(dynamic: boolean): Macros {
  return {
    'Has(ast): bool': createHasMacro,
    'optional.optMap(ast, ast): optional<dyn>': (call) => createOptionalMacro(call, false),
    'optional.optFlatMap(ast, ast): optional<dyn>': (call) => createOptionalMacro(call, true),
    'optional.Or(ast): optional<dyn>': (call) => createOrMacro(call, OR, dynamic),
    'optional.OrValue(ast): dyn': (call) => createOrMacro(call, OR_VALUE, dynamic),
  };
}

/** Replaces `has` of the library, which accepts only a chain of names, and not `has(device.attributes["d"].name)`. */
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

/** Returns the selection in the argument of `has`. CEL expands the inner call of `has(has(a.b))` first. */
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

/** Creates `optional.optMap(v, f(v))`, or if `flat` is set `optFlatMap`, whose body returns an optional. */
function createOptionalMacro({ ast, receiver, args }: MacroCall, flat: boolean): CelMacro {
  const [variable = ast, body = ast] = args;
  const range = receiver ?? ast;
  const name = declaredNameOf(variable);
  let inner: VariableScope | undefined;
  return {
    async: false,
    typeCheck(checker, _, scope) {
      const type = checker.check(range, scope);
      if (type.kind !== 'optional' && type.kind !== 'dyn') throw createNoOptionalError(checker, type, range);
      inner = scope.forkWithVariable(name, type.valueType ?? checker.getType('dyn'));
      const result = checker.check(body, inner);
      if (!flat) return checker.getType(`optional<${result.name}>`);
      if (result.kind !== 'optional' && result.kind !== 'dyn') throw createNoOptionalError(checker, result, body);
      return result;
    },
    evaluate(evaluator, _, values) {
      const optional = evaluator.run(range, values);
      if (!(optional instanceof Optional) || !inner) {
        throw createEvaluationError(`expected an optional, got a value of type ${kindOf(optional)}`, range);
      }
      if (!optional.hasValue()) return Optional.none();
      const result = evaluator.run(body, inner.reuse(values).setIterValue(optional.value(), evaluator));
      return flat ? result : Optional.of(result);
    },
  };
}

function createNoOptionalError(checker: TypeChecker, { name }: CelType, node: AstNode): Error {
  return checker.createError('optional_expected', `expected an optional but found '${name}'`, node);
}

/** The variant `or` or `orValue`: the result for an optional with a value, and the required type of the other part. */
interface OrForm {
  readonly present: (optional: Optional) => unknown;
  readonly inner: (type: CelType, checker: TypeChecker) => CelType | undefined;
}

const OR: OrForm = { present: (optional) => optional, inner: toOptionalType };
const OR_VALUE: OrForm = { present: (optional) => optional.value(), inner: valueTypeOf };

/**
 * Creates `optional.or(optional)` or `optional.orValue(value)`, which replace the macros of the library. In cel-go, a
 * receiver of unknown type that is not an optional is itself the result. During checking, the result has the type of
 * the other part.
 */
function createOrMacro({ ast, receiver, args }: MacroCall, form: OrForm, dynamic: boolean): CelMacro {
  const [otherNode = ast] = args;
  const optionalNode = receiver ?? ast;
  return {
    async: false,
    typeCheck(checker, _, scope) {
      const optional = checker.check(optionalNode, scope);
      const other = checker.check(otherNode, scope);
      const wanted = form.inner(optional, checker);
      if (!wanted) throw createNoOptionalError(checker, optional, optionalNode);
      if (form === OR && !toOptionalType(other, checker)) throw createNoOptionalError(checker, other, otherNode);
      if (optional.kind !== 'optional') return dynamic ? checker.getType('dyn') : other;
      const unified = isOpenType(otherNode) ? wanted : wanted.unify(checker.registry, other);
      if (unified) return unified;
      const message = `expected type '${wanted.name}' but found '${other.name}'`;
      throw checker.createError('incompatible_argument_type', message, otherNode);
    },
    evaluate(evaluator, _, values) {
      const optional = evaluator.run(optionalNode, values);
      if (!(optional instanceof Optional)) return optional;
      return optional.hasValue() ? form.present(optional) : evaluator.run(otherNode, values);
    },
  };
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
