import type { Environment, ParseResult } from 'cel-js';
import { type PreparedDevice, unchanged } from './device';
import { type Features, runEnvironment, typedEnvironment } from './environment';
import { faultIn } from './cel-errors';
import { report } from './fault';
import { Kept } from './kept';
import { lintCost } from './lint-cost';
import { lintFormats } from './lint-formats';
import { lintSyntax } from './lint-syntax';
import { lintText } from './lint-text';
import { lintTypes } from './lint-types';
import { overrideOperators } from './operators';
import { runLeftToRight, tellsOrder } from './order-of-evaluation';
import { openTypes } from './open-types';
import { unlessPanic } from './panics';
import { readRelationsInOrder } from './precedence';
import { putNumbers, type Respelled, respell } from './respelling';
import { SelectorError } from './selector-error';
import { callOf, type Node, nodesOf } from './syntax';
import { type Token, tokenize } from './tokens';
import { withTwins } from './twins';
import { rememberKeys } from './written-keys';

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
  const { text, numbers } = respell(expression, tokens);
  const source = { expression, tokens, numbers, text: withTwins(text, tokens) };
  const run = parse(source, runEnvironment());
  lintSyntax(expression, run.parsed.ast, features);
  const typed = parse(source, typedEnvironment(features));
  try {
    const type = check(expression, typed.parsed);
    check(expression, run.parsed);
    lintTypes(expression, typed.parsed.ast);
    lintFormats(expression, typed.parsed.ast, features);
    lintCost(expression, typed.parsed.ast);
    return { tokens, root: run.parsed.ast, type, run: runner(run.parsed) };
  } catch (error) {
    // What is wrong with the types is rather that they were read in another order than they were meant.
    report(expression, typed.misread);
    throw error;
  }
}

/** Runs an expression that has been checked, each time on a device as its driver publishes it. */
function runner(run: ParseResult): Program['run'] {
  overrideOperators(run.ast);
  rememberKeys(run.ast);
  const runs = (device: PreparedDevice): unknown => run(device);
  const act = nodesOf(run.ast).some((node) => callOf(node)?.name === 'sortBy')
    ? (device: PreparedDevice) => unlessPanic(() => runs(device))
    : runs;
  if (!tellsOrder(run.ast)) return act;
  runLeftToRight(run.ast);
  return (device) => act(unchanged(device));
}

/** What the library makes of an expression whose types it has checked. */
function check(expression: string, parsed: ParseResult): string {
  const checked = parsed.check();
  if (!checked.valid) throw faultIn(expression, checked.error);
  return checked.type ?? 'dyn';
}

/** An expression, and how it is written for the library. */
interface Source {
  readonly expression: string;
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly numbers: Respelled['numbers'];
}

/** The tree of an expression as cel-go would read it, and what to tell if that makes no sense. */
function parse({ expression, tokens, text, numbers }: Source, environment: Environment) {
  const parsed = parsedBy(environment, expression, text);
  putNumbers(parsed.ast, numbers);
  const misread = readRelationsInOrder(parsed.ast, tokens);
  openTypes(parsed.ast);
  return { parsed, misread };
}

function parsedBy(environment: Environment, expression: string, text: string): ParseResult {
  try {
    return environment.parse(text);
  } catch (error) {
    throw faultIn(expression, error);
  }
}
