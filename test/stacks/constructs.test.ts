import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigGroup } from '@pulumi/kubernetes/yaml/v2';
import * as pulumi from '@pulumi/pulumi';
import { Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-30';
import { type Fleet, InferenceCluster } from '../../constructs/index';
import { ExistingCluster, FleetStack, type FleetStackArgs } from '../../stacks/index';
import { deployment, smallFleet } from '../constructs/build';
import { refusal } from './build';
import { record } from './record';

/** What is logged without an engine to log to. */
let warned: jest.SpyInstance;
beforeEach(() => {
  warned = jest.spyOn(console, 'warn').mockImplementation();
});
afterEach(() => warned.mockRestore());

/** What a fleet of constructs becomes, and what is refused. */
async function registered(args: Partial<FleetStackArgs>, declare: (fleet: Fleet) => unknown = deployment) {
  let said: string[] = [];
  const all = await record(() => {
    const fleet = smallFleet();
    declare(fleet);
    said = refusal(() => new FleetStack('models', { fleet, kubeconfigs: { us: 'token: abc' }, ...args }));
  });
  return { said, kinds: all.map(({ type }) => type.split(':').at(-1)).toSorted() };
}

test('a fleet of constructs is placed and put on its clusters', async () => {
  expect(await registered({ lockMode: 'ephemeral' })).toEqual({
    said: [],
    kinds: [
      'ClusterWorkloads',
      'Deployment',
      'ExistingCluster',
      'FleetStack',
      'Namespace',
      'NetworkPolicy',
      'Release',
      'Release',
      'Release',
      'ResourceClaimTemplate',
      'Service',
      'ServingStack',
      'Stack',
      'kubernetes',
    ],
  });
});

test('what a plan warns of is logged', async () => {
  await registered({ lockMode: 'ephemeral' });
  expect(warned.mock.calls.join()).toContain('main/q engines[0]');
});

test('a fleet of constructs needs its lock too, and its mistakes have construct paths', async () => {
  expect((await registered({ lock: 'no-such.lock.yaml' })).said).toEqual([
    "no-such.lock.yaml: there is no lock file yet. Review 'fleetwright plan . --lock no-such.lock.yaml', then run 'fleetwright lock . --lock no-such.lock.yaml'.",
  ]);
  expect((await registered({ lockMode: 'ephemeral', kubeconfigs: {} })).said[0]).toMatch(
    /^main\/us cluster\.existing\.secretRef: no kubeconfig is set for cluster 'us'\./,
  );
});

/** A cluster that cannot be read, and one that breaks rules. */
function wrongClusters(fleet: Fleet): void {
  const paused = 'maybe' as unknown as boolean;
  new InferenceCluster(fleet, 'rome', { cluster: { source: 'Nebius', nebius: {} }, paused });
  const pools = [{ name: 'p'.repeat(41), className: 'h100', zones: ['us-central1-a'] }];
  new InferenceCluster(fleet, 'eu', {
    cluster: { source: 'GKE', gke: { region: 'europe-west4' } },
    nodePools: pools,
  });
}

test('what is wrong with constructs, their lock and their clusters is reported at once', async () => {
  pulumi.runtime.setAllConfig({});
  const kubeconfigs = { oslo: 'token: abc', rome: 'token: abc', us: 'token: abc' };
  expect((await registered({ lock: 'no-such.lock.yaml', kubeconfigs }, wrongClusters)).said).toEqual([
    "main/eu cluster.source: the Google Cloud project is not set. Run 'pulumi config set gcp:project PROJECT'.",
    'main/eu nodePools[0].name: a text of 41 characters is greater than the maximum of 40. Shorten it to at most 40 characters.',
    "main/eu nodePools[0].zones[0]: 'us-central1-a' is not a zone of the region europe-west4. List its zones as in 'europe-west4-a', or correct the region.",
    'main/rome paused: expected true or false, got the text "maybe". Write true or false.',
    "no-such.lock.yaml: there is no lock file yet. Review 'fleetwright plan . --lock no-such.lock.yaml', then run 'fleetwright lock . --lock no-such.lock.yaml'.",
    'oslo: the fleet has no cluster of this name. Use one of eu, rome, us.',
  ]);
});

test('the command line reads such a program without an engine, and nothing is registered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'emit-'));
  try {
    const file = join(folder, 'emission.yaml');
    const args = ['-r', './scripts/typescript-hook.cjs', 'test/stacks/programs/fleet-of-constructs.ts'];
    execFileSync(process.execPath, args, { env: { ...process.env, FLEETWRIGHT_EMIT: file } });
    expect(readFileSync(file, 'utf8')).toContain('kind: ModelDeployment');
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

test('objects of the program reach a cluster where it registers them, with references to what the stack registers', async () => {
  const all = await record(() => {
    const fleet = smallFleet();
    deployment(fleet);
    const own = new Chart(fleet, 'own');
    const { references } = fleet.place({ lock: 'ephemeral' });
    new kplus.NetworkPolicy(own, 'policy', { selector: references(kplus, 'us').deployment('ml/q').pods });
    const us = new ExistingCluster('us', { context: 'us' });
    const stack = new FleetStack('models', { fleet, lockMode: 'ephemeral', clusters: { us } });
    new ConfigGroup('own', { objs: own.toJson() }, { provider: us.provider, dependsOn: stack });
  });
  expect(all.filter(({ name }) => name === 'own')).toMatchObject([
    {
      inputs: { objs: [{ kind: 'NetworkPolicy', metadata: { namespace: 'ml' } }] },
      provider: 'pulumi:providers:kubernetes us',
      dependsOn: expect.arrayContaining(['kubernetes:core/v1:Namespace us/Namespace.ml']) as unknown,
    },
  ]);
});
