import { listChanges, type Part, startProcess } from './kills';
import { readFiles } from './files';
import { disturb, type Fault } from './fs-faults.cjs';
import { findDifferences, findTorn, inFolder, runIn, type Step } from './two-states';

/** What a system says of a change that it does not make. */
const CODES: readonly string[] = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT', 'EMFILE'];

/** Lets every change of a step fail once, and runs the step again. */
export async function failEverywhere(step: Step, folder: string): Promise<Part> {
  const changes = await listChanges(step, folder);
  const breaches: Part['breaches'][number][] = [];
  for (let at = 1; at <= changes.length; at++) {
    const code = CODES[at % CODES.length] ?? 'ENOSPC';
    breaches.push(...(await failOnce(step, { at, code, changes }, folder)));
  }
  return { name: `errors of the file system in '${step.command}'`, count: changes.length, breaches };
}

interface Failing {
  readonly at: number;
  readonly code: string;
  readonly changes: readonly string[];
}

function failOnce(step: Step, { at, code, changes }: Failing, folder: string): Promise<Part['breaches']> {
  return inFolder(folder, step.from, async (work) => {
    const input = `${step.command}, ${code} at change ${at} of ${changes.length}`;
    const failed = await fail(step.command, { folder: work, at, action: 'fail', code }, changes[at - 1] === 'rmSync');
    const torn = findTorn(step, readFiles(work));
    const again = await runIn(work, step.command);
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

/** What cannot be removed stays with the process that made it: then the run is one that ends. */
async function fail(command: string, fault: Fault, asProcess: boolean): Promise<Failed> {
  if (asProcess) return startProcess(command, fault.folder, fault);
  const end = disturb(fault);
  return runIn(fault.folder, command).finally(end);
}

interface Failed {
  readonly code: number | null | undefined;
  readonly err: string;
}
