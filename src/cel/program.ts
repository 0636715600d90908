import type { PreparedDevice } from './device';
import { type Features, runEnvironment, typedEnvironment } from './environment';
import { faultIn } from './cel-errors';
import { Kept } from './kept';
import { lintSyntax } from './lint-syntax';
import { lintText } from './lint-text';
import { SelectorError } from './selector-error';
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

const START = { line: 1, column: 1 };
const programs = new Kept<Program>(2_000);

/** Compiles an expression of any type, once. Throws a {@link SelectorError}. */
export function compileProgram(expression: string, features: Features = {}): Program {
  const { listAttributes = true, consumableCapacity = true } = features;
  const key = `${listAttributes} ${consumableCapacity} ${expression}`;
  try {
    return programs.get(key, () => compile(expression, features));
  } catch (error) {
    // The library goes down an expression by recursion.
    if (error instanceof RangeError) throw new SelectorError('the selector is nested too deep', START);
    throw error;
  }
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
