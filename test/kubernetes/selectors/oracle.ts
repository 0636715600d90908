import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import type { DeviceFacts } from '../../../src/cel/device';
import { kubeplane } from '../harness/kubeplane';
import { track } from '../harness/shutdown';

/** An expression, and the names of the devices to run it on. */
export interface Question {
  readonly expression: string;
  readonly devices: readonly string[];

  /** The gate DRAListTypeAttributes. */
  readonly listAttributes: boolean;

  /** Asks for the time that so many evaluations on the first device take. */
  readonly evaluations?: number;
}

/** What Kubernetes' compiler and evaluator say. */
export interface Answer {
  readonly compileError?: string;
  readonly cost?: number;
  readonly outcomes?: readonly { readonly match: boolean; readonly error?: string }[];
  readonly compileNanos?: number;
  readonly evaluateNanos?: number;
}

/** What the compiler says of an expression that ends its program. The API server refuses a request that does so. */
const PANIC = /^panic: .*$/m;

/** Asks Kubernetes' own compiler about expressions, in their order. */
export async function ask(
  devices: Readonly<Record<string, DeviceFacts>>,
  questions: readonly Question[],
): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < questions.length) {
    const [more, errors] = await askOnce(devices, questions.slice(answers.length));
    answers.push(...more);
    if (answers.length === questions.length) break;
    const [panic] = PANIC.exec(errors) ?? [];
    if (panic === undefined)
      throw new Error(`the oracle answered ${answers.length} of ${questions.length} questions: ${errors.slice(-2000)}`);
    answers.push({ compileError: panic });
  }
  return answers;
}

/** The answers of one program, and what it says where it ends before the last. */
async function askOnce(
  devices: Readonly<Record<string, DeviceFacts>>,
  questions: readonly Question[],
): Promise<[Answer[], string]> {
  const child = spawn(await kubeplane(), ['selectors'], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  track(child);
  let errors = '';
  child.stderr.on('data', (data) => (errors += data));
  const closed = once(child, 'close');
  child.stdin.on('error', () => {});
  child.stdin.write(`${asJson(devices)}\n`);
  void write(child.stdin, questions);
  const answers: Answer[] = [];
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line) as Answer);
  await closed;
  return [answers, errors];
}

async function write(input: Writable, questions: readonly Question[]): Promise<void> {
  for (const question of questions) {
    if (input.destroyed) return;
    if (!input.write(`${asJson(question)}\n`)) await drained(input);
  }
  input.end();
}

/** Waits until there is room again, or the other side is gone. */
function drained(input: Writable): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      input.off('drain', go).off('close', go);
      resolve();
    };
    input.on('drain', go).on('close', go);
  });
}

/** Integers of 64 bits as they are: JSON has room for them, though JavaScript's numbers have not. */
function asJson(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? `\u0001${inner}\u0001` : inner,
  );
  return text.replace(/"\\u0001(-?\d+)\\u0001"/g, '$1');
}
