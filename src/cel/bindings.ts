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
    return evaluator.run(this.#body, bound.setIterValue(this.#valueIn(evaluator, scope), evaluator));
  }

  #valueIn(evaluator: Evaluator, scope: Scope): unknown {
    try {
      return evaluator.run(this.#value, scope);
    } catch (error) {
      const used = nodesOf(this.#body).some((node) => isNamed(node, this.#name));
      if (used) throw error;
      return false;
    }
  }
}
