import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { readManifests } from '../../src/files/read-fleet';
import { isManagedCloud } from '../../src/provision/managed-cloud';
import { FleetStack } from '../../stacks/index';
import { ignoreUnaskedClusters, record, type Registered } from './record';
import { RULES, SECRET } from './rules';

ignoreUnaskedClusters();

/** Every example that has a lock and is made of manifests, with the names of its clusters. */
const fleets = readdirSync('examples')
  .map((name) => join('examples', name))
  .filter((folder) => existsSync(join(folder, 'fleet.lock.yaml')) && !existsSync(join(folder, 'cdk8s.yaml')));

/** What the whole fleet of a folder becomes: its clusters on clouds are made. */
function registered(folder: string): Promise<Registered[]> {
  pulumi.runtime.setAllConfig({ 'gcp:project': 'models' });
  const existing = readManifests(folder, {}).resources.filter(
    (one) => one.kind === 'InferenceCluster' && !isManagedCloud(one.spec.cluster.source),
  );
  const kubeconfigs = existing.map(({ metadata }) => [metadata.name, `{"token": "${SECRET}"}`]);
  return record(() => {
    new FleetStack('all', { fleet: folder, kubeconfigs: Object.fromEntries(kubeconfigs) });
  });
}

function clustersOf(folder: string): string[] {
  return readdirSync(join(folder, 'expected'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

describe.each(fleets)('%s', (folder) => {
  let all: Registered[];
  beforeAll(async () => {
    all = await registered(folder);
  }, 60_000);

  test('has objects on every cluster', () => {
    const on = new Set(all.filter(({ name }) => name.includes('/')).map(({ name }) => name.split('/')[0]));
    expect([...on]).toEqual(expect.arrayContaining(clustersOf(folder)));
  });

  test.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(rule(all)).toEqual([]);
  });
});
