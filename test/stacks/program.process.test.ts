import { join } from 'node:path';
import { run, type RegisteredResource } from './engine.cjs';
import { FROM_SOURCES, runMain } from './run-main';

// Each run is a process of its own that loads Pulumi and all sources.
jest.setTimeout(120_000);

const root = process.cwd();
const kubeconfigs = JSON.stringify({ berlin: 'token: abc' });
const SECRET = '1b47061264138c4ac30d75fd1eb44270';
const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

function onClusters(registered: readonly RegisteredResource[]): string[] {
  return registered
    .filter(({ name }) => name.includes('/'))
    .map(({ name }) => name)
    .toSorted();
}

test('the program of Pulumi.yaml previews and updates the fleet of a folder alike, its secrets kept', async () => {
  // No cluster is there to be asked about waves.
  const config = {
    'fleetwright:fleet': 'examples/existing',
    'fleetwright:kubeconfigs': kubeconfigs,
    'fleetwright:waves': 'false',
  };
  const secrets = ['fleetwright:kubeconfigs'];
  const [preview, update] = await Promise.all([
    runMain({ config, secrets }),
    runMain({ config, secrets, preview: false }),
  ]);
  expect(preview).toMatchObject({ code: 0, said: [] });
  expect(update).toMatchObject({ code: 0, said: [] });
  expect(onClusters(preview.registered)).toEqual(onClusters(update.registered));
  expect(new Set(onClusters(preview.registered).map((name) => name.split('/')[0]))).toEqual(
    new Set(['berlin', 'munich']),
  );
  expect(update.outputs).toMatchObject({
    clusters: {
      berlin: { name: 'berlin', kubeconfig: { value: 'token: abc' } },
      munich: { name: 'munich', releases: ['lws'] },
    },
  });
  expect(JSON.stringify(update.outputs)).toContain(SECRET);
});

test('the program of Pulumi.yaml says what is wrong, without a stack trace, and registers nothing', async () => {
  const { code, said, registered } = await runMain({
    config: { 'fleetwright:lockMode': 'required', 'fleetwright:kubeconfigs': '["token: abc"]' },
  });
  expect(code).not.toBe(0);
  expect(said).toEqual([
    "fleetwright:kubeconfigs: it is not a map of kubeconfigs. Set each kubeconfig separately: 'pulumi config set --secret --path fleetwright:kubeconfigs.CLUSTER < KUBECONFIG'.\nfleetwright:lockMode: unknown value 'required'. Use require.",
  ]);
  expect(registered.map(({ type }) => type)).toEqual(['pulumi:pulumi:Stack']);
});

test('the program of Pulumi.yaml sends debug messages of the SDK only where a variable wants them', async () => {
  const config = { 'fleetwright:fleet': 'examples/existing', 'fleetwright:kubeconfigs': kubeconfigs };
  const aboutObjects = async () => {
    const { code, debugged } = await runMain({ config, secrets: ['fleetwright:kubeconfigs'] });
    expect(code).toBe(0);
    return debugged.filter((text) => text.includes('RPC prepared: t=kubernetes:')).length;
  };
  expect(await aboutObjects()).toBe(0);
  process.env['FLEETWRIGHT_PULUMI_DEBUG'] = '1';
  const wanted = await aboutObjects();
  delete process.env['FLEETWRIGHT_PULUMI_DEBUG'];
  expect(wanted).toBeGreaterThan(0);
});

test('a preview shows every object of a cluster that is not there yet: only its kubeconfig is unknown', async () => {
  const program = join(root, 'test/stacks/programs/new-cluster.ts');
  const { code, said, registered } = await run({
    ...FROM_SOURCES,
    program,
    known: (type) => !type.startsWith('test:'),
  });
  expect({ code, said }).toEqual({ code: 0, said: [] });
  const unknown = registered.filter(({ inputs }) => JSON.stringify(inputs).includes(UNKNOWN));
  expect(unknown.map(({ type }) => type)).toEqual(['pulumi:providers:kubernetes']);
  expect(onClusters(registered)).toContain('berlin/Namespace.ml');
  expect(registered.filter(({ type }) => type.startsWith('kubernetes:')).length).toBe(8);
});

test('a kubeconfig that turns out to be empty ends a program: the provider would take the one at hand', async () => {
  const program = join(root, 'test/stacks/programs/empty-kubeconfig.ts');
  const { code, said, registered } = await run({ ...FROM_SOURCES, program, preview: false });
  expect(code).not.toBe(0);
  // The SDK says before it which property that was.
  expect(said).toEqual([expect.stringMatching(/lab: its kubeconfig is empty\. Pass the content of a kubeconfig\.$/)]);
  expect(registered.filter(({ type }) => type.startsWith('pulumi:providers:'))).toEqual([]);
});

test('a preview of an empty account shows two clouds, and nothing on a cluster hides behind what is not known', async () => {
  const { code, said, registered } = await runMain({
    // With waves it would ask clusters that are there what they run.
    config: {
      'fleetwright:fleet': 'examples/two-clouds',
      'fleetwright:waves': 'true',
      'gcp:project': 'models',
    },
    known: (type) => !/^(aws|gcp):/.test(type),
  });
  expect({ code, said }).toEqual({ code: 0, said: [] });
  const types = registered.map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining(['gcp:container/cluster:Cluster', 'aws:eks/cluster:Cluster', 'aws:eks/nodeGroup:NodeGroup']),
  );
  const unknown = registered.filter(
    ({ type, inputs }) => !/^(aws|gcp):/.test(type) && JSON.stringify(inputs).includes(UNKNOWN),
  );
  expect(unknown.map(({ type, name }) => `${type} ${name}`).toSorted()).toEqual([
    'kubernetes:storage.k8s.io/v1:StorageClass amazon/StorageClass.fleetwright-shared',
    'pulumi:providers:kubernetes amazon',
    'pulumi:providers:kubernetes google',
  ]);
  const wanted = (cluster: string) => onClusters(registered).filter((name) => name.startsWith(`${cluster}/Deployment`));
  expect([wanted('amazon').length, wanted('google').length]).toEqual([1, 1]);
});
