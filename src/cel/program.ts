import type { Environment } from 'cel-js';
import type { PreparedDevice } from './device';
import { type Features, runEnvironment, typedEnvironment } from './environment';
import { faultIn } from './cel-errors';
import { Kept } from './kept';
import { lintCost } from './lint-cost';
import { lintSyntax } from './lint-syntax';
import { lintText } from './lint-text';
import { lintTypes } from './lint-types';
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
  const run = parse(expression, text, runEnvironment());
  lintSyntax(expression, run.ast, features);

  const typed = parse(expression, text, typedEnvironment(features));
  const type = check(expression, typed);
  check(expression, run);
  lintTypes(expression, typed.ast);
  lintCost(expression, typed.ast);
  return { tokens, root: run.ast, type, run: (device) => run(device) as unknown };
}

/** What the library makes of an expression whose types it has checked. */
function check(expression: string, runnable: ReturnType<typeof parse>) {
  try {
    const checked = runnable.check();
    if (!checked.valid) throw faultIn(expression, checked.error);
    return checked.type ?? 'dyn';
  } catch (error) {
    // The library has a type without a name for what is in an empty list, and trips over it.
    if (!(error instanceof Error && / overlaps with /.test(error.message))) throw error;
    throw new SelectorError('the type of a value that comes from an empty list is not known', START);
  }
}

function parse(expression: string, text: string, environment: Environment) {
  try {
    return environment.parse(text);
  } catch (error) {
    throw faultIn(expression, error);
  }
}
