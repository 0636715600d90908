import {
  type Checker,
  declaredName,
  type Evaluator,
  failure,
  type Macro,
  type Scope,
  type Site,
  type Type,
} from './macro';
import { isNamed, type Node, nodesOf } from './syntax';

/** `cel.bind(name, value, body)`, which replaces the library's own: a value that the body does not use may fail. */
export const BINDINGS: readonly (readonly [string, (site: Site) => Macro])[] = [
  ['list.Bind(ast, ast, ast): dyn', (site) => new Binding(site)],
];

class Binding implements Macro {
  readonly async = false;
  readonly #name: string;
  readonly #value: Node;
  readonly #body: Node;
  #scope: Scope | undefined;

  constructor({ ast, receiver, args }: Site) {
    const [variable = ast, value = ast, body = ast] = args;
    if (!receiver || !isNamed(receiver, 'cel'))
      throw failure("there is no function 'bind' but cel.bind", ast);
    this.#name = declaredName(variable);
    this.#value = value;
    this.#body = body;
  }

  typeCheck(checker: Checker, _: Macro, scope: Scope): Type {
    this.#scope = scope.forkWithVariable(this.#name, checker.check(this.#value, scope));
    return checker.check(this.#body, this.#scope);
  }

  evaluate(evaluator: Evaluator, _: Macro, scope: Scope): unknown {
    const bound = this.#scope?.reuse(scope) ?? scope;
    const result = this.#evaluated(evaluator, scope);
    return evaluator.run(this.#body, result ? bound.setIterValue(result.value, evaluator) : bound);
  }

  /** The value; nothing where it fails and nobody asks for it. */
  #evaluated(evaluator: Evaluator, scope: Scope): { readonly value: unknown } | undefined {
    try {
      return { value: evaluator.run(this.#value, scope) };
    } catch (error) {
      if (nodesOf(this.#body).some((node) => isNamed(node, this.#name))) throw error;
      return undefined;
    }
  }
}
