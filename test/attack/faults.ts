import { listChanges, type Part, startProcess } from './kills';
import { readFiles } from './files';
import { disturb } from './fs-faults.cjs';
import { findDifferences, findTorn, inFolder, runIn, type Step } from './two-states';

/** What a system says of a change that it does not make. */
const CODES: readonly string[] = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT', 'EMFILE'];

/** Lets every change of a step fail once, and runs the step again. */
export async function failEverywhere(step: Step, folder: string): Promise<Part> {
  const changes = (await listChanges(step, folder)).length;
  const breaches: Part['breaches'][number][] = [];
  for (let at = 1; at <= changes; at++) {
    const code = CODES[at % CODES.length] ?? 'ENOSPC';
    breaches.push(...(await failOnce(step, { at, code, changes }, folder)));
  }
  return { name: `errors of the file system in '${step.command}'`, count: changes, breaches };
}

interface Failing {
  readonly at: number;
  readonly code: string;
  readonly changes: number;
}

function failOnce(step: Step, { at, code, changes }: Failing, folder: string): Promise<Part['breaches']> {
  return inFolder(folder, step.from, async (work) => {
    const input = `${step.command}, ${code} at change ${at} of ${changes}`;
    const end = disturb({ folder: work, at, action: 'fail', code });
    const failed = await runIn(work, step.command).finally(end);
    const torn = findTorn(step, readFiles(work));
    const again = await runAgain(step.command, work);
    const left = findDifferences(step.to, readFiles(work));
    const isRefused = failed.code === 1 && failed.err.includes(': ') && !/^\s+at /m.test(failed.err);
    return [
      ...(isRefused || failed.code === 0
        ? []
        : [
            {
              input,
              rule: 'a failed change is an error with a place',
              what: `${failed.code}: ${failed.err.slice(0, 400)}`,
            },
          ]),
      ...torn.map((path) => ({ input, rule: 'a failed run leaves whole files', what: path })),
      ...(again.code === 0 ? [] : [{ input, rule: 'the run after a failure succeeds', what: again.err }]),
      ...left.map((path) => ({ input, rule: 'the run after a failure leaves what it should', what: path })),
    ];
  });
}

/** A run in this process, whose claim of the folder may be what could not be removed: then as another process. */
async function runAgain(command: string, work: string): Promise<{ code: number | null | undefined; err: string }> {
  const here = await runIn(work, command);
  return here.code === 0 ? here : await startProcess(command, work);
}
