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
import { isNamed, type Node } from './syntax';

/** `cel.bind(name, value, body)`, which replaces the library's own: a value that the body does not use may fail. */
export const BINDINGS: readonly (readonly [string, (site: Site) => Macro])[] = [
  ['list.Bind(ast, ast, ast): dyn', (site) => new Binding(site)],
];

class Binding implements Macro {
  readonly async = false;
  readonly #name: string;
  readonly #value: Node;
  readonly #body: Node;

  constructor({ ast, receiver, args }: Site) {
    const [variable = ast, value = ast, body = ast] = args;
    if (!receiver || !isNamed(receiver, 'cel'))
      throw failure("there is no function 'bind' but cel.bind", ast);
    this.#name = declaredName(variable);
    this.#value = value;
    this.#body = body;
  }

  typeCheck(checker: Checker, _: Macro, scope: Scope): Type {
    return checker.check(this.#body, scope.forkWithVariable(this.#name, checker.check(this.#value, scope)));
  }

  evaluate(evaluator: Evaluator, _: Macro, values: Values): unknown {
    const value = once(() => evaluator.run(this.#value, values));
    return evaluator.run(this.#body, new BoundValues(values, this.#name, value));
  }
}

/** The variables in sight of a body: its own, whose value is found out when it is first read, and those around it. */
class BoundValues implements Values {
  constructor(
    private readonly outer: Values,
    private readonly name: string,
    private readonly value: () => unknown,
  ) {}

  getCheckedValue(evaluator: Evaluator, node: Node): unknown {
    return isNamed(node, this.name) ? this.value() : this.outer.getCheckedValue(evaluator, node);
  }

  getValue(name: string): unknown {
    return name === this.name ? this.value() : this.outer.getValue(name);
  }
}

/** What is found out once, and kept: an error too. cel-go makes the value of a binding when it is first read. */
function once(find: () => unknown): () => unknown {
  let found: (() => unknown) | undefined;
  return () => (found ??= result(find))();
}

function result(find: () => unknown): () => unknown {
  try {
    const value = find();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
