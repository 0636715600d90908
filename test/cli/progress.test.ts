import { guardOutput } from '../../src/cli/output';
import { runCommandLine } from '../../src/cli/run';
import { ProgressLine } from '../../src/cli/terminal';

/** What is written when steps are reported at some times, in milliseconds. */
function written(...times: number[]): string {
  let text = '';
  let time = 0;
  const progress = new ProgressLine(
    (some) => void (text += some),
    () => time,
  );
  for (const at of times) {
    time = at;
    progress.step(`step ${at}`);
  }
  progress.clear();
  progress.clear();
  return text;
}

const CLEAR = '\r\u001B[K';

test('a run that is over within half a second says nothing', () => {
  expect(written(0, 200, 499)).toBe('');
});

test('a longer one says what it is at, on one line that goes', () => {
  expect(written(100, 500, 900)).toBe(`${CLEAR}step 500 ...${CLEAR}step 900 ...${CLEAR}`);
});

test('the line is not written more often than it is read', () => {
  expect(written(600, 650, 699, 700)).toBe(`${CLEAR}step 600 ...${CLEAR}step 700 ...${CLEAR}`);
});

const texts: Record<string, { text: string; want: string }> = {
  'words, lines and tabs': { text: 'a\tb\nc', want: 'a\tb\nc' },
  'our colours': { text: '\u001B[32m+ us\u001B[39m', want: '\u001B[32m+ us\u001B[39m' },
  'what hides text is shown': { text: 'a\u001B[8mb', want: 'a\\u001b[8mb' },
  'what clears the screen is shown': { text: '\u001B[2J', want: '\\u001b[2J' },
  'what goes back on the line is shown': { text: 'denied\rallowed', want: 'denied\\u000dallowed' },
  'what sets the title is shown': { text: '\u001B]0;x\u0007', want: '\\u001b]0;x\\u0007' },
  'controls of eight bits are shown': { text: '\u009B2J', want: '\\u009b2J' },
};

test.each(Object.entries(texts))('%s', (_, { text, want }) => {
  let out = '';
  let err = '';
  const io = guardOutput({
    out: (some) => void (out += some),
    err: (some) => void (err += some),
    terminal: true,
    env: {},
    stdin: () => '',
  });
  io.out(text);
  io.err(text);
  expect([out, err]).toEqual([want, want]);
});

const steps: Record<string, [args: string[], want: string[]]> = {
  'what is read, and how much there is to decide': [
    ['plan', 'examples/quickstart'],
    ['reading 1 of ', 'deciding: 9 replicas of 4 deployments, 3 clusters'],
  ],
  'which loss is simulated, and how many there are': [
    ['survive', 'examples/quickstart'],
    ['reading 1 of ', 'deciding', 'losing 1 of ', 'losing 2 of '],
  ],
};

test.each(Object.entries(steps))('a long run says %s', (_, [args, want]) => {
  const seen: string[] = [];
  const io = { out: () => undefined, err: () => undefined, terminal: true, env: {}, stdin: () => '' };
  const code = runCommandLine(args, { ...io, progress: (what) => void seen.push(what) }, '0.0.0');
  expect(code).toBe(0);
  for (const part of want) expect(seen.filter((one) => one.startsWith(part))).not.toEqual([]);
});
