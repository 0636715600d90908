import { mkdtempSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLanes, type Step } from '../../.ci/lanes.cjs';

const folder = mkdtempSync(join(tmpdir(), 'lanes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const says = (name: string, run: string): Step => ({ name, run });

/** Waits for a file that another step makes. */
const until = (file: string): string => `until [ -e '${join(folder, file)}' ]; do sleep 0.01; done`;
const make = (file: string): string => `touch '${join(folder, file)}'`;

/** A step that makes a file. When it ends says nothing, so that it is left out of what is printed. */
const mark = (file: string): Step => says('mark', make(file));

const NEVER = 'sleep 1000';

interface Row {
  readonly lanes: readonly (readonly Step[])[];

  /** What is printed, without times. */
  readonly want: string;
}

const rows: Record<string, Row> = {
  'steps of a lane run one after the other': {
    lanes: [[says('a', make('1')), says('b', `[ -e '${folder}/1' ]; ${make('2')}`), says('c', `ls '${folder}/2'`)]],
    want: `\n== a\n\n== b\n\n== c\n${folder}/2\n\n== all passed\n`,
  },
  'lanes run at the same time, and a step is printed as a whole when it ends': {
    lanes: [[says('slow', `echo one; ${until('3')}; echo two`)], [says('quick', 'echo three >&2'), mark('3')]],
    want: '\n== quick\nthree\n\n== slow\none\ntwo\n\n== all passed\n',
  },
  'a step waits for those of other lanes that it comes after': {
    lanes: [
      [{ ...says('reads', `ls '${folder}/4'`), after: ['writes', 'left out'] }],
      [{ ...says('left out', 'true'), when: 'false', otherwise: 'it is not here' }, says('writes', make('4'))],
    ],
    want: `\n== left out: skipped, because it is not here\n\n== writes\n\n== reads\n${folder}/4\n\n== all passed\n`,
  },
  'a step that fails ends those next to it and is printed after them, and nothing starts after it': {
    lanes: [
      [says('bad', `${until('5')}; echo broken; exit 3`), says('more', 'true')],
      [says('other', `${make('5')}; ${NEVER}`), says('next', 'true')],
      [{ ...says('last', 'true'), after: ['bad'] }],
      [{ ...says('never', 'true'), after: ['next'] }],
    ],
    want: '\n== other, ended early\n\n== bad\nbroken\n\n== bad failed with 3\n',
  },
  'a script fails at its first command that does': {
    lanes: [[says('piped', 'false | cat; echo never')]],
    want: '\n== piped\n\n== piped failed with 1\n',
  },
  'a step whose condition fails is left out, with the reason': {
    lanes: [
      [
        { name: 'gone', run: 'false', when: 'no-such-command', otherwise: 'it is not here' },
        { name: 'here', run: 'echo yes', when: 'true' },
      ],
    ],
    want: '\n== gone: skipped, because it is not here\n\n== here\nyes\n\n== all passed\n',
  },
  'a nice step leaves the processor to those that are less nice': {
    lanes: [[{ ...says('low', 'nice'), niceness: 15 }, says('high', 'nice')]],
    want: `\n== low\n${Math.min(19, getPriority() + 15)}\n\n== high\n${getPriority()}\n\n== all passed\n`,
  },
};

/** What is said in place of the times of steps. */
const TIMES = /\n== seconds by the clock, and of the processor\n(?: +\d+ +\d+ {2}\S.*\n)*/;

test.each(Object.entries(rows))('%s', async (_, { lanes, want }) => {
  let printed = '';
  const passed = await runLanes(lanes, (text) => (printed += text));
  expect(printed).toMatch(TIMES);
  const said = printed
    .replace(TIMES, '')
    .replaceAll(/ \(\d+ s(, ended early)?\)| in \d+ s/g, '$1')
    .replaceAll('\n== mark\n', '');
  expect(said).toBe(want);
  expect(passed).toBe(want.endsWith('all passed\n'));
});

test('each step is named when it starts', async () => {
  const started: string[] = [];
  const lane = [
    says('a', 'true'),
    { ...says('b', 'true'), when: 'false', otherwise: 'it is not here' },
    says('c', 'true'),
  ];
  await runLanes(
    [lane],
    () => {},
    (name) => started.push(name),
  );
  expect(started).toEqual(['a', 'c']);
});

test('the times of all steps are printed at the end, by the clock and of the processor, in the order of their ends', async () => {
  let printed = '';
  const lanes = [
    [says('works', 'node -e "while (process.cpuUsage().user < 1e6);"'), { ...says('gone', ''), when: 'false' }],
    [says('waits', 'sleep 0.1')],
  ];
  await runLanes(lanes, (text) => (printed += text));
  const [clock, processor] = /^ +(\d+) +(\d+) {2}works$/m.exec(printed)?.slice(1).map(Number) ?? [];
  expect(printed).toMatch(/\n== seconds by the clock, and of the processor\n +0 +0 {2}waits\n.*works\n\n== all passed/);
  expect(clock).toBeGreaterThanOrEqual(1);
  expect(processor).toBeGreaterThanOrEqual(1);
});
