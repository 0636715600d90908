import { Random } from '../harness/random';
import type { Options, Part, Report } from '../part';
import { classify } from './classes';
import { compareAll, type Comparison, equal, wrong } from './compare';
import { DEVICES } from './devices';
import { generate } from './grammar';
import { mutate } from './mutate';
import type { Question } from './oracle';
import { truthTables } from './tables';
import { timeSelectors, type Timing } from './timing';

/** Distinct generated expressions of a run. */
const EXPRESSIONS = { short: 20_000, long: 100_000 };

/** The share of outcomes that must be the same. */
const AGREEMENT = 0.999;

/** Whatever Kubernetes' own compiler says of a selector, ours says. */
export const selectors: Part = { name: 'selectors', run };

/** The most measurements. */
const MEASUREMENTS = 3;

/** Measures again while a selector is too slow, because other programs of the machine can slow one measurement. */
async function timeCalmly(): Promise<Timing[]> {
  let timings = await timeSelectors();
  for (let i = 1; i < MEASUREMENTS && timings.some(isTooSlow); i++) {
    const again = await timeSelectors();
    timings = timings.map((timing, s) => (isTooSlow(timing) ? again[s]! : timing));
  }
  return timings;
}

/** The times here as parts of those of Kubernetes. */
function ratiosOf({ ours, theirs }: Timing): { readonly evaluate: number; readonly whole: number } {
  return {
    evaluate: ours.evaluate / theirs.evaluate,
    whole: (ours.compile + (ours.prepare ?? 0) + 1000 * ours.evaluate) / (theirs.compile + 1000 * theirs.evaluate),
  };
}

function isTooSlow(timing: Timing): boolean {
  const { evaluate, whole } = ratiosOf(timing);
  return evaluate > 1 || whole > 1;
}

async function run({ long, seed }: Options): Promise<Report> {
  const { devices, questions } = truthTables();
  const rows = await compareAll(devices, questions);
  const generated = await compareAll(DEVICES, generateQuestions(seed, EXPRESSIONS[long ? 'long' : 'short']));
  const timings = await timeCalmly();

  const reports = [judge('truth tables', rows, 0), judge('generated expressions', generated, AGREEMENT)];
  const slower = timings.map(ratiosOf);
  const tooSlow = timings.filter(isTooSlow);
  return {
    figures: [
      ...reports.flatMap(({ figures }) => figures),
      ...timings.map(({ expression, ours, theirs }, i) => {
        const times = `${us(ours.evaluate)} against ${us(theirs.evaluate)} an evaluation, ${us(ours.compile)} against ${us(theirs.compile)} a compilation, ${us(ours.prepare ?? 0)} once for a device`;
        const ratio = `${slower[i]!.evaluate.toFixed(2)} and with 1,000 evaluations ${slower[i]!.whole.toFixed(2)} of cel-go`;
        return `time: ${times}: ${ratio} (${expression.slice(0, 60)}${expression.length > 60 ? '...' : ''})`;
      }),
    ],
    failures: [
      ...reports.flatMap(({ failures }) => failures),
      ...tooSlow.map(({ expression }) => `slower than cel-go: ${expression}`),
    ],
  };
}

function us(micros: number): string {
  return `${micros.toFixed(1)} us`;
}

/** Distinct expressions, three of four well typed and the others broken, each on two devices. */
export function generateQuestions(seed: number, count: number): Question[] {
  const random = new Random(seed);
  const names = Object.keys(DEVICES);
  const questions = new Map<string, Question>();
  while (questions.size < count) {
    const fine = generate(random, 1 + random.below(4));
    const expression = random.percent(25) ? mutate(fine, random) : fine;
    const devices = random.shuffled(names).slice(0, 2);
    if (expression.length < 2_000) questions.set(expression, { expression, devices, listAttributes: true });
  }
  return [...questions.values()];
}

function judge(what: string, comparisons: readonly Comparison[], least: number): Report {
  const expressions = new Set(comparisons.map(({ expression }) => expression)).size;
  const different = comparisons.filter((one) => !equal(one));
  const selections = different.filter(wrong);
  const { known, unknown } = classify(different);
  const agreed = comparisons.length - different.length;
  const share = ((100 * agreed) / comparisons.length).toFixed(3);
  const refused = selections.filter(({ ours }) => ours !== 'true').length;
  return {
    figures: [
      `selectors, ${what}: ${comparisons.length - selections.length} selections equal of ${comparisons.length} compared (${expressions} expressions); ` +
        `${refused} refused that Kubernetes selects, ${selections.length - refused} selected that it does not`,
      `  ${agreed} outcomes the same (${share} %)`,
      ...known.map(
        ({ name, comparisons: all }) =>
          `  ${all.length} different (${all.filter(wrong).length} in the selection): ${name}`,
      ),
    ],
    failures: [
      ...(comparisons.length === 0 ? [`no ${what} were compared`] : []),
      ...known.flatMap(({ name, selection, comparisons: all }) =>
        selection ? [] : all.filter(wrong).map((one) => `a wrong selection (${name}): ${describe(one)}`),
      ),
      ...unknown.map((one) => `a difference of no known class: ${describe(one)}`),
      ...(agreed / comparisons.length < least ? [`only ${share} % of outcomes agree`] : []),
    ],
  };
}

function describe({ expression, device, ours, theirs, ourWords, theirWords }: Comparison): string {
  return `${expression}\n  on ${device}: ours ${ours} ${ourWords}\n  Kubernetes: ${theirs} ${theirWords.split('\n')[0]}`;
}
