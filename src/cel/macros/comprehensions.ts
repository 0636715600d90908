import { isOpenType, markOpenList } from '../cel-go-compat/type-checking';
import {
  type CelMacro,
  type CelType,
  createEvaluationError,
  declaredNameOf,
  type Evaluator,
  type ExpandMacro,
  type MacroCall,
  type Macros,
  type TypeChecker,
  type VariableScope,
  type VariableValues,
} from '../cel-js-internals';
import { toUint64 } from '../library/conversions';
import type { AstNode } from '../syntax-tree';
import { entriesOf, kindOf } from '../values/kinds';
import {
  type ComprehensionFold,
  createQuantifier,
  type ElementVisit,
  EXISTS_ONE,
  FILTER,
  SORT_BY,
  TRANSFORM_LIST,
  TRANSFORM_MAP,
  TRANSFORM_MAP_ENTRY,
} from './folds';

const ONE_VARIABLE: Readonly<Record<string, ComprehensionFold>> = {
  'list.All(ast, ast): bool': createQuantifier(false),
  'list.Exists(ast, ast): bool': createQuantifier(true),
  'list.Exists_one(ast, ast): bool': EXISTS_ONE,
  'list.Map(ast, ast): list<dyn>': TRANSFORM_LIST,
  'list.Map(ast, ast, ast): list<dyn>': TRANSFORM_LIST,
  'list.Filter(ast, ast): list<dyn>': FILTER,
  'list.sortBy(ast, ast): list<dyn>': SORT_BY,
};

const TWO_VARIABLES: Readonly<Record<string, ComprehensionFold>> = {
  'list.All(ast, ast, ast): bool': createQuantifier(false),
  'list.Exists(ast, ast, ast): bool': createQuantifier(true),
  'list.Exists_one(ast, ast, ast): bool': EXISTS_ONE,
  'list.existsOne(ast, ast, ast): bool': EXISTS_ONE,
  'list.transformList(ast, ast, ast): list<dyn>': TRANSFORM_LIST,
  'list.transformList(ast, ast, ast, ast): list<dyn>': TRANSFORM_LIST,
  'list.transformMap(ast, ast, ast): map<dyn, dyn>': TRANSFORM_MAP,
  'list.transformMap(ast, ast, ast, ast): map<dyn, dyn>': TRANSFORM_MAP,
  'list.transformMapEntry(ast, ast, ast): map<dyn, dyn>': TRANSFORM_MAP_ENTRY,
  'list.transformMapEntry(ast, ast, ast, ast): map<dyn, dyn>': TRANSFORM_MAP_ENTRY,
};

/**
 * Creates the macros that iterate over a list or a map, by signature. The library selects a macro by name and number of
 * arguments, and ignores the receiver of the signature. Its own `all`, `exists`, `map` and so on iterate over the keys
 * of any object, and do not compile for an empty list; these macros replace them. With `dynamic`, which is for
 * evaluation, an open type matches any type.
 */
export function createComprehensions(dynamic: boolean): Macros {
  const macrosOf = (folds: Readonly<Record<string, ComprehensionFold>>, variables: 1 | 2): [string, ExpandMacro][] =>
    Object.entries(folds).map(([name, fold]) => [name, (call) => new Comprehension(call, fold, variables, dynamic)]);
  return Object.fromEntries([...macrosOf(ONE_VARIABLE, 1), ...macrosOf(TWO_VARIABLES, 2)]);
}

/** Conversions of keys from their text in the library, by type. */
const KEYS: Readonly<Record<string, (text: string) => unknown>> = {
  int: BigInt,
  uint: (text) => toUint64(BigInt(text)),
  double: Number,
  bool: (text) => text === 'true',
  null: () => null,
};

/** A comprehension of one call. It declares its variables, and evaluates its parts for each element. */
class Comprehension implements CelMacro {
  readonly async = false;
  readonly #range: AstNode;
  readonly #names: readonly string[];
  readonly #parts: readonly AstNode[];

  /** The node of the call, in a tree for evaluation. */
  readonly #runsAt: AstNode | undefined;
  #scopes: readonly VariableScope[] = [];

  /** Converts a key from text: the library converts a map literal to an object with string keys. */
  #readKey: (text: string) => unknown = String;

  #body: CelType | undefined;

  constructor(
    { ast, receiver, args }: MacroCall,
    readonly fold: ComprehensionFold,
    variables: 1 | 2,
    dynamic: boolean,
  ) {
    if (!receiver) throw new Error('bug: a comprehension has a receiver');
    this.#range = receiver;
    this.#names = args.slice(0, variables).map(declaredNameOf);
    this.#parts = args.slice(variables);
    this.#runsAt = dynamic ? ast : undefined;
  }

  typeCheck(checker: TypeChecker, _: CelMacro, scope: VariableScope): CelType {
    const range = checker.check(this.#range, scope);
    this.#readKey = KEYS[range.keyType?.name ?? ''] ?? String;
    const types = this.#variableTypes(checker, range);
    let inner = scope;
    this.#scopes = this.#names.map((name, i) => (inner = inner.forkWithVariable(name, types[i] ?? range)));
    const bodies = this.#parts.map((part) => checker.check(part, inner));
    for (const predicate of this.fold.predicates(this.#parts)) {
      const type = checker.check(predicate, inner);
      if (type.isDynOrBool()) continue;
      throw checker.createError('not_a_predicate', `expected type 'bool' but found '${type.name}'`, predicate);
    }
    this.#body = isOpenType(this.#parts.at(-1)) ? checker.getType('T') : (bodies.at(-1) ?? range);
    return this.#resultType(checker, range, this.#body);
  }

  #resultType(checker: TypeChecker, range: CelType, body: CelType): CelType {
    const wrong = this.fold.refuses?.(range, body);
    if (wrong !== undefined) throw checker.createError('no_overload', wrong, this.#range);
    const type = checker.getType(this.fold.type(range, body));
    if (!this.#runsAt || type.name !== 'list<T>' || this.fold !== SORT_BY) return type;
    markOpenList(this.#runsAt);
    return checker.getType('list<dyn>');
  }

  evaluate(evaluator: Evaluator, _: CelMacro, values: VariableValues): unknown {
    if (!this.#body) throw new Error('bug: a comprehension runs before its types are known');
    return this.fold.run(this.#visits(evaluator, values), this.#parts, this.#body);
  }

  *#visits(evaluator: Evaluator, outer: VariableValues): Iterable<ElementVisit> {
    const range = evaluator.run(this.#range, outer);
    for (const [name, element] of elementsOf(range, this.#range)) {
      const key = typeof name === 'string' ? this.#readKey(name) : name;
      const value = this.#names.length === 1 && !Array.isArray(range) ? key : element;
      const values = this.#names.length === 1 ? [value] : [key, element];
      const bound = this.#scopes.reduce<VariableValues>(
        (around, scope, i) => scope.reuse(around).setIterValue(values[i], evaluator),
        outer,
      );
      yield { key, value, listed: Array.isArray(range), run: (part) => evaluator.run(part, bound) };
    }
  }

  #variableTypes(checker: TypeChecker, range: CelType): readonly CelType[] {
    const dyn = checker.getType('dyn');
    if (range.kind === 'dyn') return [dyn, dyn];
    const element = range.valueType ?? dyn;
    if (range.kind === 'list') return this.#names.length === 1 ? [element] : [checker.getType('int'), element];
    if (range.kind === 'map') return [range.keyType ?? dyn, element];
    throw checker.createError(
      'no_range',
      `expression of type '${range.name}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      this.#range,
    );
  }
}

/** Returns the elements of a range with their keys: the index in a list, the key in a map. */
function elementsOf(range: unknown, node: AstNode): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(range)) return range.map((value, i) => [BigInt(i), value]);
  const entries = entriesOf(range);
  if (entries) return entries;
  throw createEvaluationError(`expected a list or a map to go over, got a value of type ${kindOf(range)}`, node);
}
