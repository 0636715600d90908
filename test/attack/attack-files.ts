import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { counted, say, seconds } from '../kubernetes/harness/say';
import { runAtOnce, writeBothAtOnce } from './concurrent';
import type { Specimen } from './corpus';
import { fillDisk } from './disk-full';
import { failEverywhere } from './faults';
import { killEverywhere, type Part } from './kills';
import { whyKnown } from './known';
import { makeTwoStates, stepsOf } from './two-states';

/** Kills, fails, crowds and starves `lock` and `synth`. Returns how many parts broke a rule. */
export async function attackFiles(corpus: readonly Specimen[], folder: string): Promise<number> {
  const work = join(folder, 'steps');
  mkdirSync(work);
  const states = await makeTwoStates(corpus, work);
  const steps = await stepsOf(states, work);
  let failed = 0;
  for (const step of steps) {
    failed += await report(() => failEverywhere(step, work));
    failed += await report(() => killEverywhere(step, work));
    failed += await report(() => runAtOnce(step, work));
    failed += await report(() => Promise.resolve(fillDisk(step, work)));
  }
  const [, synth] = steps;
  const [, back] = await stepsOf({ before: states.after, after: states.before }, work);
  if (synth && back) failed += await report(() => writeBothAtOnce(back, synth, work));
  return failed;
}

async function report(run: () => Promise<Part | undefined>): Promise<number> {
  const start = performance.now();
  const part = await run();
  if (!part) {
    say('full disks: skipped, because this user cannot mount a file system');
    return 0;
  }
  const news = part.breaches.filter((one) => whyKnown(one, one.input) === undefined);
  const known = part.breaches.length - news.length;
  say(
    `${part.name}: ${counted(part.count, 'run')} in ${seconds(performance.now() - start)}, ` +
      `${counted(news.length, 'failure')}${known > 0 ? `, ${known} known` : ''}`,
  );
  for (const { input, rule, what } of news.slice(0, 10)) say(`FAIL  ${input}\n      broken: ${rule}\n        ${what}`);
  return news.length > 0 ? 1 : 0;
}
