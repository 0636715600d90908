import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readBlocks } from '../../scripts/docs-page';
import { Workspace } from '../cli/cli';

const ROOT = join(__dirname, '../..');
const APP = `app: node -r ${join(ROOT, 'scripts/typescript-hook.cjs')} main.ts\n`;
const FLEET = `import { App } from 'cdk8s';
import { Config, StackReference } from '@pulumi/pulumi';
import { getClientConfig } from '@pulumi/gcp/organizations';
import { Fleet, InferenceClass, InferenceCluster } from 'fleetwright/constructs';
import { ExistingCluster, FleetStack } from 'fleetwright/stacks';

const fleet = new Fleet(new App(), 'main');
new InferenceClass(fleet, 'h200', { from: 'H200-8x' });
new InferenceCluster(fleet, 'us', {
  cluster: { source: 'Existing', existing: { secretRef: { name: 'us' } } },
  nodePools: [{ name: 'h200', className: 'h200', nodeCount: 2 }],
});
const config = new Config();
const stackWith = (kubeconfig) => {
  const us = new ExistingCluster('us', { kubeconfig });
  return new FleetStack('models', { fleet, clusters: { us } });
};
`;
const SUMMARY = / 1 cluster, 1 pool, 0 deployments, 0 replicas/;

// Every row runs a program of its own, which loads Pulumi and all sources.
jest.setTimeout(60_000);

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'cdk8s.yaml': APP });
  symlinkSync(join(ROOT, 'node_modules'), work.path('node_modules'));
});
afterEach(() => work.remove());

function plan(program: string, env: Readonly<Record<string, string>> = {}) {
  work.write({ 'main.ts': program });
  return work.run('plan ./', { env: { ...process.env, ...env } as Record<string, string> });
}

const planned: Readonly<Record<string, string>> = {
  'that creates other resources first, which are still under way': `stackWith('token: abc');`,
  'that waits before it creates its FleetStack': `setTimeout(() => stackWith('token: abc'), 10);`,
  'that requires secrets of its configuration': `stackWith(config.requireSecret('kubeconfig'));`,
  'that requires secrets of other types': `config.requireSecretNumber('a');
config.requireSecretBoolean('b');
stackWith(config.requireSecretObject('c').apply(({ kubeconfig }) => kubeconfig));`,
  'that reads outputs of another stack': `stackWith(new StackReference('o/p/s').requireOutput('kubeconfig'));`,
};

describe('a program of Pulumi', () => {
  test.each(Object.entries(planned))('%s is planned without Pulumi', (_, rest) => {
    expect(plan(FLEET + rest)).toMatchObject({ code: 0, out: expect.stringMatching(SUMMARY) as unknown });
  });

  test('that the docs show is planned without Pulumi', () => {
    const blocks = readBlocks(readFileSync(join(ROOT, 'docs/pulumi.md'), 'utf8'));
    const programs = blocks.map(({ lines }) => lines.join('\n')).filter((text) => text.includes('new Fleet('));
    expect(programs.map((program) => plan(program))).toEqual([
      expect.objectContaining({ code: 0, out: expect.stringMatching(SUMMARY) as unknown }),
    ]);
  });

  test('that requires configuration is planned with PULUMI_CONFIG', () => {
    const config = { PULUMI_CONFIG: '{"project:kubeconfig":"token: abc"}' };
    expect(plan(`${FLEET}stackWith(config.require('kubeconfig'));`, config)).toMatchObject({ code: 0 });
  });
});

const refused: Readonly<Record<string, { rest: string; want: RegExp }>> = {
  'requires configuration': {
    rest: `stackWith(config.require('kubeconfig'));`,
    want: /main\.ts' requires 'project:kubeconfig' of the configuration, which only Pulumi passes\. Read it with get\(\) and a default, or set the variable PULUMI_CONFIG='{"project:kubeconfig":"VALUE"}' for this command\.\n$/,
  },
  'asks a provider before its FleetStack': {
    rest: `getClientConfig().then(() => stackWith('token: abc'));`,
    want: /main\.ts' failed in Pulumi, whose engine does not run here\. Its output is above\. If it asks /,
  },
  'creates its FleetStack once an output is known': {
    rest: `new ExistingCluster('eu', { context: 'eu' }).provider.id.apply(() => stackWith('token: abc'));`,
    want: /^cdk8s\.yaml: .* ended without calling place\(\)\. .* create its FleetStack, outside apply\(\)/,
  },
  'has a FleetStack of manifests': {
    rest: `new FleetStack('models', { fleet: 'fleet' });`,
    want: /^fleet: manifests in this folder declare the fleet of the FleetStack, and its program declares none\. Run the command on this folder, and remove 'app' from cdk8s\.yaml\.\n$/,
  },
};

test.each(Object.entries(refused))('a program that %s fails, and says what to do', (_, { rest, want }) => {
  expect(plan(FLEET + rest)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(want) as unknown });
});
