import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStages, type Step } from '../../.ci/lanes.cjs';

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
  readonly stages: readonly (readonly (readonly Step[])[])[];

  /** What is printed, without times. */
  readonly want: string;
}

const rows: Record<string, Row> = {
  'steps of a lane run one after the other, and stages too': {
    stages: [
      [[says('a', make('1')), says('b', `[ -e '${folder}/1' ]; ${make('2')}`)]],
      [[says('c', `ls '${folder}/2'`)]],
    ],
    want: `\n== a\n\n== b\n\n== c\n${folder}/2\n\n== all passed\n`,
  },
  'lanes run at the same time, and a step is printed as a whole when it ends': {
    stages: [[[says('slow', `echo one; ${until('3')}; echo two`)], [says('quick', 'echo three >&2'), mark('3')]]],
    want: '\n== quick\nthree\n\n== slow\none\ntwo\n\n== all passed\n',
  },
  'a step that fails ends those next to it, and nothing starts after it': {
    stages: [
      [
        [says('bad', `${until('5')}; echo broken; exit 3`), says('more', 'true')],
        [says('other', `${make('5')}; ${NEVER}`), says('next', 'true')],
      ],
      [[says('last', 'true')]],
    ],
    want: '\n== bad\nbroken\n\n== other, ended early\n\n== bad failed with 3\n',
  },
  'a script fails at its first command that does': {
    stages: [[[says('piped', 'false | cat; echo never')]]],
    want: '\n== piped\n\n== piped failed with 1\n',
  },
  'a step whose condition fails is left out, with the reason': {
    stages: [
      [
        [
          { name: 'gone', run: 'false', when: 'no-such-command', otherwise: 'it is not here' },
          { name: 'here', run: 'echo yes', when: 'true' },
        ],
      ],
    ],
    want: '\n== gone: skipped, because it is not here\n\n== here\nyes\n\n== all passed\n',
  },
};

test.each(Object.entries(rows))('%s', async (_, { stages, want }) => {
  let printed = '';
  const passed = await runStages(stages, (text) => (printed += text));
  const said = printed.replaceAll(/ \(\d+ s(, ended early)?\)| in \d+ s/g, '$1').replaceAll('\n== mark\n', '');
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
  await runStages(
    [[lane]],
    () => {},
    (name) => started.push(name),
  );
  expect(started).toEqual(['a', 'c']);
});
