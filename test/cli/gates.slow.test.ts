import { SMALL } from './cli';
import { HALF, Repository } from './repository';

const SETTINGS = `apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata: { name: main }
spec: { policies: ./policy.yaml }
`;
const RULES = {
  digests: '  - { name: digests, pinnedImages: true }\n',
  calm: '  - { name: calm, moves: { most: 0 } }\n',
  hint: '  - { name: hint, pinnedImages: true, effect: Warn }\n',
};
const rules = (...names: (keyof typeof RULES)[]): string => `rules:\n${names.map((name) => RULES[name]).join('')}`;
const NEWER = SMALL.replace('v0.23.0', 'v0.24.0');
const TWICE = SMALL.replace('replicas: 1', 'replicas: 2');
const [CLASS = '', CLUSTER = '', MODEL = ''] = TWICE.split('---\n');
/** A replica on each of two clusters. */
const TWO_CLUSTERS = [CLASS, CLUSTER, CLUSTER.replace(/\bus\b/g, 'eu'), MODEL].join('---\n');
/** Two replicas on each of two clusters, of which three must serve. */
const FOUR = TWO_CLUSTERS.replace('replicas: 2', 'replicas: 4\n  minAvailable: 3');
const RECREATED = (text: string): string =>
  text.replace('spec:\n  replicas', 'spec:\n  rollout: { strategy: Recreate }\n  replicas');

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

/** What stands below the totals of a plan. */
function verdictOf(out: string): string {
  return out.slice(out.search(/^(?:Total|Survive): /m)).replace(/^.*\n/, '');
}

describe('rules of the fleet end a plan with what they say', () => {
  const cases: Record<string, { policy: string; want: string }> = {
    'all are met': { policy: rules('calm'), want: 'Policies: 1 of 1 met.\n' },
    'one denies': { policy: rules('calm', 'digests'), want: 'Policies: 1 of 2 met; denied by digests.\n' },
    'one warns': { policy: rules('calm', 'hint'), want: 'Policies: 1 of 2 met; warned by hint.\n' },
    'one denies and one warns': {
      policy: rules('hint', 'digests'),
      want: 'Policies: 0 of 2 met; denied by digests; warned by hint.\n',
    },
    'there are none': { policy: 'rules: []\n', want: '' },
  };
  test.each(Object.entries(cases))('%s', (_, { policy, want }) => {
    work.write({ 'fleet.yaml': SMALL, 'settings.yaml': SETTINGS, 'policy.yaml': policy });
    expect(verdictOf(work.run('plan ./').out)).toBe(want);
    expect(verdictOf(work.run('plan ./ --quiet').out)).toBe(want);
  });

  test('and what is locked and written', () => {
    work.write({ 'fleet.yaml': SMALL, 'settings.yaml': SETTINGS, 'policy.yaml': rules('calm', 'hint') });
    const locked = work.run('lock ./');
    expect(locked.out).toContain('\nPolicies: 1 of 2 met; warned by hint.\n');
    expect(locked.err).toBe('');
    expect(work.run('synth ./ --out ./out').out).toMatch(/^Policies: 1 of 2 met; warned by hint\.\n/);
    for (const quiet of ['lock ./ --quiet', 'synth ./ --out ./out --quiet']) {
      expect(work.run(quiet)).toEqual({ code: 0, out: '', err: '' });
    }
  });
});

test('what moves counts since the state that is compared with, also where the lock has it', () => {
  work.locked(SMALL);
  work.write({ 'fleet.yaml': HALF });
  expect(work.run('lock ./')).toMatchObject({ code: 0 });
  work.write({ 'settings.yaml': SETTINGS, 'policy.yaml': rules('calm') });
  expect(verdictOf(work.run('plan ./').out)).toBe('Policies: 1 of 1 met.\n');
  const { code, out } = work.run('plan ./ --against main --allow-dirty');
  expect(out).toMatch(/denied by calm: policy.yaml:2:5: 1 replica moves, .*, and the limit for one change is 0\.\n/);
  expect(verdictOf(out)).toBe('Policies: 0 of 1 met; denied by calm.\n');
  expect(code).toBe(4);
});

describe('a gate ends a plan with what it says', () => {
  const cases: Record<string, { was: string; is: string; flags?: string; want: string; heading: string }> = {
    'all go on serving': {
      was: TWICE,
      is: TWICE.replace('v0.23.0', 'v0.24.0'),
      want: 'Gate: passed for Pulumi, which applies clusters in waves; with Flux or kubectl 1 deployment would go down: see --no-waves.\n',
      heading: 'the gate passes, except with Flux or kubectl',
    },
    'a replica is added, which no tool does another way': {
      was: SMALL,
      is: TWICE,
      want: 'Gate: passed.\n',
      heading: 'the gate passes, but the lock is out of date',
    },
    'fewer would serve than the deployment asks for where clusters are applied independently': {
      was: FOUR,
      is: FOUR.replace('v0.23.0', 'v0.24.0'),
      want: 'Gate: passed for Pulumi, which applies clusters in waves; with Argo CD too few replicas of 1 deployment would serve: see --independent-clusters; with Flux or kubectl 1 deployment would go down: see --no-waves.\n',
      heading: 'the gate passes, except with Argo CD, Flux, or kubectl',
    },
    'no one would serve without waves': {
      was: TWICE,
      is: TWICE.replace('v0.23.0', 'v0.24.0'),
      flags: ' --no-waves',
      want: 'Gate: refused, 1 problem.\n',
      heading: 'refused, 1 problem',
    },
    'no one would serve where clusters are applied independently': {
      was: TWO_CLUSTERS,
      is: TWO_CLUSTERS.replace('v0.23.0', 'v0.24.0'),
      flags: ' --independent-clusters',
      want: 'Gate: refused, 1 problem.\n',
      heading: 'refused, 1 problem',
    },
    'one would serve where one cluster is applied after the other': {
      was: TWO_CLUSTERS,
      is: TWO_CLUSTERS.replace('v0.23.0', 'v0.24.0'),
      want: 'Gate: passed for Pulumi, which applies clusters in waves; with Argo CD, Flux or kubectl 1 deployment would go down: see --independent-clusters, --no-waves.\n',
      heading: 'the gate passes, except with Argo CD, Flux, or kubectl',
    },
    'no one would serve': {
      was: SMALL,
      is: NEWER,
      want: 'Gate: refused, 1 problem.\n',
      heading: 'refused, 1 problem',
    },
    'no one would serve, and that is asked for': {
      was: RECREATED(SMALL),
      is: RECREATED(NEWER),
      want: "Gate: passed; 1 deployment with 'rollout: Recreate' has downtime of about 3 to 17 minutes.\n",
      heading: "the gate passes, because 'rollout: Recreate' accepts downtime of about 3 to 17 minutes",
    },
  };
  test.each(Object.entries(cases))('%s', (_, { was, is, flags = '', want, heading }) => {
    work.locked(was);
    work.write({ 'fleet.yaml': is });
    const args = `plan ./ --against main --allow-dirty --gate${flags}`;
    expect(verdictOf(work.run(args).out)).toBe(want);
    expect(headingOf(work.run(`${args} --markdown`).out)).toBe(heading);
    expect(verdictOf(work.run('plan ./ --against main --allow-dirty').out)).toBe('');
  });
});

/** What the heading of a comment says of the gate. */
function headingOf(out: string): string {
  const [, sign, verdict = ''] = /^### (:x: )?Fleet `\.` against `main`: (.*)$/m.exec(out) ?? [];
  expect(sign !== undefined).toBe(verdict.startsWith('refused'));
  return verdict;
}

const DOWN = 'with **downtime of about 3 to 17 minutes**. Cost';

const ABOUT = 'about 3 to 17 min';

/** The same numbers, however the change is applied. */
const SERVING = 'Pulumi: ≥ 1 of 2<br>Argo CD, Flux, kubectl: 0';

test.each([
  ['wave by wave', '', ' one replica after the other, cluster by cluster. Cost', `| ${SERVING} |`],
  ['cluster by cluster on their own', ' --independent-clusters', DOWN, `| :warning: ${SERVING} |`],
  ['all at once', ' --no-waves', DOWN, `2 at a time, each ${ABOUT}: v0.23.0 → v0.24.0 | :warning: ${SERVING} |`],
])('a comment counts what serves where clusters are applied %s', (_, flags, headline, cell) => {
  work.locked(TWO_CLUSTERS);
  work.write({ 'fleet.yaml': TWO_CLUSTERS.replace('v0.23.0', 'v0.24.0') });
  const { out } = work.run(`plan ./ --against main --allow-dirty --gate --markdown${flags}`);
  expect(out).toContain(headline);
  expect(out).toContain(cell);
});

test('a comment says whose memory is not checked', () => {
  const unknown = SMALL.replace('Qwen/Qwen3-8B', 'acme/coder');
  work.locked(unknown);
  work.write({
    'fleet.yaml': unknown
      .replace('                    count: 8', '                    count: 4')
      .replace('-tp=8', '-tp=4'),
  });
  const { out } = work.run('plan ./ --against main --allow-dirty --gate --markdown');
  expect(out).toContain(
    "Memory of ml/q is not checked: the model catalog has no 'acme/coder' \\(edit 1\\). Check that",
  );
});

test('a comment warns of clusters that are applied independently, unless the gate refuses that', () => {
  work.locked(TWO_CLUSTERS);
  work.write({ 'fleet.yaml': TWO_CLUSTERS.replace('v0.23.0', 'v0.24.0') });
  const args = 'plan ./ --against main --allow-dirty --gate --markdown';
  const warning = '0 replicas of ml/q serve if clusters are applied independently, as with Argo CD (edit 1). Apply one';
  const [head = '', ...folds] = work.run(args).out.split('<details>');
  expect(folds.join('')).toContain(warning);
  // The table has it.
  expect([head.includes('Argo CD, Flux, kubectl: 0'), head.includes('independently')]).toEqual([true, false]);
  expect(work.run(`${args} --independent-clusters`).out).not.toContain(warning);
});

/** A document of the deployment `q` under another name. */
function renamed(name: string, text: string): string {
  return `---\n${text.replace('name: q\n', `name: ${name}\n`)}`;
}

test('a gate has one line for many findings of one kind, and does not cut the only one of another', () => {
  const names = Array.from({ length: 25 }, (_, i) => `q${i + 10}`);
  const roomy = `${CLASS}---\n${CLUSTER.replace('nodeCount: 2', 'nodeCount: 30')}`;
  const fleet = (text: string): string => `${roomy}${names.map((name) => renamed(name, text)).join('')}`;
  const one = MODEL.replace('replicas: 2', 'replicas: 1');
  const later = one.replace('v0.23.0', 'v0.24.0');
  work.locked(fleet(one));
  work.write({ 'fleet.yaml': fleet(later).replace('Qwen/Qwen3-8B', 'Qwen/Qwen3-4B') });
  const { out, err } = work.run('plan ./ --against main --allow-dirty --gate --markdown');
  expect(out.match(/^- :x: .*/gm)).toEqual([
    expect.stringMatching(/^- :x: \*\*25 deployments: ml\/q10 has .*\*\*$/),
    expect.stringContaining("ModelDeployment ml/q10: the model 'Qwen/Qwen3-8B' is no longer served"),
  ]);
  expect(err.match(/^refused: /gm)).toHaveLength(2);
});

describe('a gate refuses a change that removes most replicas', () => {
  const [hardware = '', cluster = '', deployment = ''] = SMALL.split('---\n');
  const larger = cluster.replace('nodeCount: 2', 'nodeCount: 9');
  const CLASSES = `${hardware}---\n${larger}`;
  const FOUR = deployment.replace('replicas: 1', 'replicas: 4');
  const LOST =
    '3 of the 4 replicas in the lock would be removed. If a file or a part of a file is missing, restore it; if the removal is intended, add --accept-removals to plan --gate';
  const ARGS = 'plan ./ --against main --allow-dirty --gate';
  const locked = (): void => {
    work.locked(`${CLASSES}---\n${FOUR}`);
    work.write({ 'fleet.yaml': SMALL });
  };

  test('while the lock still holds them', () => {
    locked();
    const { code, out, err } = work.run(ARGS);
    expect({ code, err }).toEqual({ code: 4, err: `refused: ${LOST}.\n` });
    expect(verdictOf(out)).toBe('Gate: refused, 1 problem.\n');
    expect(work.run(`${ARGS} --markdown`).out).toContain(
      `\n- :x: **${LOST.replace('. If', '.**\n  If')} (in workflows that \`fleetwright init\` writes: the label \`accept-removals\` on the pull request).\n`,
    );
  });

  test('also once the lock of the change has lost them', () => {
    locked();
    expect(work.run('lock ./ --accept-removals').code).toBe(0);
    expect(work.run(ARGS)).toMatchObject({ code: 4, err: `refused: ${LOST}.\n` });
  });

  test('and passes with --accept-removals, which is for the gate alone', () => {
    locked();
    expect(work.run(`${ARGS} --accept-removals`)).toMatchObject({ code: 0, err: '' });
    expect(work.run('plan ./ --against main --allow-dirty --accept-removals').err).toContain(
      '--accept-removals needs --gate. Add --gate.',
    );
  });
});

describe('a required number of replicas ends survival with what it says', () => {
  const cases: Record<string, { text: string; flags: string; want: string }> = {
    'too few stay': {
      text: SMALL,
      flags: ' --require 1',
      want: 'Gate: refused; fewer than 1 replica right after a loss for 1 of 1 deployment.\n',
    },
    'enough stay': {
      text: `${SMALL.split('---\n')[0]}---\n${SMALL.split('---\n')[1]}`,
      flags: ' --require 2',
      want: 'Gate: passed; at least 2 replicas right after a loss for each of 0 deployments.\n',
    },
    'none is required': { text: SMALL, flags: ' --require 0', want: '' },
  };
  test.each(Object.entries(cases))('%s', (_, { text, flags, want }) => {
    work.write({ 'fleet.yaml': text });
    expect(verdictOf(work.run(`survive ./${flags}`).out)).toBe(want);
  });
});

/** The reasons to refuse a change, at the top of a comment. */
function top(out: string): string {
  const lines = out.split('\n');
  return lines
    .slice(4, lines.indexOf('', 4))
    .filter((line) => line.startsWith('- :x:'))
    .join('\n');
}

const outOfDate = (lock: string, args = '.'): string =>
  `- :x: \`${lock}\` is out of date, so \`fleetwright lock ${args} --check\` fails. Run \`fleetwright lock ${args}\`, and commit the lock.`;

const double = (): Repository => work.write({ 'fleet.yaml': TWICE });

describe('a comment lists below its first sentence why the change is refused', () => {
  const cases: Record<string, { change: () => void; flags?: string; want: string }> = {
    'a lock that is out of date': { change: double, want: outOfDate('fleet.lock.yaml') },
    'a lock that is not there': {
      change: () => work.git('rm', '-q', 'fleet.lock.yaml'),
      want: '- :x: There is no `fleet.lock.yaml` yet, so `fleetwright lock . --check` fails. Run `fleetwright lock .`, and commit the lock.',
    },
    'another lock that is out of date': {
      change: () => work.write({ 'fleet.yaml': TWICE, 'my.lock': work.read('fleet.lock.yaml') }),
      flags: ' --lock ./my.lock',
      want: outOfDate('my.lock', '. --lock my.lock'),
    },
    'a lock of a name that a shell would take apart': {
      change: () => work.write({ 'fleet.yaml': TWICE, '$1.lock': work.read('fleet.lock.yaml') }),
      flags: ' --lock ./$1.lock',
      want: outOfDate('$1.lock', ". --lock '$1.lock'"),
    },
    'rules that deny': {
      change: () => work.write({ 'settings.yaml': SETTINGS, 'policy.yaml': rules('hint', 'digests') }),
      want: '- :x: **denied by digests: fleet.yaml:46:46: container engine of ml/q runs vllm/vllm-openai:v0.23.0, without a digest.**',
    },
    'nothing where all is well': { change: () => undefined, want: '' },
    'nothing of a lock that is not read': { change: double, flags: ' --from main', want: '' },
  };
  test.each(Object.entries(cases))('%s', (_, { change, flags = '', want }) => {
    work.locked(SMALL);
    change();
    const { out } = work.run(`plan ./ --against main --allow-dirty --markdown${flags}`);
    expect(top(out)).toBe(want);
  });

  test('errors of the whole fleet are a comment of their own, as well as on standard error', () => {
    work.locked(SMALL);
    work.write({ 'settings.yaml': SETTINGS.replace('policies: ./policy.yaml', 'nope: 1') });
    const { out, err } = work.run('plan ./ --against main --allow-dirty --markdown');
    expect(out).toMatch(
      /^### :x: Fleet `\.` against `main`: refused, 1 problem \\\(the input has errors\\\)\n\n\*\*Refused as a whole: .*\*\*\n\n- :x: settings\.yaml:/,
    );
    expect(err).toContain('settings.yaml:');
  });

  test('and rules that warn are reported below', () => {
    work.locked(SMALL);
    work.write({ 'settings.yaml': SETTINGS, 'policy.yaml': rules('hint', 'digests') });
    const { out } = work.run('plan ./ --against main --allow-dirty --markdown');
    expect(out).toContain('\n- :warning: warned by hint: fleet.yaml:46:46: container');
    expect(out).toContain('\nPolicies: 0 of 2 met; denied by digests; warned by hint.\n');
  });
});
