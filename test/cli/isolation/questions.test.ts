import { cache, deployment, lockedTeams, service } from './fleet';

const MODEL = 'modelCacheRef: { name: model }';
const WRONG = { 'fleet/a.yaml': deployment('a/q', { template: MODEL, count: 'many' }) };
const FAULT = 'fleet/a.yaml:13:61: expected a number';

interface Case {
  readonly command: string;
  readonly inGit?: true;

  /** A part of the answer. */
  readonly want: string;
}

const QUESTIONS: Record<string, Case> = {
  'what remains without a cluster': { command: 'survive ./fleet', want: 'b/r' },
  'what a loss would change': { command: 'what-if ./fleet --scale b/r=2', want: 'b/r' },
  'why a deployment of another team is where it is': { command: 'explain b/r ./fleet', want: 'b/r' },
  'why a deployment is where it is, from its earlier declaration': {
    command: 'explain a/q ./fleet',
    inGit: true,
    want: 'a/q',
  },
};

test.each(Object.entries(QUESTIONS))(
  'an error of one team leaves an answer to %s',
  (_, { command, inGit = false, want }) => {
    const { code, out, err } = lockedTeams(inGit).write(WRONG).run(command);
    expect([code, err]).toEqual([1, expect.stringContaining(FAULT)]);
    expect(out).toContain(want);
  },
);

test.each(Object.entries(QUESTIONS))('the JSON about %s has the errors', (_, { command, inGit = false }) => {
  const { out } = lockedTeams(inGit).write(WRONG).run(`${command} --json`);
  const { problems } = JSON.parse(out) as { readonly problems: readonly object[] };
  expect(problems).toContainEqual(expect.objectContaining({ where: 'fleet/a.yaml:13:61' }));
});

test.each(['', ' --quiet'])(
  'an explanation of an earlier declaration begins with what is wrong with the later%s',
  (flag) => {
    const { out } = lockedTeams(true).write(WRONG).run(`explain a/q ./fleet${flag}`);
    expect(out).toMatch(
      /^a\/q: refused: expected a number, got .*; below is what runs today\na\/q: 1 of 1 replica has a place/,
    );
  },
);

test.each(['service/a/chat', 'cache/a/model'])('so does one of %s', (part) => {
  const wrong = {
    'fleet/a-service.yaml': service('a/chat', 'r'),
    'fleet/a-cache.yaml': cache('a/model', 'sizeGiB: many'),
  };
  const { out } = lockedTeams(true).write(wrong).run(`explain ${part} ./fleet`);
  expect(out).toMatch(/^a\/(?:chat|model): refused: .*; below is what runs today\n/);
});

test('a deployment of which only the wrong declaration is known is explained by its errors', () => {
  const { code, out, err } = lockedTeams(false).write(WRONG).run('explain a/q ./fleet');
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(FAULT);
});
