import { runCommandLine } from '../../../src/cli/run';
import type { Workspace } from '../cli';

/** Runs init with a person who gives these answers. */
export async function interview(
  work: Workspace,
  answers: string[],
  args: string[] = [],
): Promise<{ code: number; asked: string; err: string }> {
  let asked = '';
  let err = '';
  const io = {
    out: () => undefined,
    err: (text: string) => void (err += text),
    terminal: true,
    env: {},
    stdin: () => '',
    ask: (question: string) => {
      asked += `${question}\n`;
      const answer = answers.shift();
      return answer === undefined ? Promise.reject(new Error('asked too often')) : Promise.resolve(answer);
    },
  };
  return { code: await runCommandLine(['init', work.path('new'), ...args], io, '0.0.0'), asked, err };
}
