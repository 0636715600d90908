import { prepareDevice } from '../../../src/cel/device';
import { compileSelector } from '../../../src/cel/selector';
import { DEVICES } from './devices';
import { ask } from './oracle';

/** Selectors as people write them. */
const SELECTORS = [
  'device.driver == "gpu.nvidia.com"',
  'device.attributes["gpu.nvidia.com"].family == "Hopper"',
  'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0',
  'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].family == "Hopper" && ' +
    'device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("20Gi")) && ' +
    'device.attributes["gpu.nvidia.com"].version.compareTo(semver("9.0.0")) >= 0',
  'cel.bind(a, device.attributes["gpu.nvidia.com"], a.name.lowerAscii().matches("h[12]00") && a.family in ["Hopper", "Blackwell"])',
];

const EVALUATIONS = 20_000;
const COMPILATIONS = 200;

/** Times in microseconds, ours and Kubernetes'. */
export interface Timing {
  readonly expression: string;
  readonly ours: Times;
  readonly theirs: Times;
}

interface Times {
  readonly compile: number;
  readonly evaluate: number;

  /** What we do once for a device, and Kubernetes as a part of each evaluation. */
  readonly prepare?: number;
}

/** How long the same selectors take here and there, in one run on one machine. */
export async function timeSelectors(): Promise<Timing[]> {
  const warm = { devices: ['h100'], listAttributes: true };
  const questions = SELECTORS.flatMap((expression) => [
    { expression, ...warm, evaluations: 1000 },
    // New text each time: what is compiled may be kept.
    ...Array.from({ length: COMPILATIONS }, (_, i) => ({ expression: variant(expression, i), ...warm })),
    { expression, ...warm, evaluations: EVALUATIONS },
  ]);
  const answers = await ask(DEVICES, questions);
  const each = COMPILATIONS + 2;
  return SELECTORS.map((expression, s) => {
    const own = answers.slice(s * each, (s + 1) * each);
    const compile = median(own.slice(1, -1).map(({ compileNanos = 0 }) => compileNanos / 1000));
    const evaluate = (own.at(-1)?.evaluateNanos ?? 0) / 1000 / EVALUATIONS;
    return { expression, ours: ours(expression), theirs: { compile, evaluate } };
  });
}

function ours(expression: string): Times {
  const selector = compileSelector(expression);
  const facts = DEVICES['h100']!;
  const device = prepareDevice(facts);
  for (let i = 0; i < 2_000; i++) selector.match(device);
  const compilations = Array.from({ length: COMPILATIONS }, (_, i) =>
    micros(() => compileSelector(variant(expression, i + COMPILATIONS))),
  );
  return {
    compile: median(compilations),
    evaluate: repeat(() => selector.match(device)),
    prepare: repeat(() => prepareDevice(facts)),
  };
}

/** As many parts as a measurement has there. */
const BATCHES = 10;

/** The mean time of many times, in the fastest of some parts: only other programs make one slower. */
function repeat(act: () => unknown): number {
  const each = EVALUATIONS / BATCHES;
  const batches = Array.from({ length: BATCHES }, () =>
    micros(() => {
      for (let i = 0; i < each; i++) act();
    }),
  );
  return Math.min(...batches) / each;
}

function variant(expression: string, i: number): string {
  return `${expression} && "${i}" != ""`;
}

function micros(act: () => unknown): number {
  const start = process.hrtime.bigint();
  act();
  return Number(process.hrtime.bigint() - start) / 1000;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
