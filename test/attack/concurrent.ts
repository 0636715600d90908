import { readFiles, writeFiles } from './files';
import { type Part, startProcess } from './kills';
import { findDifferences, findTorn, inFolder, runIn, type Step } from './two-states';

const ROUNDS = 4;
const PROCESSES = 5;

/** Runs a step several times at once on one folder, and once more alone. */
export async function runAtOnce(step: Step, folder: string): Promise<Part> {
  const breaches: Part['breaches'][number][] = [];
  for (let round = 1; round <= ROUNDS; round++) breaches.push(...(await oneRound(step, round, folder)));
  return { name: `'${step.command}' at once`, count: ROUNDS * PROCESSES, breaches };
}

function oneRound(step: Step, round: number, folder: string): Promise<Part['breaches']> {
  return inFolder(folder, step.from, async (work) => {
    const input = `${PROCESSES} times '${step.command}' at once, round ${round}`;
    const ends = await Promise.all(Array.from({ length: PROCESSES }, () => startProcess(step.command, work)));
    const torn = findTorn(step, readFiles(work));
    const { code, err } = await runIn(work, step.command);
    const odd = ends.filter(
      (end) => end.code !== 0 && !(end.code === 1 && /is writing to this folder|in use/.test(end.err)),
    );
    return [
      ...(ends.some((end) => end.code === 0)
        ? []
        : [{ input, rule: 'one of several runs succeeds', what: ends[0]?.err ?? '' }]),
      ...odd.map((end) => ({
        input,
        rule: 'several runs end, or say that another one writes',
        what: `${end.code}: ${end.err.slice(0, 400)}`,
      })),
      ...torn.map((path) => ({ input, rule: 'several runs leave whole files', what: path })),
      ...(code === 0 ? [] : [{ input, rule: 'the run after several succeeds', what: err }]),
      ...findDifferences(step.to, readFiles(work)).map((path) => ({
        input,
        rule: 'several runs leave what one would',
        what: path,
      })),
    ];
  });
}

/** Lets the fleets of before and after be written into one folder at once. */
export function writeBothAtOnce(back: Step, step: Step, folder: string): Promise<Part> {
  return inFolder(folder, step.from, async (work) => {
    const input = `'${step.command}' of two fleets at once`;
    const other = Object.fromEntries(
      Object.entries(back.from).flatMap(([path, content]) =>
        path.startsWith('fleet/') ? [[path.replace('fleet/', 'other/'), content]] : [],
      ),
    );
    writeFiles(work, other);
    const commands = ['synth fleet -o out', 'synth other -o out', 'synth fleet -o out', 'synth other -o out'];
    await Promise.all(commands.map((command) => startProcess(command, work)));
    const now = readFiles(work, (path) => !path.startsWith('other'));
    // What is to delete depends on who wrote last.
    const torn = findTorn(step, now).filter((path) => !path.includes('00-delete'));
    const breaches = torn.map((path) => ({ input, rule: 'several runs leave whole files', what: path }));
    const { code, err } = await runIn(work, step.command);
    const left = findDifferences(
      step.to,
      readFiles(work, (path) => !path.startsWith('other')),
    );
    return {
      name: input,
      count: commands.length,
      breaches: [
        ...breaches,
        ...(code === 0 ? [] : [{ input, rule: 'the run after several succeeds', what: err }]),
        ...left.map((path) => ({ input, rule: 'several runs leave what one would', what: path })),
      ],
    };
  });
}
