import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const [CLASS = '', CLUSTER = '', MODEL = ''] = SMALL.split('---\n');
const SIDECAR = '- { name: side, image: "a/b:1", ports: [{ containerPort: 8000 }] }';

const ATTRIBUTES = 'attributes: { productName: { string: NVIDIA H100 80GB HBM3 } }';
const NOWHERE = 'clusterSelector: { matchLabels: { region: nowhere } }';
const CACHE = `apiVersion: fleetwright.dev/v1alpha1
kind: ModelCache
metadata: { name: m, namespace: ml }
spec:
  source: HuggingFace
  huggingFace: { repo: Qwen/Qwen3-8B }
  sizeGiB: 20
`;

/** A deployment whose sidecar takes the port of the engine. */
function crowded(name: string): string {
  return `${MODEL.replace('name: q\n', `name: ${name}\n`)}                    ${SIDECAR}\n`;
}

function fleet(...documents: string[]): void {
  work.write({ 'fleet.yaml': [CLASS, CLUSTER, ...documents].join('---\n') });
}

describe('validate, of documents that it does not read', () => {
  test('warns of a document that is meant as a resource, also next to errors', () => {
    const foreign = MODEL.replace('fleetwright.dev/v1alpha1', 'apps/v1').replace(
      'kind: ModelDeployment',
      'kind: Deployment',
    );
    const said =
      /warning: fleet\.yaml:\d+:1: apps\/v1 Deployment is ignored, and its spec has the fields of the kind ModelDeployment\./;
    fleet(MODEL, foreign);
    expect(work.run('validate ./fleet.yaml')).toMatchObject({ code: 0, out: expect.stringMatching(said) as string });
    fleet(crowded('q'), foreign);
    expect(work.run('validate ./fleet.yaml')).toMatchObject({ code: 1, err: expect.stringMatching(said) as string });
  });
});

describe('validate', () => {
  test('finds what only the replicas of a plan show', () => {
    fleet(crowded('q'));
    const plan = work.run('plan ./fleet.yaml');
    const validated = work.run('validate ./fleet.yaml');
    expect([plan.code, validated.code]).toEqual([1, 1]);
    expect(validated.err).toContain('port 8000');
    expect(plan.err).toContain(validated.err.trim());
  });

  test('finds errors that another error hides', () => {
    fleet(crowded('q'), MODEL.replace('name: q\n', 'name: r\n').replace('replicas: 1', 'replica: 1'));
    const { code, err } = work.run('validate ./fleet.yaml');
    expect(code).toBe(1);
    expect(err).toContain("unknown field 'replica'");
    expect(err).toContain('port 8000');
  });

  test('takes replicas that lack only capacity for no error, and names them', () => {
    fleet(MODEL.replace('replicas: 1', 'replicas: 9'));
    expect(work.run('plan ./fleet.yaml').code).toBe(3);
    const { code, out, err } = work.run('validate ./fleet.yaml --strict');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Without a lock file, 7 of 9 replicas of ml/q do not fit, for lack of capacity.');
  });

  test('names the cheapest machine whose devices a request matches, as explain does', () => {
    const named = CLASS.replace('capacity:', `${ATTRIBUTES}\n      capacity:`);
    const model = MODEL.replace(/selectors:[\s\S]*?(?=\n {14}template)/, 'where: { productName: NVIDIA H200 }');
    work.write({ 'fleet.yaml': [named, CLUSTER, model].join('---\n') });
    const way = /More nodes do not help\. .*'from: \S+' \(8 x h200, from \$[\d.]+ an hour\)/;
    expect(work.run('validate ./fleet.yaml').err).toMatch(way);
    expect(work.run('explain ml/q ./fleet.yaml').out.replaceAll(/\s+/g, ' ')).toMatch(way);
  });

  test('says once which models and prices it does not know', () => {
    fleet(MODEL, MODEL.replace('name: q\n', 'name: r\n').replace('Qwen/Qwen3-8B', 'Qwen/Qwen3-14'));
    const { code, out } = work.run('validate ./fleet.yaml --strict');
    expect(code).toBe(0);
    expect(out).toMatch(
      /note: The memory and parallelism of engines are not checked for Qwen\/Qwen3-14, .* Did you mean Qwen\/Qwen3-14B/,
    );
    expect(out.match(/note: Costs leave out .*: the price of its nodes is not known\./g)).toHaveLength(1);
  });

  test('names the documents that it does not read next to errors, because others may miss one', () => {
    const foreign = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: q }\n';
    const said = 'note: ignored 1 document that Fleetwright does not read: 1 apps/v1 Deployment';
    fleet(crowded('q'), foreign);
    expect(work.run('validate ./fleet.yaml').err).toContain(said);
    expect(work.run('validate ./fleet.yaml --quiet').err).not.toContain(said);
    fleet(
      MODEL.replace('spec:\n', 'spec:\n  placement: { maxPerCluster: 1 }\n').replace('replicas: 1', 'replicas: 2'),
      foreign,
    );
    const { code, err } = work.run('validate ./fleet.yaml');
    expect([code, err]).toEqual([3, expect.stringContaining(said)]);
  });

  test('says where an InferenceService is, and what to declare instead', () => {
    fleet(MODEL, 'apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: { name: q }\n');
    const { out } = work.run('validate ./fleet.yaml');
    expect(out).toMatch(
      /1 serving\.kserve\.io\/v1beta1 InferenceService \(fleet\.yaml:\d+:1\)\. A plan does not place an/,
    );
  });

  test('needs no lock that can be read', () => {
    fleet(MODEL);
    work.write({ 'fleet.lock.yaml': 'broken' });
    expect(work.run('plan ./fleet.yaml').code).toBe(1);
    expect(work.run('validate ./fleet.yaml').code).toBe(0);
  });

  test.each([
    [
      'devices that no class has',
      MODEL.replace('quantity("79Gi")', 'quantity("790Gi")'),
      'memory 81559Mi is less than',
    ],
    [
      'a selector of clusters that matches none',
      MODEL.replace('spec:\n      engines', `spec:\n      ${NOWHERE}\n      engines`),
      'does not fit (us: region=nowhere is not met',
    ],
    [
      'a cache whose storage no cluster offers',
      [MODEL.replace('spec:\n      engines', 'spec:\n      modelCacheRef: { name: m }\n      engines'), CACHE].join(
        '---\n',
      ),
      'does not fit (us: cache ml/m needs a shared file system',
    ],
    ['more ranks than devices', MODEL.replace('count: 8', 'count: 4'), 'the engine does not start'],
  ])('refuses %s, as a plan does', (_, model, want) => {
    fleet(model);
    const plan = work.run('plan ./fleet.yaml');
    const { code, err } = work.run('validate ./fleet.yaml');
    expect([code, err]).toEqual([plan.code, expect.stringContaining(want)]);
    expect(code).not.toBe(0);
  });

  test.each([
    ['the lock', '', 'version: 1\ndeployments:\n\n  ml/q:\n    unplaced: 1\n    replicas: []\n\n...\n'],
    ['allowPartial', 'allowPartial: true\n  ', 'version: 1\ndeployments: {}\n\n...\n'],
  ])('accepts a request for devices that no class has where %s does', (_, field, lock) => {
    fleet(MODEL.replace('quantity("79Gi")', 'quantity("790Gi")').replace('replicas: 1', `${field}replicas: 1`));
    work.write({ 'fleet.lock.yaml': lock });
    expect(work.run('validate ./fleet.yaml').code).toBe(0);
  });

  test('names the value that was meant as what to do about replicas without a place', () => {
    fleet(misspelt());
    const { code, err } = work.run('validate ./fleet.yaml');
    expect(code).toBe(3);
    const [problem = ''] = err.split('\n');
    expect(problem).toMatch(/No known device has the architecture 'Hoper'\. Did you mean 'Hopper'\?$/);
    expect(problem).not.toContain('Add nodes');
  });

  test('refuses more failure domains than have the hardware, which no number of nodes helps', () => {
    fleet(MODEL.replace('replicas: 1', 'placement: { spreadBy: zone, minDomains: 2 }\n  replicas: 2'));
    work.write({
      'fleet.yaml': work.read('fleet.yaml').replace('name: us\n', 'name: us\n  labels: { zone: z1 }\n'),
    });
    const { code, err } = work.run('validate ./fleet.yaml');
    expect(code).toBe(3);
    expect(err).toContain('1 of 2 replicas of ml/q does not fit');
    expect(err).not.toContain('capacity');
    expect(err).not.toContain('Add nodes');
  });
});

function misspelt(): string {
  return MODEL.replace(/selectors:\n\s+- cel: .*\n/, 'where: { architecture: Hoper }\n');
}

describe.each(['validate', 'plan'])('%s --strict', (command) => {
  test('exits with 1 when there are warnings', () => {
    fleet(misspelt());
    const { code, err } = work.run(`${command} ./fleet.yaml --strict`);
    expect(code).toBe(1);
    expect(err).toMatch(/^refused: \d warnings?, which --strict does not allow\.$/m);
  });

  test('refuses a class with a misspelled text of a device, at its place', () => {
    const misspelled = CLASS.replace('capacity:', `${ATTRIBUTES.replace('HBM3', 'HMB3')}\n      capacity:`);
    work.write({ 'fleet.yaml': [misspelled, CLUSTER, MODEL].join('---\n') });
    const { code, out, err } = work.run(`${command} ./fleet.yaml --strict`);
    const line = misspelled.split('\n').findIndex((text) => text.includes('HMB3')) + 1;
    const column = ATTRIBUTES.indexOf('NVIDIA') + 1 + '      '.length;
    expect(code).toBe(1);
    expect(out).toContain(
      `fleet.yaml:${line}:${column}: no known device has the productName 'NVIDIA H100 80GB HMB3'. Did you mean 'NVIDIA H100 80GB HBM3'?`,
    );
    expect(err).toContain('which --strict does not allow');
  });

  test('refuses an engine that may not start on the devices where it is placed', () => {
    fleet(MODEL.replace('-tp=8', '-tp=4'));
    const { code, out, err } = work.run(`${command} ./fleet.yaml --strict`);
    expect(code).toBe(1);
    expect(out).toContain('are idle');
    expect(err).toContain('which --strict does not allow');
  });

  test('takes silenced warnings for none', () => {
    const codes = ['unlisted-value', 'unstated-attribute', 'no-device'];
    const annotations = codes.map((code) => `fleetwright.dev/silence-${code}: it is new`).join(', ');
    fleet(misspelt().replace('namespace: ml\n', `namespace: ml\n  annotations: { ${annotations} }\n`));
    const { code, err } = work.run(`${command} ./fleet.yaml --strict`);
    expect(code).toBe(3);
    expect(err).not.toContain('refused');
  });
});

test.each([
  [
    'a taint',
    '  taints: [{ key: batch, effect: NoSchedule }]\n',
    'the taint batch:NoSchedule is not tolerated',
    'Cheapest: tolerate batch:NoSchedule',
  ],
  ['a pause', '  paused: true\n', 'the cluster is paused', "Set 'paused: false' on "],
])('names what closes the clusters, and no lack of capacity: %s', (_, field, cause, way) => {
  work.write({ 'fleet.yaml': [CLASS, CLUSTER.replace('spec:\n', `spec:\n${field}`), MODEL].join('---\n') });
  const { code, out } = work.run('validate ./fleet.yaml');
  expect(code).toBe(0);
  expect(out).toMatch(/Without a lock file, 1 of 1 replica of ml\/q does not fit \(/);
  expect(out).toContain(cause);
  expect(out).toContain(way);
  expect(out).not.toContain('lack of capacity');
});

test('says of a fleet without a cluster that none is declared', () => {
  work.write({ 'fleet.yaml': [CLASS, MODEL].join('---\n') });
  const { code, out } = work.run('validate ./fleet.yaml');
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringContaining(
      'note: No cluster is declared, so no replica has a place. Declare an InferenceCluster.\n',
    ) as string,
  });
  expect(out).not.toContain('capacity');
});

test('validate counts replicas without a place as a plan does where there is a lock', () => {
  fleet(MODEL.replace('replicas: 1', 'replicas: 2'));
  work.run('lock ./fleet.yaml');
  fleet(MODEL.replace('name: q\n', 'name: a\n'), MODEL.replace('replicas: 1', 'replicas: 2'));
  expect(work.run('plan ./fleet.yaml').out).toContain('ml/a   0 of 1');
  expect(work.run('validate ./fleet.yaml').out).toContain(
    'note: 1 of 1 replica of ml/a does not fit, for lack of capacity.',
  );
});
