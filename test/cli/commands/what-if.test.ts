import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
  work.run('lock ./');
});
afterEach(() => work.remove());

const bad: Record<string, { fleet?: string; args: string; want: string }> = {
  'a cluster that is not there': {
    args: '--drain su',
    want: "--drain su: there is no cluster 'su'. Did you mean 'us'?",
  },
  'a pool in place of a cluster to drain': {
    args: '--drain us/h100',
    want: "--drain us/h100: there is no cluster 'us/h100'. To take away a node of this pool, use --add-nodes us/h100=-1 (in a file: addNodes).",
  },
  'a pool in place of a cluster that fails': {
    args: '--lose us/h100',
    want: "--lose us/h100: there is no cluster or failure domain 'us/h100'. To take away a node of this pool, use --add-nodes us/h100=-1 (in a file: addNodes).",
  },
  'a pool that is not there': {
    args: '--remove-pool us/h200',
    want: "--remove-pool us/h200: there is no pool 'us/h200'. Did you mean 'us/h100'?",
  },
  'a pool by its name alone': {
    args: '--remove-pool h100',
    want: "--remove-pool h100: there is no pool 'h100'. Did you mean 'us/h100'?",
  },
  'a pool with more behind it': {
    args: '--remove-pool us/h100/x',
    want: "--remove-pool us/h100/x: there is no pool 'us/h100/x'. Did you mean 'us/h100'?",
  },
  'a deployment by its name alone': {
    args: '--scale q=2',
    want: "--scale q=2: there is no deployment 'q'. Did you mean 'ml/q'?",
  },
  'a difference in place of the number of replicas': {
    args: '--scale ml/q=+4',
    want: "--scale ml/q=+4: '+4' is not a number of replicas. Write how many there are then, not the difference, from 0 to 1000.",
  },
  'a name that is near to none': {
    args: '--lose somewhere',
    want: "--lose somewhere: there is no cluster or failure domain 'somewhere'. Use one of Existing, us.",
  },
  'a failure domain in place of a cluster, misspelled': {
    args: '--lose Existng',
    want: "--lose Existng: there is no cluster or failure domain 'Existng'. Did you mean 'Existing'?",
  },
  'a failure domain with its label in place of a cluster, misspelled': {
    args: '--lose provider=Existng',
    want: "--lose provider=Existng: there is no cluster with provider 'Existng'. Did you mean 'Existing'?",
  },
  'the beginning of a name': {
    args: '--remove-pool us/h',
    want: "--remove-pool us/h: there is no pool 'us/h'. Did you mean 'us/h100'?",
  },
  'a deployment where there is none': {
    fleet: SMALL.slice(0, SMALL.lastIndexOf('---')),
    args: '--scale x=1',
    want: "--scale x=1: there is no deployment 'x'. Write NAMESPACE/DEPLOYMENT.",
  },
  'a domain that no cluster is in': {
    args: '--lose-domain rgion=eu',
    want: "--lose-domain rgion=eu: there is no failure domain 'rgion'. Did you mean 'region'?",
  },
  'a value that no cluster has': {
    args: '--lose-domain provider=Existng',
    want: "--lose-domain provider=Existng: there is no cluster with provider 'Existng'. Did you mean 'Existing'?",
  },
  'a domain without a value': {
    args: '--lose-domain region',
    want: "--lose-domain region: 'region' is not DOMAIN=VALUE. Write DOMAIN=VALUE: region=us-east1.",
  },
  'no number': {
    args: '--add-nodes us/h100=many',
    want: "--add-nodes us/h100=many: 'many' is not a number of nodes. Write it after '=', from -10000 to 10000, and not 0.",
  },
  'no nodes': {
    args: '--add-nodes us/h100=0',
    want: "--add-nodes us/h100=0: '0' is not a number of nodes. Write it after '=', from -10000 to 10000, and not 0.",
  },
  'fewer nodes than none': {
    args: '--add-nodes us/h100=-9',
    want: '--add-nodes us/h100=-9: us/h100 has 2 nodes. Remove 2 or fewer.',
  },
  'more replicas than a deployment may have': {
    args: '--scale ml/q=1001',
    want: "--scale ml/q=1001: '1001' is not a number of replicas. Write it after '=', from 0 to 1000.",
  },
  'a price that is missing': {
    args: '--price us/h100',
    want: "--price us/h100: 'us/h100' lacks a price. Write it after '=', from 0 to 1000000000.",
  },
  'nothing at all': {
    args: '',
    want: 'what-if: no event or change is given. Use --price, --add-nodes, --scale, --scale-engine, --remove-pool, --drain, --lose, --lose-domain or --scenarios FILE.',
  },
  'all mistakes at once': {
    args: '--drain su --lose su',
    want: "--drain su: there is no cluster 'su'. Did you mean 'us'?\n--lose su: there is no cluster or failure domain 'su'. Did you mean 'us'?",
  },
};

describe('what-if', () => {
  test('reports what would change, and writes nothing', () => {
    const before = work.files();
    const { code, out } = work.run('what-if ./ --scale ml/q=2 --drain us');
    expect(out).toMatch(/^What if: scale ml\/q=2, drain us\n\n {2}ml\/q {3}0 of 2 replicas have a place\n/);
    expect(code).toBe(3);
    expect(work.files()).toEqual(before);
  });

  test.each(['Existing', 'provider=Existing'])('loses all clusters of the failure domain %s', (domain) => {
    const { code, out } = work.run(`what-if ./ --lose ${domain}`);
    expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining('- us/0   the cluster fails') });
  });

  test('is fine where every replica has a place', () => {
    expect(work.run('what-if ./ --scale ml/q=2').code).toBe(0);
  });

  test('names what plan refuses after the change, and exits as it does', () => {
    work.write({ 'fleet.yaml': SMALL.replace('  replicas: 1\n', '  replicas: 1\n  rollout: { surge: 1 }\n') });
    expect(work.run('lock ./').code).toBe(0);
    const scenario = 'what-if ./ --add-nodes us/h100=-1';
    const { code, out } = work.run(scenario);
    expect(out).toMatch(
      /\nPlan: 1 error would stop this\.\n {2}fleet\.yaml:32:21: there is no room for the surge on us\/h100: .*\nTotal: 1 keeps its place\.\n$/,
    );
    expect(code).toBe(1);
    expect(work.run(`${scenario} --quiet`).out).toBe('add-nodes us/h100=-1: 1 keeps its place; 1 error.\n');
    const { problems, outcomes } = JSON.parse(work.run(`${scenario} --json`).out);
    expect(problems).toBeUndefined();
    expect(outcomes).toMatchObject([{ problems: [{ where: 'fleet.yaml:32:21', code: 'no-surge-room' }] }]);
  });

  test('--quiet leaves a line a scenario', () => {
    work.write({ 's.yaml': 'scenarios: [{ name: loss, lose: [us] }]\n' });
    const { code, out } = work.run('what-if ./ --scale ml/q=2 --scenarios ./s.yaml --quiet');
    expect(out).toBe('scale ml/q=2: 1 placed, 1 keeps its place.\nloss: 1 removed, 1 does not fit.\n');
    expect(code).toBe(3);
  });

  test('gives all of it as one JSON document', () => {
    const { out } = work.run('what-if ./ --lose us --json');
    expect(JSON.parse(out)).toMatchObject({
      kind: 'WhatIf',
      version: 1,
      outOfDate: false,
      outcomes: [
        {
          scenario: 'lose us',
          steps: [{ kind: 'lose', cluster: 'us' }],
          totals: { remove: 1, unplaced: 1 },
          deployments: [{ deployment: 'ml/q', shortfall: { missing: 1 } }],
          cost: { before: { least: { unknown: 1 } }, after: { least: { perHour: 0 } } },
        },
      ],
    });
  });

  test('reads several scenarios from a file, next to that of the flags', () => {
    work.write({
      'what/scenarios.yaml': `scenarios:
  - name: more
    scale: [ml/q=2]
    addNodes: [us/h100=1]
  - { name: loss, loseDomain: [provider=Existing] }
`,
    });
    const { out } = work.run(
      'what-if fleet.yaml --lose us --scenarios ./what/scenarios.yaml'.replace(' fleet', ' ./fleet'),
    );
    expect(out.match(/^What if: .*$/gm)).toEqual(['What if: lose us', 'What if: more', 'What if: loss']);
  });

  test('takes a file of scenarios from the folder of the fleet', () => {
    work.write({ 'scenarios.yaml': 'scenarios: [{ name: loss, lose: [us] }]\n' });
    const { code, out, err } = work.run('what-if ./ --scenarios ./scenarios.yaml');
    expect({ code, err, first: out.split('\n')[0] }).toEqual({ code: 3, err: '', first: 'What if: loss' });
    expect(work.run('validate ./').out.split('\n')[0]).toBe('3 resources in .: all valid.');
  });

  test.each(Object.entries(bad))('refuses %s', (_, { fleet = SMALL, args, want }) => {
    work.write({ 'fleet.yaml': fleet });
    const { code, out, err } = work.run(`what-if ./ ${args}`.trim());
    expect(err).toBe(`${want}\n`);
    expect(out).toBe('');
    expect(code).toBe(1);
  });

  test('says where a file of scenarios is wrong', () => {
    work.write({
      'what/scenarios.yaml': `scenarios:
  - name: a
    drain: [us]
    lose: [us, su]
    addNode: [us/h100=1]
`,
    });
    const { code, err } = work.run('what-if ./fleet.yaml --scenarios ./what/scenarios.yaml');
    expect(err).toBe(`what/scenarios.yaml:5:5: unknown field 'addNode'. Use 'addNodes'.
`);
    expect(code).toBe(1);
    work.write({ 'what/scenarios.yaml': 'scenarios:\n  - name: a\n    lose: [us, su]\n' });
    expect(work.run('what-if ./fleet.yaml --scenarios ./what/scenarios.yaml').err).toBe(
      "what/scenarios.yaml:3:16: there is no cluster or failure domain 'su'. Did you mean 'us'?\n",
    );
  });

  test('refuses a scenario in which nothing happens, next to what is wrong with others', () => {
    work.write({ 's.yaml': 'scenarios:\n  - { name: a, drain: [] }\n  - { name: b, lose: [su] }\n' });
    const { code, out, err } = work.run('what-if ./fleet.yaml --scenarios ./s.yaml');
    expect(
      err,
    ).toBe(`s.yaml:2:5: scenario 'a' has no change to examine. Set one of price, addNodes, scale, scaleEngine, removePool, drain, lose, loseDomain.
s.yaml:3:23: there is no cluster or failure domain 'su'. Did you mean 'us'?
`);
    expect([code, out]).toEqual([1, '']);
  });
});
