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
import { type AstNode, isIdentifier } from '../syntax-tree';

/** `cel.bind(name, value, body)`. Replaces the macro of the library: a value that the body does not use may fail. */
export const BIND_MACROS: readonly (readonly [string, (call: MacroCall) => CelMacro])[] = [
  ['list.Bind(ast, ast, ast): dyn', (call) => new BindMacro(call)],
];

class BindMacro implements CelMacro {
  readonly async = false;
  readonly #name: string;
  readonly #value: AstNode;
  readonly #body: AstNode;

  constructor({ ast, receiver, args }: MacroCall) {
    const [variable = ast, value = ast, body = ast] = args;
    if (!receiver || !isIdentifier(receiver, 'cel'))
      throw createEvaluationError("there is no function 'bind' but cel.bind", ast);
    this.#name = declaredNameOf(variable);
    this.#value = value;
    this.#body = body;
  }

  typeCheck(checker: TypeChecker, _: CelMacro, scope: VariableScope): CelType {
    return checker.check(this.#body, scope.forkWithVariable(this.#name, checker.check(this.#value, scope)));
  }

  evaluate(evaluator: Evaluator, _: CelMacro, values: VariableValues): unknown {
    const value = memoizeOutcome(() => evaluator.run(this.#value, values));
    return evaluator.run(this.#body, new BoundValues(values, this.#name, value));
  }
}

/** The variables of a body: the bound variable, evaluated on first read, and the outer variables. */
class BoundValues implements VariableValues {
  constructor(
    private readonly outer: VariableValues,
    private readonly name: string,
    private readonly value: () => unknown,
  ) {}

  getCheckedValue(evaluator: Evaluator, node: AstNode): unknown {
    return isIdentifier(node, this.name) ? this.value() : this.outer.getCheckedValue(evaluator, node);
  }

  getValue(name: string): unknown {
    return name === this.name ? this.value() : this.outer.getValue(name);
  }
}

/** Returns a function that computes a value or an error once. cel-go evaluates a binding on first read. */
function memoizeOutcome(find: () => unknown): () => unknown {
  let found: (() => unknown) | undefined;
  return () => (found ??= captureOutcome(find))();
}

function captureOutcome(find: () => unknown): () => unknown {
  try {
    const value = find();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
