import { parseArgs } from 'node:util';
import { SetupError } from '../kubernetes/harness/setup-error';

const USAGE = 'usage: npm run test:attack -- [--seed N] [--inputs N | --long] [--input N] [--without 0,2]';

/** The number of inputs in CI, and of a long run. */
const INPUTS = 500;
const LONG_INPUTS = 20_000;

export interface Options {
  readonly seed: number;
  readonly inputs: number;

  /** The only input to run, to look into a failure. */
  readonly only: number | undefined;

  /** The edits of that input to leave out. */
  readonly without: readonly number[];
}

/** @throws SetupError for arguments that say nothing */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  const inputs = values.long ? LONG_INPUTS : INPUTS;
  return {
    seed: parseCount(values.seed, 1),
    inputs: parseCount(values.inputs, inputs),
    only: values.input === undefined ? undefined : parseCount(values.input, 0),
    without: (values.without ?? '').split(',').filter(Boolean).map(Number),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string' },
        inputs: { type: 'string' },
        input: { type: 'string' },
        without: { type: 'string' },
        long: { type: 'boolean' },
      },
    });
  } catch {
    throw new SetupError(USAGE);
  }
}

function parseCount(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SetupError(USAGE);
}
