import type * as Readline from 'node:readline';
import { commandError } from './command-error';

/** Asks a question on the terminal. Rejects when the input ends, as by Ctrl-C or Ctrl-D. */
export function askOnTerminal(question: string): Promise<string> {
  const { createInterface } = require('node:readline') as typeof Readline;
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    lines.on('close', () => {
      const hint = 'Answer them, or use flags: --help lists them';
      reject(commandError('no-answer', 'init', 'the questions have no answers, so nothing is written', hint));
    });
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
