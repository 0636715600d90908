import { type DeviceFacts, type PreparedDevice, prepareDevice } from '../../../src/cel/device';
import { compileSelector, SelectorError } from '../../../src/cel/selector';
import { type Answer, ask, type Question } from './oracle';

/** How an expression ends on a device. Nothing may crash: a compiler that throws anything but its own error does. */
export type Ending = 'compile error' | 'true' | 'false' | 'runtime error' | 'crash';

/** One expression on one device, as both see it. */
export interface Comparison {
  readonly expression: string;
  readonly device: string;
  readonly ours: Ending;
  readonly theirs: Ending;

  /** How else it ended there when a difference was tried again, many times. */
  readonly alsoTheirs: readonly Ending[];

  /** What they say where they end in an error. */
  readonly ourWords: string;
  readonly theirWords: string;
}

/** Runs expressions here and with Kubernetes' own compiler. */
export async function compareAll(
  devices: Readonly<Record<string, DeviceFacts>>,
  questions: readonly Question[],
): Promise<Comparison[]> {
  const prepared = new Map(Object.entries(devices).map(([name, facts]) => [name, prepare(facts)]));
  const answers = await ask(devices, questions);
  const comparisons = questions.flatMap((question, i) => compare(question, answers[i]!, prepared));
  return tryAgain(devices, comparisons);
}

/** How often a difference is tried again. Kubernetes goes over a map of two keys in either order. */
const TIMES = 24;

/** Tries what is different again: an answer may hang on the order in which Kubernetes goes over a map. */
async function tryAgain(
  devices: Readonly<Record<string, DeviceFacts>>,
  comparisons: readonly Comparison[],
): Promise<Comparison[]> {
  const different = comparisons.filter((one) => !equal(one));
  const questions = different.flatMap(({ expression, device }) =>
    Array.from({ length: TIMES }, () => ({ expression, devices: [device], listAttributes: true })),
  );
  const answers = await ask(devices, questions);
  const also = different.map((one, i) => {
    const endings = answers.slice(i * TIMES, (i + 1) * TIMES).map((answer) => theirEnding(answer, 0)[0]);
    return [one, [...new Set(endings)].filter((ending) => ending !== one.theirs)] as const;
  });
  const found = new Map(also);
  return comparisons.map((one) => ({ ...one, alsoTheirs: found.get(one) ?? [] }));
}

function compare(
  { expression, devices, listAttributes }: Question,
  answer: Answer,
  prepared: ReadonlyMap<string, PreparedDevice | Error>,
): Comparison[] {
  const selector = compiled(expression, listAttributes);
  return devices.map((device, i) => {
    const [ours, ourWords] = endingOf(selector, prepared.get(device)!);
    const [theirs, theirWords] = theirEnding(answer, i);
    return { expression, device, ours, theirs, alsoTheirs: [], ourWords, theirWords };
  });
}

type Compiled = ReturnType<typeof compileSelector> | Error;

function compiled(expression: string, listAttributes: boolean): Compiled {
  try {
    return compileSelector(expression, { listAttributes });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A device, or why its facts are none: Kubernetes finds out when it evaluates. */
function prepare(facts: DeviceFacts): PreparedDevice | Error {
  try {
    return prepareDevice(facts);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function endingOf(selector: Compiled, device: PreparedDevice | Error): [Ending, string] {
  if (selector instanceof SelectorError) return ['compile error', selector.message];
  if (selector instanceof Error) return ['crash', selector.message];
  if (device instanceof Error) return ['runtime error', device.message];
  const outcome = selector.match(device);
  if (outcome.kind === 'error') return ['runtime error', outcome.message];
  return [outcome.kind === 'match' ? 'true' : 'false', ''];
}

function theirEnding({ compileError, outcomes }: Answer, i: number): [Ending, string] {
  if (compileError !== undefined) return ['compile error', compileError];
  const { match, error } = outcomes?.[i] ?? { match: false, error: 'no answer' };
  return error === undefined ? [match ? 'true' : 'false', ''] : ['runtime error', error];
}

/** Whether both agree on what happens. */
export function equal({ ours, theirs }: Comparison): boolean {
  return ours === theirs;
}

/** Whether one selects the device and the other does not. */
export function wrong({ ours, theirs, alsoTheirs }: Comparison): boolean {
  return ![theirs, ...alsoTheirs].some((ending) => (ours === 'true') === (ending === 'true'));
}
