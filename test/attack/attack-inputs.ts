import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { mapConcurrently } from '../../src/base/concurrency';
import { counted, say, seconds } from '../kubernetes/harness/say';
import type { Specimen } from './corpus';
import { writeFiles } from './files';
import { createInput, type Input, type InputId } from './input';
import type { Breach } from './judge';
import { whyKnown } from './known';
import type { Options } from './options';
import { Worker } from './workers';

/** Where inputs that failed are kept. */
const KEPT = join(__dirname, '../../out/attack');

const MAX_WORKERS = 4;

/** Runs inputs side by side. Returns how many broke a rule. */
export async function attackInputs(options: Options, corpus: readonly Specimen[], folder: string): Promise<number> {
  const start = performance.now();
  rmSync(KEPT, { recursive: true, force: true });
  const run = new Run(corpus, join(folder, 'corpus.json'));
  const { seed, only, without, inputs } = options;
  const ids =
    only === undefined
      ? Array.from({ length: inputs }, (_, number) => ({ seed, number, without: [] }))
      : [{ seed, number: only, without }];
  await mapConcurrently(Math.min(availableParallelism(), MAX_WORKERS), ids, (id) => run.take(id));
  run.stop();
  report(run, ids.length, performance.now() - start);
  return run.failed;
}

function report({ failed, known, codes }: Run, count: number, milliseconds: number): void {
  const ends = [...codes].sort(([a = 99], [b = 99]) => a - b).map(([code, n]) => `${code ?? 'none'} ${n} times`);
  say(
    `${counted(count, 'input')} in ${seconds(milliseconds)}, ${counted(failed, 'failure')}; exit code ${ends.join(', ')}`,
  );
  for (const [why, n] of known) say(`known, ${n} times: ${why}`);
}

class Run {
  failed = 0;
  readonly known = new Map<string, number>();

  /** The inputs by the exit code that they led to. */
  readonly codes = new Map<number | undefined, number>();
  readonly #idle: Worker[] = [];
  readonly #all: Worker[] = [];

  constructor(
    private readonly corpus: readonly Specimen[],
    private readonly corpusFile: string,
  ) {}

  async take(id: InputId): Promise<void> {
    const worker = this.#idle.pop() ?? this.#hire();
    try {
      const { breaches, code } = await worker.run(id);
      this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
      if (breaches.length === 0) return;
      const input = createInput(this.corpus, id);
      const described = `${input.command}\n${input.edits.join('\n')}`;
      const news = breaches.filter((one) => !this.#count(whyKnown(one, described)));
      if (news.length > 0) await this.#report(id, news, worker);
    } finally {
      this.#idle.push(worker);
    }
  }

  stop(): void {
    for (const worker of this.#all) worker.stop();
  }

  #hire(): Worker {
    const worker = new Worker(this.corpusFile);
    this.#all.push(worker);
    return worker;
  }

  #count(why: string | undefined): boolean {
    if (why !== undefined) this.known.set(why, (this.known.get(why) ?? 0) + 1);
    return why !== undefined;
  }

  async #report(id: InputId, breaches: readonly Breach[], worker: Worker): Promise<void> {
    this.failed += 1;
    const least = await shrink(
      id,
      breaches,
      async (smaller) => (await worker.run(smaller)).breaches,
      createInput(this.corpus, id).edits.length,
    );
    const input = createInput(this.corpus, least);
    const kept = keep(least, input, breaches);
    const flags = `--seed ${id.seed} --input ${id.number}${least.without.length ? ` --without ${least.without.join(',')}` : ''}`;
    say(`FAIL  ${flags}: fleetwright ${input.command}   (${input.specimen}${input.asProcess ? ', as a process' : ''})`);
    for (const edit of input.edits) say(`      ${edit.slice(0, 200)}`);
    for (const { rule, what } of breaches)
      say(`      broken: ${rule}\n        ${what.slice(0, 600).replaceAll('\n', '\n        ')}`);
    say(`      kept in ${kept}`);
  }
}

/** Leaves out every edit without which the same rules break. Costs one run an edit. */
async function shrink(
  id: InputId,
  breaches: readonly Breach[],
  run: (id: InputId) => Promise<readonly Breach[]>,
  edits: number,
): Promise<InputId> {
  if (edits === 1 || breaches.some(({ rule }) => /processor|memory|ends/.test(rule))) return id;
  let least = id;
  for (let i = 0; i < edits; i++) {
    const smaller = { ...least, without: [...least.without, i] };
    if (smaller.without.length === edits) break;
    const left = await run(smaller);
    if (breaches.every(({ rule }) => left.some((one) => one.rule === rule))) least = smaller;
  }
  return least;
}

/** Writes an input to a folder, with the command to run there. */
function keep(
  { seed, number }: InputId,
  { files, command, edits, hostility }: Input,
  breaches: readonly Breach[],
): string {
  const folder = join(KEPT, `${seed}-${number}`);
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, files);
  const words = { command: `fleetwright ${command}`, edits, server: hostility?.one.name, breaches };
  writeFileSync(join(folder, 'INPUT.json'), `${JSON.stringify(words, undefined, 2)}\n`);
  return folder;
}
