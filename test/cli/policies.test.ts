import { SMALL, Workspace } from './cli';

const SETTINGS = `apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata:
  name: main
spec:
  policies: ./policy.yaml
`;
const rules = (text: string) => `rules:\n  - name: digests\n    ${text}\n`;

const quota = (most: number, effect = 'Deny') => rules(`deviceQuota: { most: ${most} }\n    effect: ${effect}`);

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL, 'settings.yaml': SETTINGS });
});
afterEach(() => work.remove());

describe('a rule that denies', () => {
  beforeEach(() => void work.write({ 'policy.yaml': rules('pinnedImages: true') }));
  const LINE =
    'denied by digests: fleet.yaml:46:46: container engine of ml/q runs vllm/vllm-openai:v0.23.0, without a digest.\n';

  test('is reported by the plan with its name and place, which exits with 4', () => {
    const { code, out } = work.run('plan ./');
    expect(out).toContain(`\n${LINE}\n`);
    expect(code).toBe(4);
  });

  test('is reported by validate, which exits with 4', () => {
    const { code, err, out } = work.run('validate ./');
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toContain("Change the fleet, or rule 'digests', which denies the plan.");
    const json = work.run('validate ./ --json');
    expect(json.code).toBe(4);
    expect(JSON.parse(json.out)).toMatchObject({ kind: 'Problems', problems: [{ code: 'denied' }] });
  });

  test('is reported by the check of a lock, which exits with 4', () => {
    work.write({ 'policy.yaml': rules('pinnedImages: true\n    effect: Warn') });
    work.run('lock ./');
    expect(work.run('lock ./ --check').code).toBe(0);
    work.write({ 'policy.yaml': rules('pinnedImages: true') });
    const { code, err } = work.run('lock ./ --check');
    expect(err).toBe(LINE);
    expect(code).toBe(4);
  });

  test('is reported by the check of a lock that is out of date too, in JSON as well', () => {
    const { code, err } = work.run('lock ./ --check');
    expect(err).toMatch(new RegExp(`^${LINE.trim()}\n.*there is no lock file`));
    expect(code).toBe(5);
    const json: unknown = JSON.parse(work.run('lock ./ --check --json').out);
    expect(json).toMatchObject({ outOfDate: true, policies: [{ rule: 'digests', effect: 'Deny' }] });
  });

  test('lets nothing be locked', () => {
    const before = work.files();
    const { code, err } = work.run('lock ./');
    expect(err).toBe(`${LINE}Nothing was written. Change the plan, or the rule.\n`);
    expect(code).toBe(4);
    expect(work.files()).toEqual(before);
  });

  test('lets no manifests be written, however they were locked', () => {
    work.write({ 'policy.yaml': rules('pinnedImages: true\n    effect: Warn') });
    work.run('lock ./');
    work.write({ 'policy.yaml': rules('pinnedImages: true') });
    const before = work.files();
    const { code, err } = work.run('synth ./');
    expect(err).toBe(
      "fleet.yaml:46:46: container engine of ml/q runs vllm/vllm-openai:v0.23.0, without a digest. Change the fleet, or rule 'digests', which denies the plan.\n",
    );
    expect(code).toBe(4);
    expect(work.files()).toEqual(before);
    expect(JSON.parse(work.run('synth ./ --json').out)).toMatchObject({
      kind: 'Problems',
      problems: [{ code: 'denied', where: 'fleet.yaml:46:46' }],
    });
  });

  test('is in the JSON of both', () => {
    const want = [{ rule: 'digests', effect: 'Deny', where: 'fleet.yaml:46:46' }];
    expect(JSON.parse(work.run('plan ./ --json').out)).toMatchObject({ policies: want });
    expect(JSON.parse(work.run('lock ./ --json').out)).toMatchObject({ written: null, policies: want });
  });
});

test.each([
  ['an error where it denies', '', 'error', 'denied'],
  ['a warning where it warns', '\n    effect: Warn', 'warning', 'warned'],
])('a rule is reported to a CI at its place, as %s', (_, effect, level, verdict) => {
  work.write({ 'policy.yaml': rules(`pinnedImages: true${effect}`) });
  expect(work.run('plan ./ --annotations github').err).toBe(
    `::${level} file=fleet.yaml,line=46,col=46,title=fleetwright%3A ${verdict}::${verdict} by digests: container engine of ml/q runs vllm/vllm-openai:v0.23.0, without a digest. Change the fleet, or rule 'digests' at policy.yaml:2:5.\n`,
  );
});

test('a rule that warns is reported by plan, and stops nothing', () => {
  work.write({ 'policy.yaml': rules('pinnedImages: true\n    effect: Warn') });
  const { code, out } = work.run('plan ./');
  expect(out).toContain('\nwarned by digests: ');
  expect(code).toBe(0);
  expect(work.run('lock ./').code).toBe(0);
  expect(work.run('synth ./')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Manifests of ') });
});

test('a rule about what the fleet does not have is a warning at its field, until the Fleet says why', () => {
  work.write({ 'policy.yaml': rules('budget: { perMonth: 5,\n      namespace: billing }') });
  const { code, out, err } = work.run('plan ./ --annotations github');
  const want =
    "policy.yaml:4:18: rule 'digests': the fleet has no resource in namespace 'billing'. Correct the rule, or silence this warning with the annotation fleetwright.dev/silence-idle-rule of the Fleet.";
  expect(out).toContain(`\nwarning: ${want}\n`);
  expect({ code, err: err.slice(0, 40) }).toEqual({
    code: 0,
    err: '::warning file=policy.yaml,line=4,col=18',
  });
  const reason = 'annotations: { fleetwright.dev/silence-idle-rule: comes in May }';
  work.write({ 'settings.yaml': SETTINGS.replace('name: main', `name: main\n  ${reason}`) });
  expect(work.run('plan ./').out).toContain('\nnote: Fleet main silences idle-rule: comes in May\n');
});

describe('a quota during a drain', () => {
  const taints = '\n  taints: [{ key: maintenance, effect: NoExecute }]';
  beforeEach(() => {
    work.write({ 'policy.yaml': quota(8, 'Warn') });
    work.run('lock ./');
    const [, cluster] = SMALL.split('---\n').filter((one) => !one.includes('kind: ModelDeployment')) as [
      string,
      string,
    ];
    const drained = cluster.trimEnd() + taints;
    work.write({ 'fleet.yaml': `${SMALL.replace(cluster, `${drained}\n`)}\n---\n${cluster.replaceAll(' us', ' eu')}` });
    work.run('lock ./');
    work.write({ 'policy.yaml': quota(8) });
  });

  test('counts replicas that drain from a live cluster', () => {
    expect(work.run('lock ./')).toMatchObject({ code: 4, err: expect.stringContaining('uses 16 of gpu.nvidia.com') });
  });

  test('is judged on what is left when the replicas are finalized', () => {
    expect(work.run('lock ./ --finalize')).toMatchObject({ code: 0, out: expect.stringContaining('1 of 1 met') });
  });

  test('never keeps --finalize from lowering the use', () => {
    work.write({ 'policy.yaml': quota(4) });
    expect(work.run('lock ./ --finalize --json').code).toBe(0);
    expect(work.run('lock ./').code).toBe(4);
  });

  test('keeps --finalize from raising the use', () => {
    const more = work.files()['fleet.yaml']?.replace('replicas: 1', 'replicas: 2') ?? '';
    work.write({ 'fleet.yaml': more.replace('nodeCount: 2', 'nodeCount: 4'), 'policy.yaml': quota(4) });
    expect(work.run('lock ./ --finalize')).toMatchObject({ code: 4 });
  });

  test('is in the answer of what-if, which changes nothing', () => {
    const { code, out } = work.run('what-if ./ --scale ml/q=2');
    expect(out).toContain(
      `Policies: 1 would deny this.\n  denied by digests: policy.yaml:2:5: the fleet uses 24 of gpu.nvidia.com (8 of them in draining replicas), and the limit is 8.\n`,
    );
    expect(code).toBe(0);
    expect(JSON.parse(work.run('what-if ./ --scale ml/q=2 --json').out)).toMatchObject({
      outcomes: [{ policies: [{ rule: 'digests', effect: 'Deny', where: 'policy.yaml:2:5' }] }],
    });
  });
});

const bad: Record<string, { text: string; want: string }> = {
  'an unknown rule': {
    text: rules('pinedImages: true'),
    want: "policy.yaml:3:18: unknown field 'pinedImages'. Use 'pinnedImages'.",
  },
  'a rule that demands nothing': {
    text: 'rules:\n  - name: empty\n',
    want: 'policy.yaml:2:5: the rule has no value. Set exactly one of allowedRegions, budget, noPublicGateway, pinnedImages, failureDomains, deviceQuota, moves, forbiddenProviders.',
  },
  'a rule that demands two things': {
    text: rules('pinnedImages: true\n    moves: { most: 1 }'),
    want: 'policy.yaml:2:5: the rule has both pinnedImages and moves. Set exactly one of allowedRegions, budget, noPublicGateway, pinnedImages, failureDomains, deviceQuota, moves, forbiddenProviders.',
  },
  'an unknown provider': {
    text: rules('forbiddenProviders: [Vulture]'),
    want: "policy.yaml:3:26: unknown value 'Vulture': expected GKE, EKS, AKS, Nebius, Vultr, Custom, Existing. Use 'Vultr'.",
  },
};

test.each(Object.entries(bad))('%s is refused with its place', (_, { text, want }) => {
  work.write({ 'policy.yaml': text });
  const { code, err } = work.run('validate ./');
  expect(err).toBe(`${want}\n`);
  expect(code).toBe(1);
});

test.each(['validate', 'plan', 'lock', 'synth'])('%s refuses a file of rules that no Fleet names', (command) => {
  work.write({
    'settings.yaml': SETTINGS.replace(/spec:[^]*/, 'spec: {}\n'),
    'policy.yaml': rules('pinnedImages: true'),
  });
  expect(work.run(`${command} ./`)).toMatchObject({
    code: 1,
    err: 'policy.yaml:1:1: these are rules that no Fleet refers to. Set spec.policies of the Fleet to this file, or move the file elsewhere.\n',
  });
});

test('a Fleet with errors may be what names a file of rules', () => {
  work.write({ 'settings.yaml': `${SETTINGS}  police: 1\n`, 'policy.yaml': rules('pinnedImages: true') });
  const { code, err } = work.run('validate ./');
  expect(code).toBe(1);
  expect(err).toContain("unknown field 'police'");
  expect(err).not.toContain('no Fleet refers to');
});

test('a file of rules that is not there is reported', () => {
  expect(work.run('validate ./').err).toBe(
    "settings.yaml:6:13: no file matches './policy.yaml'. Correct the path, or remove the line.\n",
  );
});
