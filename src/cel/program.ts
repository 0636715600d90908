import type { PreparedDevice } from './device';
import { type Features, runEnvironment, typedEnvironment } from './environment';
import { faultIn } from './faults';
import { Kept } from './kept';
import { lintSyntax } from './lint-syntax';
import { lintText } from './lint-text';
import type { Node } from './syntax';
import { type Token, tokenize } from './tokens';
import { withTwins } from './twins';

/** A CEL expression over a device, ready to run. */
export interface Program {
  readonly tokens: readonly Token[];
  readonly root: Node;

  /** The type of its value, `dyn` where only evaluation can tell. */
  readonly type: string;

  /** Its value for a device. Throws where evaluation fails. */
  run(device: PreparedDevice): unknown;
}

const programs = new Kept<Program>(10_000);

/** Compiles an expression of any type, once. Throws a `SelectorError`. */
export function compileProgram(expression: string, features: Features = {}): Program {
  const { listAttributes = true, consumableCapacity = true } = features;
  return programs.get(`${listAttributes} ${consumableCapacity} ${expression}`, () =>
    compile(expression, features),
  );
}

function compile(expression: string, features: Features): Program {
  const tokens = tokenize(expression);
  lintText(expression, tokens);
  const text = withTwins(expression, tokens);
  const run = parse(expression, text);
  lintSyntax(expression, run.ast, features);

  const checked = typedEnvironment(features).check(text);
  if (!checked.valid) throw faultIn(expression, checked.error);
  const runnable = run.check();
  if (!runnable.valid) throw faultIn(expression, runnable.error);
  return { tokens, root: run.ast, type: checked.type ?? 'dyn', run: (device) => run(device) as unknown };
}

function parse(expression: string, text: string) {
  try {
    return runEnvironment().parse(text);
  } catch (error) {
    throw faultIn(expression, error);
  }
}
