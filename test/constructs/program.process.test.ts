import { join } from 'node:path';
import { EMPTY_LOCK, formatLock } from '../../src/scheduler/lock/lock';
import { Workspace } from '../cli/cli';

const ROOT = join(__dirname, '../..');
const HOOK = join(ROOT, 'scripts/typescript-hook.cjs');
const HEAD = `const { App } = require('${ROOT}/node_modules/cdk8s');
const { Fleet, InferenceClass, InferenceCluster, ModelDeployment } = require('fleetwright/constructs');
const devices = [{ name: 'gpu', driver: 'gpu.nvidia.com', deviceClassName: 'gpu.nvidia.com', count: 8 }];
const cluster = { source: 'Existing', existing: { secretRef: { name: 'us' } } };
const nodeSelector = { devices: [{ name: 'gpu', count: 8, selectors: [{ cel: 'true' }] }] };
const template = { spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['Qwen/Qwen3-8B'] }] } };
const engines = [{ name: 'main', members: [{ nodeSelector, template }] }];
const app = new App();
const fleet = new Fleet(app, 'main');
new InferenceClass(fleet, 'h100', { devices });
new InferenceCluster(fleet, 'us', { cluster, nodePools: [{ name: 'h100', className: 'h100', nodeCount: 2 }] });
`;
const MODEL = `new ModelDeployment(fleet, 'q', { namespace: 'ml', replicas: 1, engines });\n`;
const PLACE = `fleet.place({ lock: 'fleet.lock.yaml' });\napp.synth();\n`;

// Every row runs a program of its own.
jest.setTimeout(60_000);

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({
    'cdk8s.yaml': `app: node -r ${HOOK} main.ts\n`,
    'main.ts': HEAD + MODEL + PLACE,
  });
});
afterEach(() => work.remove());

function run(args: string, env: Record<string, string> = {}) {
  return work.run(args, { env: { ...process.env, ...env } as Record<string, string> });
}

describe('a directory with a program', () => {
  test('is validated, planned, locked, explained and synthesized like one of manifests', () => {
    expect(run('validate ./')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^3 resources in \.: all valid\.\nwarning: main\/q .* true is always true/,
      ) as unknown as string,
    });
    expect(run('plan ./').out).toContain('    + us/0   pool h100: 1 whole node (8 gpu)\n');
    expect(run('lock ./')).toMatchObject({ code: 0 });
    expect(run('plan ./ --detailed-exitcode')).toMatchObject({ code: 0 });
    expect(run('explain ml/q ./').out).toContain('us');
    expect(run('synth ./ --out ./out')).toMatchObject({ code: 0 });
    expect(Object.keys(work.files())).toContain('out/us/ml.q.yaml');
  });

  describe('that brings renderers', () => {
    const object = `{ apiVersion: 'house.example.com/v1', kind: 'ModelServer', metadata: { name: 'q', namespace: 'ml', labels: {} } }`;
    const house = `{ name: 'house', version: 1, reject: ({ deployment }) => deployment.metadata.name === 'q' ? undefined : 'it is for others', render: () => [${object}] }`;
    const placed = `fleet.place({ lock: 'fleet.lock.yaml', renderers: [${house}] });\napp.synth();\n`;
    const other = `new ModelDeployment(fleet, 'r', { namespace: 'ml', replicas: 1, engines });\n`;

    test('is planned and locked, and synth writes what they render, next to what others do', () => {
      work.write({ 'main.ts': HEAD + MODEL + other + placed });
      expect(run('lock ./')).toMatchObject({ code: 0 });
      expect(run('synth ./ --out ./out')).toMatchObject({ code: 0 });
      const files = work.files();
      expect(Object.keys(files).filter((path) => path.startsWith('out/us/'))).toEqual([
        'out/us/ml.r.yaml',
        'out/us/program.yaml',
      ]);
      expect(files['out/us/program.yaml']).toMatch(/apiVersion: house\.example\.com\/v1\nkind: ModelServer\n/);
      expect(files['out/us/ml.r.yaml']).toContain('kind: Deployment\n');
    });

    test('has no objects to compare with those of a cluster', async () => {
      work.write({ 'main.ts': HEAD + MODEL + placed });
      run('lock ./');
      expect(await work.runLive('status ./')).toMatchObject({
        code: 1,
        err: ".: the program renders with house, which this command does not have. Run the program itself, as in 'npx cdk8s synth' or 'pulumi up'.\n",
      });
    });
  });

  test('may print what it likes', () => {
    work.write({ 'main.ts': `console.log('noise'); console.error('more');\n${HEAD}${MODEL}${PLACE}` });
    const { out, err } = run('plan ./ --quiet');
    expect(out + err).toBe('Total: 1 placed.\n');
  });

  test('ends at its first place(): what stands behind it does not run', () => {
    work.write({ 'main.ts': `${HEAD}${MODEL}${PLACE}${PLACE}throw new Error('never');\n` });
    expect(run('plan ./ --quiet').code).toBe(0);
    expect(Object.keys(work.files())).not.toContain('dist/us.k8s.yaml');
  });

  test('is no program when its cdk8s.yaml names none', () => {
    work.write({ 'cdk8s.yaml': 'imports: [k8s]\n' });
    expect(run('plan ./').err).toContain('this folder has no manifests');
  });
});

/** The lock of the fleet, which what follows place() does not change. */
let lock: string | undefined;

/** Runs `synth` of a program that goes on after place(). */
function synth(after: string, args = '') {
  work.write({ 'main.ts': `${HEAD}${MODEL}const { charts } = fleet.place({ lock: 'fleet.lock.yaml' });\n${after}` });
  if (args === '') work.write({ 'fleet.lock.yaml': (lock ??= lockOf()) });
  return { ...run(`synth ./ --out ./out${args}`), files: work.files() };
}

function lockOf(): string {
  expect(run('lock ./')).toMatchObject({ code: 0 });
  return work.read('fleet.lock.yaml');
}

describe('synth of a program', () => {
  const CDK8S = `const { ApiObject, Chart, JsonPatch } = require('${ROOT}/node_modules/cdk8s');\n`;
  const VISIT = `for (const one of charts.get('us').apiObjects) one.metadata.addLabel('example.com/by', 'house');\n`;

  test('writes the objects as the program leaves them: patches and visitors count', () => {
    const patch = `charts.get('us').apiObjects.find(({ kind }) => kind === 'Deployment').addJsonPatch(JsonPatch.add('/spec/replicas', 3));\n`;
    const { code, files } = synth(`${CDK8S}${VISIT}${patch}app.synth();\n`);
    expect(code).toBe(0);
    expect(files['out/us/ml.q.yaml']).toContain('example.com/by: house');
    expect(files['out/us/ml.q.yaml']).toContain('  replicas: 3\n');
    expect(Object.keys(files).filter((path) => path.startsWith('dist/'))).toEqual([]);
  });

  test('writes objects that the program adds, and leaves out those that it removes', () => {
    const added = `new ApiObject(charts.get('us'), 'quota', { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'gpus', namespace: 'ml' } });\n`;
    const scaler = `const { name } = charts.get('us').apiObjects.find(({ kind }) => kind === 'Deployment');
new ApiObject(charts.get('us'), 'scale', { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'scale', namespace: 'ml' }, spec: { maxReplicas: 9, scaleTargetRef: { kind: 'Deployment', name } } });\n`;
    const removed = `charts.get('us').node.tryRemoveChild(charts.get('us').apiObjects.find(({ kind }) => kind === 'Service').node.id);\n`;
    const own = `new ApiObject(new Chart(app, 'house'), 'map', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own' } });\n`;
    const { code, out, files } = synth(`${CDK8S}${added}${scaler}${removed}${own}app.synth();\n`);
    expect(code).toBe(0);
    expect(out).toContain('HorizontalPodAutoscaler ml/scale spec.maxReplicas: the autoscaler adds up to 9 copies');
    expect(files['out/us/program.yaml']).toMatch(
      /^# Written by .* for cluster us\..*\napiVersion: v1\nkind: ResourceQuota\n/,
    );
    expect(files['out/us/ml.q.yaml']).not.toContain('kind: Service\n');
    expect(files['out/house/house.yaml']).toMatch(
      /^# Written by .* for chart house\..*\napiVersion: v1\nkind: ConfigMap\n/,
    );
  });

  test('writes the bytes of manifests where the program changes nothing', () => {
    const { files } = synth('app.synth();\n');
    work.write({ 'plain/fleet.yaml': run('export ./').out, 'plain/fleet.lock.yaml': files['fleet.lock.yaml'] ?? '' });
    expect(run('synth ./plain --out ./same')).toMatchObject({ code: 0 });
    expect(work.files()['same/us/ml.q.yaml']).toBe(files['out/us/ml.q.yaml']);
  });

  test('works without a lock, and with another', () => {
    expect(synth('app.synth();\n', ' --ephemeral')).toMatchObject({ code: 0 });
    run('lock ./ --lock ./other.yaml');
    expect(run('synth ./ --out ./out --lock ./other.yaml')).toMatchObject({ code: 0 });
  });

  test('fails where the program fails after place(), and writes nothing', () => {
    const { code, err, files } = synth(`throw new Error('quota exceeded');\n`);
    expect(code).toBe(1);
    expect(err).toContain('| Error: quota exceeded');
    expect(Object.keys(files).filter((path) => path.startsWith('out/'))).toEqual([]);
  });

  test('is what plan --against says it leaves out', () => {
    synth(`${VISIT}app.synth();\n`);
    run('plan ./ --save ./before.plan');
    const note =
      'objects are compared as place() renders them, without later changes and additions of the program, which fleetwright synth includes.';
    expect(run('plan ./ --against ./before.plan').out).toContain(`note: ${note}`);
    expect(run('plan ./ --against ./before.plan --markdown').out).toContain('Note: objects are compared as place');
    expect(run('plan ./').out).not.toContain(note);
  });
});

interface Case {
  main?: string;
  app?: string;
  env?: Record<string, string>;
  want: (string | RegExp)[];
}

const bad: Record<string, Case> = {
  'a program with a mistake in a prop': {
    main: `${HEAD}new ModelDeployment(fleet, 'q', { namespace: 'ml', replicas: 'two', engines });\n${PLACE}`,
    want: [/^main\/q replicas: expected a number, got the text "two"\. Write a whole number from 0 to 1000\.\n$/],
  },
  'a program with a mistake between resources': {
    main: `${HEAD}new InferenceCluster(fleet, 'eu', { cluster, nodePools: [{ name: 'a', className: 'h10' }] });\n${PLACE}`,
    want: ["main/eu nodePools[0].className: there is no InferenceClass 'h10'. Use 'h100'.\n"],
  },
  'and next to one with the fields of the same': {
    main: `${HEAD}new InferenceCluster(fleet, 'eu', { cluster, nodePools: [{ name: 'a'.repeat(41), className: 'h10' }] });\n${PLACE}`,
    want: [
      /^main\/eu nodePools\[0\]\.className: there is no InferenceClass 'h10'\. Use 'h100'\.\nmain\/eu nodePools\[0\]\.name: a text of 41 characters is greater than the maximum of 40\. Shorten it to at most 40 characters\.\n$/,
    ],
  },
  'a program with two fleets': {
    main: `${HEAD}new Fleet(app, 'other');\n${PLACE}`,
    want: ['main: the program has 2 fleets, and the command line plans one. Use one program for each fleet.\n'],
  },
  'a program that fails is reported with what it printed': {
    main: `console.log('about to fail');\nthrow new Error('no such thing');\n`,
    want: ['about to fail', 'Error: no such thing', "main.ts' failed with exit code 1. Its output is above.\n"],
  },
  'a program that never places': {
    main: HEAD + MODEL,
    want: [
      /^cdk8s\.yaml: the program 'node .* main\.ts' ended without calling place\(\)\. After everything is declared, call place\(\)/,
    ],
  },
  'a program that hangs': {
    app: 'sleep 20',
    env: { FLEETWRIGHT_PROGRAM_SECONDS: '0.3' },
    want: [
      "cdk8s.yaml: the program 'sleep 20' did not end within 0.3 seconds. Find what it waits for, or raise the limit with FLEETWRIGHT_PROGRAM_SECONDS.\n",
    ],
  },
  'a program that does not exist': {
    app: 'no-such-program-here',
    want: [/not found/, "cdk8s.yaml: the program 'no-such-program-here' failed with exit code 127."],
  },
  'a program that runs the command line on itself': {
    env: { FLEETWRIGHT_EMIT: '/tmp/x' },
    want: [/^cdk8s\.yaml: the program .* runs fleetwright, which would run the program again\./],
  },
  'a cdk8s.yaml that is no YAML': {
    app: '"',
    want: [/^cdk8s\.yaml:\d+:\d+: the file is not YAML\./],
  },
  'a cdk8s.yaml whose app is a list': {
    app: '[a]',
    want: ["cdk8s.yaml: 'app' is not a command. Set it to the command that runs the program: 'app: node main.js'.\n"],
  },
};

test.each(Object.entries(bad))('%s', (_, { main, app, env, want }) => {
  if (main !== undefined) work.write({ 'main.ts': main });
  if (app !== undefined) work.write({ 'cdk8s.yaml': `app: ${app}\n` });
  const { code, out, err } = run('plan ./', env);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  for (const one of want) expect(err).toMatch(one);
});

test('a program that is ended by a signal says so', () => {
  work.write({ 'cdk8s.yaml': 'app: kill -TERM $$\n' });
  expect(run('plan ./').err).toContain("'kill -TERM $$' was ended by SIGTERM.");
});

test('a lock that is missing or out of date stops the program and names the command to run', () => {
  work.write({ 'cdk8s.yaml': `app: node -r ${HOOK} main.ts && false\n` });
  const { err } = run('plan ./');
  expect(err).toContain('failed with exit code 1');
  const direct = `app: env -u FLEETWRIGHT_EMIT node -r ${HOOK} main.ts\n`;
  work.write({ 'cdk8s.yaml': direct });
  expect(run('plan ./').err).toContain(
    "| fleet.lock.yaml: there is no lock file yet. Review 'fleetwright plan .', then run 'fleetwright lock .'.",
  );
  work.write({ 'cdk8s.yaml': direct, 'fleet.lock.yaml': formatLock(EMPTY_LOCK) });
  expect(run('plan ./').err).toContain(
    "| fleet.lock.yaml: the lock file is out of date: it differs for ml/q. Review 'fleetwright plan .', then run 'fleetwright lock .'.",
  );
});

test('a program with a lock elsewhere is planned with that lock', () => {
  const place = PLACE.replace('fleet.lock.yaml', 'locks/a.yaml');
  work.write({ 'main.ts': HEAD + MODEL + place, 'locks/.keep': '' });
  const { code, err } = run('plan ./');
  expect(code).toBe(1);
  expect(err).toMatch(
    /^\.: the program reads lock file \S*locks\/a\.yaml, and this command would use fleet\.lock\.yaml\./,
  );
  expect(err).toMatch(/Run it with --lock \S*locks\/a\.yaml\.\n$/);
  expect(run('lock ./ --lock ./locks/a.yaml').code).toBe(0);
  expect(run('synth ./ --ephemeral --out ./out').code).toBe(0);
  expect(run('export ./').code).toBe(0);
});

test('problems of a program are JSON too', () => {
  work.write({ 'main.ts': bad['a program with a mistake in a prop']!.main! });
  expect(JSON.parse(run('plan ./ --json').out)).toMatchObject({
    kind: 'Problems',
    problems: [{ code: 'wrong-type', where: 'main/q replicas' }],
  });
});

test('snapshots of a program are relative to its directory', () => {
  const settings = HEAD.replace("new Fleet(app, 'main')", "new Fleet(app, 'main', { snapshots: ['./seen/*.yaml'] })");
  work.write({ 'main.ts': settings + MODEL + PLACE });
  expect(run('plan ./').err).toMatch(/^main snapshots\[0\]: no file matches '\.\/seen\/\*\.yaml'\./);
  work.write({ 'seen/eu.yaml': 'apiVersion: v1\nkind: List\nitems: []\n' });
  expect(run('plan ./').err).toContain("the snapshot is of cluster 'eu', which the fleet does not have");
});
