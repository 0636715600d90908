import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SMALL, Workspace } from '../cli/cli';
import { FakeApi, GOOD } from '../cli/fake-api';
import { answerOf, madeState } from './cloud-outputs';
import { run, type RegisteredResource } from './engine.cjs';
import { FROM_SOURCES, runMain } from './run-main';

// Each run is a process of its own that loads Pulumi and all sources.
jest.setTimeout(240_000);

const root = process.cwd();
let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

/**
 * Updates the fleet of a folder. Its clusters on clouds are created, the others are reached by a kubeconfig. None of
 * them answers, so nothing waits for replicas.
 */
function update(
  fleet: string,
  options: { kubeconfigs?: object; fails?: string; config?: Record<string, string> } = {},
) {
  const { kubeconfigs = {}, fails, config = {} } = options;
  return runMain({
    preview: false,
    made: madeState,
    answer: answerOf,
    config: {
      'fleetwright:fleet': fleet,
      'fleetwright:kubeconfigs': JSON.stringify(kubeconfigs),
      'fleetwright:waves': 'false',
      'gcp:project': 'models',
      ...config,
    },
    secrets: ['fleetwright:kubeconfigs'],
    ...(fails !== undefined && { fails: (_, name) => name === fails }),
  });
}

/** The manifests below a folder. */
function manifestsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/** The URNs of all resources that a resource of a run waits for, directly or not. */
function needsOf(all: readonly RegisteredResource[], urn: string): Set<string> {
  const byUrn = new Map(all.map((one) => [one.urn, one]));
  const found = new Set<string>();
  const visit = (next: string): void => {
    const one = byUrn.get(next);
    if (!one || found.has(next)) return;
    found.add(next);
    for (const need of [one.parent, ...one.message.toObject(false).dependenciesList]) visit(need);
  };
  visit(urn);
  found.delete(urn);
  return found;
}

describe('an update that fails in the middle of a fleet', () => {
  const kubeconfigs = { berlin: 'token: abc' };
  let whole: Awaited<ReturnType<typeof update>>;
  beforeAll(async () => {
    whole = await update('examples/existing', { kubeconfigs });
    expect({ code: whole.code, said: whole.said }).toEqual({ code: 0, said: [] });
  });

  test.each([
    ['a claim template', 'berlin/ResourceClaimTemplate'],
    ['a workload', 'munich/Deployment'],
    ['a release', 'berlin/lws'],
  ])(
    'at %s creates what that needs and nothing that needs it, and the next update creates only the rest',
    async (_, at) => {
      const { urn = '', name = '' } = whole.registered.find((one) => one.name.startsWith(at)) ?? {};
      const failed = await update('examples/existing', { kubeconfigs, fails: name });
      // The engine prints the reason. The SDK may print that registrations and messages come too late.
      expect(failed.said.filter((text) => !text.includes('Channel has been shut down'))).toEqual([]);
      const made = new Map(failed.registered.map((one) => [one.urn, one.inputs]));
      expect(made.has(urn)).toBe(false);
      for (const need of needsOf(whole.registered, urn)) expect([...made.keys()]).toContain(need);
      const dependents = whole.registered.filter((one) => needsOf(whole.registered, one.urn).has(urn));
      expect(dependents.filter((one) => made.has(one.urn))).toEqual([]);
      // The same URNs and inputs: the engine neither replaces nor changes what was created.
      const next = new Map(whole.registered.map((one) => [one.urn, one.inputs]));
      for (const [one, inputs] of made) expect(next.get(one)).toEqual(inputs);
      expect(next.size).toBeGreaterThan(made.size);
    },
  );
});

test('clusters of clouds refuse their deletion until an update has switched the protection off', async () => {
  const folder = join('examples', 'two-clouds');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'Pulumi.yaml')) {
    work.write({ [`fleet/${file}`]: readFileSync(join(folder, file), 'utf8') });
  }
  const protection = async () => {
    const { code, said, registered } = await update(work.path('fleet'));
    expect({ code, said }).toEqual({ code: 0, said: [] });
    const clusters = registered.filter(({ type }) => /^(gcp:container|aws:eks)\/cluster:Cluster$/.test(type));
    return Object.fromEntries(
      clusters.map(({ name, urn, inputs }) => [`${name} ${urn}`, inputs['deletionProtection']]),
    );
  };
  const before = await protection();
  expect(Object.values(before)).toEqual([true, true]);
  const text = readFileSync(work.path('fleet/fleet.yaml'), 'utf8');
  work.write({
    'fleet/fleet.yaml': text.replaceAll(/^kind: InferenceCluster\n[^]*?^spec:\n/gm, '$&  deletionProtection: false\n'),
  });
  expect(await protection()).toEqual(Object.fromEntries(Object.keys(before).map((cluster) => [cluster, false])));
});

test('an update with precheck asks the cluster, and registers everything where it has what it declares', async () => {
  work.write({ 'fleet/fleet.yaml': SMALL });
  const api = await FakeApi.start(GOOD);
  const { code, said, registered } = await update(work.path('fleet'), {
    kubeconfigs: { us: api.kubeconfig({ token: 'SECRET' }) },
    config: { 'fleetwright:lockMode': 'ephemeral', 'fleetwright:precheck': 'true' },
  });
  api.stop();
  expect({ code, said: said.filter((text) => !text.startsWith('us: ')) }).toEqual({ code: 0, said: [] });
  expect(said.join()).not.toContain('SECRET');
  expect(api.asked.map(({ path }) => path)).toContain('/version');
  const names = registered.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['us/lws', expect.stringMatching(/^us\/Deployment\./)]));
});

test('an update of workloads as files writes the files of synth, and a preview writes none', async () => {
  cpSync('examples/gitops', work.path('gitops'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), work.path('node_modules'));
  work.write({ 'gitops/package.json': '{}' });
  const folder = work.path('gitops');
  const options = { ...FROM_SOURCES, program: join(folder, 'main.ts'), root: folder, project: 'gitops' };
  const preview = await run(options);
  expect({ code: preview.code, said: preview.said }).toEqual({ code: 0, said: [] });
  expect(readdirSync(folder)).not.toContain('manifests');
  const { code, said, registered } = await run({ ...options, preview: false });
  expect({ code, said }).toEqual({ code: 0, said: [] });
  expect(manifestsIn(join(folder, 'manifests'))).toEqual(manifestsIn(join(folder, 'expected')));
  const types = registered.map(({ type }) => type).filter((type) => type.startsWith('kubernetes:'));
  expect([...new Set(types)]).toEqual(['kubernetes:helm.sh/v3:Release']);
});
