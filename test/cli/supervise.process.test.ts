import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Workspace } from './cli';

const SUPERVISE = join(__dirname, '../../src/cli/supervise.cjs');

/** Writes to a file as long as it runs, in a process that its shell does not wait for. */
const BEATING = '(while echo >> beats; do sleep 0.05; done) &';

jest.setTimeout(60_000);

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

/** Starts a program, and waits until what it started runs. */
async function beating(end: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [SUPERVISE, `${BEATING} ${end}`], {
    cwd: work.root,
    stdio: 'ignore',
  });
  while (!existsSync(work.path('beats'))) await setTimeout(20);
  return child;
}

/** Waits until nothing is written any more. */
async function expectSilence(): Promise<void> {
  for (let tries = 0; tries < 40; tries += 1) {
    const beats = work.read('beats');
    await setTimeout(250);
    if (work.read('beats') === beats) return;
  }
  throw new Error('something still runs');
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'on %s the program ends with all that it started',
  async (signal) => {
    const child = await beating('sleep 20 | cat');
    child.kill(signal);
    await once(child, 'exit');
    await expectSilence();
  },
);

test('a program that ends leaves nothing running, and its exit code is reported', async () => {
  const child = await beating('while [ ! -e beats ]; do sleep 0.05; done; exit 7');
  const [code] = (child.exitCode === null ? await once(child, 'exit') : [child.exitCode]) as [number];
  expect(code).toBe(7);
  await expectSilence();
});

test('a program that loses whoever waits for it ends too', async () => {
  const inner = `${process.execPath} ${SUPERVISE} '${BEATING} sleep 20'`;
  const shell = spawn('sh', ['-c', `${inner} & wait`], { cwd: work.root, stdio: 'ignore' });
  while (!existsSync(work.path('beats'))) await setTimeout(20);
  shell.kill('SIGKILL');
  await expectSilence();
});
