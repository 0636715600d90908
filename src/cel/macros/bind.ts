import { createEvaluationError, declaredNameOf, type Macros } from '../cel-js-internals';
import { isIdentifier } from '../syntax-tree';

/** `cel.bind(name, value, body)`. Replaces the macro of the library: a value that the body does not use may fail. */
export const BIND_MACROS: Macros = {
  'list.Bind(ast, ast, ast): dyn'({ ast, receiver, args }) {
    const [variable = ast, value = ast, body = ast] = args;
    if (!receiver || !isIdentifier(receiver, 'cel'))
      throw createEvaluationError("unknown function 'bind': only cel.bind exists", ast);
    const name = declaredNameOf(variable);
    return {
      async: false,
      typeCheck: (checker, _, scope) => checker.check(body, scope.forkWithVariable(name, checker.check(value, scope))),
      evaluate(evaluator, _, outer) {
        const read = memoizeOutcome(() => evaluator.run(value, outer));
        return evaluator.run(body, {
          getCheckedValue: (reader, node) => (isIdentifier(node, name) ? read() : outer.getCheckedValue(reader, node)),
          getValue: (other) => (other === name ? read() : outer.getValue(other)),
        });
      },
    };
  },
};

/** Returns a function that computes a value or an error once. cel-go evaluates a binding on first read. */
function memoizeOutcome(find: () => unknown): () => unknown {
  let found: { readonly value: unknown } | { readonly error: unknown } | undefined;
  return () => {
    found ??= attempt(find);
    if ('error' in found) throw found.error;
    return found.value;
  };
}

function attempt(find: () => unknown): { readonly value: unknown } | { readonly error: unknown } {
  try {
    return { value: find() };
  } catch (error) {
    return { error };
  }
}
