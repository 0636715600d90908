import type { Resource } from '../../../src/api/kinds';
import { comparisonBlocks } from '../../../src/report/diff/diff-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { formatPlan } from '../../../src/report/plan/plan-text';
import { aClass, aCluster, aDeployment, aMember, anEngine } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, decided, H100, to } from '../../routing/build';

const COMMAND = 'fleetwright plan fleet --against main --all';

/** The lines of a comparison that have one of the words, in the terminal. */
function lines(before: Resource[], after: Resource[], { all = false } = {}): string[] {
  const view = { all, command: COMMAND, each: all ? undefined : COMMAND, diff: diff(before, after) };
  const { plan } = state('here', after).decision;
  return terminalLines(comparisonBlocks(plan, view, all ? undefined : COMMAND));
}

const chat = (at: number, replicas: number, tag: string): Resource => {
  const containers = [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['--model=a'] }];
  const members = [aMember({ gpus: 1, template: { spec: { containers } } })];
  return aDeployment(`ml/q${at}`, { replicas, engines: [anEngine('main', { members })] });
};
const many = (count: number, of: (at: number) => Resource): Resource[] =>
  Array.from({ length: count }, (_, at) => of(at));
const hardware = (nodeCount: number): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount } } }),
];
const clusters = (count: number, nodeCount: number): Resource[] => [
  aClass('h100'),
  ...many(count, (at) => aCluster(`c${at}`, { pools: { h100: { nodeCount } } })),
];
const labelled = (app: string): Resource => aModel(`ml/${app}`, { replicaLabels: { app } });
const services = (count: number, canary: boolean): Resource[] => [
  H100,
  aSite('us', { pools: { h100: 20 } }),
  aDoor(['us']),
  ...many(count, (at) => labelled(`a${at}`)),
  ...many(count, (at) => labelled(`b${at}`)),
  ...many(count, (at) => {
    const stable = to({ app: `a${at}` }, { weight: 90 });
    return aSplit(`ml/s${at}`, canary ? [stable, to({ app: `b${at}` }, { weight: 10 })] : [stable]);
  }),
];

/** One model behind a service, with a replica on each of many clusters. */
const spread = (count: number, tag: string, weight = 1): Resource[] => {
  const names = Array.from({ length: count }, (_, at) => `c${at}`);
  const template = {
    spec: { containers: [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['--model=a'] }] },
  };
  const engines = [{ name: 'main', members: [aMember({ gpus: 1, template })] }];
  return [
    H100,
    ...names.map((name) => aSite(name, { pools: { h100: 2 } })),
    aDoor(names.slice(0, 1)),
    aModel('ml/a', { replicas: count, replicaLabels: { app: 'a' }, engines }),
    aModel('ml/b', { replicas: 1, replicaLabels: { app: 'b' } }),
    aSplit('ml/s', [to({ app: 'a' }, { weight: 9 }), to({ app: 'b' }, { weight })]),
  ];
};

const rolled = (count: number, tag: string): Resource[] => [...hardware(8), ...many(count, (at) => chat(at, 2, tag))];

const rows: Record<string, { before: Resource[]; after: Resource[]; all?: boolean; want: string[]; not?: string }> = {
  'a change of many deployments says each edit, action and warning once': {
    before: rolled(20, 'v0.11.0'),
    after: rolled(20, 'v0.12.0'),
    want: [
      '  ~ 20 of kind ModelDeployment: ml/q0, ml/q1, ml/q10, 17 more   ',
      '      containers[engine].image: vllm/vllm-openai:v0.11.0 -> vllm/vllm-openai:v0.12.0',
      '  20 deployments: ml/q0, ml/q1, ml/q10, 17 more   40 replicas',
      '    40 restarted, 1 of each deployment at a time, each up to 63 min: v0.11.0 -> v0.12.0',
      '    serving during rollout: all but 1 of each, 0 where all are replaced at once',
      `  Each change: '${COMMAND}'.`,
    ],
    not: 'rolled in place, wave',
  },
  'a change of few deployments lists each': {
    before: rolled(12, 'v0.11.0'),
    after: rolled(12, 'v0.12.0'),
    want: ['  ml/q0   2 replicas; at least 1 serves during rollout, 0 where all are replaced at once'],
    not: '12 deployments',
  },
  'all is asked for: each is listed, however many there are': {
    before: rolled(20, 'v0.11.0'),
    after: rolled(20, 'v0.12.0'),
    all: true,
    want: ['  ml/q19   2 replicas; at least 1 serves during rollout, 0 where all are replaced at once'],
    not: 'more like it',
  },
  'of many edits of one field to other values, the first is shown': {
    before: [...hardware(20), ...many(20, (at) => chat(at, 1, 'v1'))],
    after: [...hardware(20), ...many(20, (at) => chat(at, 1, `v2-${at}`))],
    want: ['  19 more like it: ml/q1, ml/q10, ml/q11, 16 more'],
  },
  'of many outages the first is shown': {
    before: [...hardware(20), ...many(20, (at) => chat(at, 1, 'v1'))],
    after: [...hardware(20), ...many(20, (at) => chat(at, 1, 'v2'))],
    want: ['19 more like it: ml/q1, ml/q10, ml/q11, 16 more'],
  },
  'clusters of which as many objects change share a line': {
    before: [...clusters(20, 4), ...many(40, (at) => chat(at, 2, 'v1'))],
    after: [...clusters(20, 4), ...many(40, (at) => chat(at, 2, 'v2'))],
    want: ['  objects on 20 clusters: c0, c1, c10, 17 more   4 changed on each'],
    not: 'objects on c0 ',
  },
  'replicas that lose their places are one row, whichever clusters they were on, with the reason once': {
    before: [...clusters(20, 1), ...many(100, (at) => chat(at, 1, 'v1'))],
    after: [...clusters(20, 0), ...many(100, (at) => chat(at, 1, 'v1'))],
    want: ['    100 evicted: no place any more', '  99 more like it: ml/q1, ml/q10, ml/q11, 96 more'],
    not: 'ml/q50   ',
  },
  'replicas of one deployment to which the same happens are one row, with the cause once': {
    before: spread(20, 'v1'),
    after: spread(20, 'v2'),
    want: [
      expect.stringMatching(
        /^ {4}~ 20 replicas on 20 clusters {3}rolled in place, 1 at a time, stops .*; because ModelDeployment ml\/a .*: vllm\/vllm-openai:v1 -> vllm\/vllm-openai:v2 /,
      ),
      `  Each change: '${COMMAND}'.`,
    ],
    not: 'c5/0',
  },
  'clusters whose shares change alike are one line': {
    before: spread(20, 'v1'),
    after: spread(20, 'v1', 3),
    want: ['        ~ on each of 20 clusters: 4.5 % -> 3.8 %'],
    not: 'on c5:',
  },
  'all is asked for: each replica and each share is listed': {
    before: spread(20, 'v1'),
    after: spread(20, 'v2', 3),
    all: true,
    want: [expect.stringContaining('    ~ c5/0   '), '        ~ on c5: 4.5 % -> 3.8 %'],
    not: '20 clusters',
  },
  'services whose shares change alike are counted below the first': {
    before: services(20, false),
    after: services(20, true),
    want: ['    + ml/b0 on us: 10 %, 1 replica', '  19 more like it: ml/s1, ml/s10, ml/s11, 16 more'],
    not: 'routes of ml/s5',
  },
};

test.each(Object.entries(rows))('%s', (_, { before, after, all = false, want, not }) => {
  const shown = lines(before, after, { all });
  expect(shown).toEqual(expect.arrayContaining(want));
  if (not !== undefined) expect(shown.join('\n')).not.toContain(not);
});

test('a plan of many deployments that get places counts them, with the command that lists each', () => {
  const { plan } = decided(aCluster('us', { pools: { h100: 5 } }), ...many(20, (at) => chat(at, 2, 'v1')));
  expect(formatPlan(plan, 'fleet')).toContain(`
  20 deployments: ml/q0, ml/q1, ml/q10, 17 more   40 replicas
    + 40 placed on us   pool h100: 1 gpu each

Each deployment: 'fleetwright plan fleet --all'.
`);
});

test('a first plan of many clusters counts replicas, shares and what must exist, with the command that lists each', () => {
  const { plan } = decided(...spread(20, 'v1'));
  const text = formatPlan(plan, 'fleet');
  expect(text).toContain(`
  ml/a   20 replicas
    + 20 placed on 20 clusters   pool h100: 1 gpu each
`);
  expect(text).toContain("\nEach replica: 'fleetwright plan fleet --all'.\n");
  expect(text).toContain('\n    90 %   ml/a on 20 clusters (20 replicas)\n');
});
