import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { record, type Registered } from './record';
import { type Cluster, ExistingCluster, FleetStack } from '../../stacks';

/** Every example that has a lock and is made of manifests, with the names of its clusters. */
const fleets = readdirSync('examples')
  .map((name) => join('examples', name))
  .filter((folder) => existsSync(join(folder, 'fleet.lock.yaml')) && !existsSync(join(folder, 'cdk8s.yaml')));

const SECRET = 'a-token-of-the-kubeconfig';

/** What the whole fleet of a folder becomes, on clusters that exist. */
function registered(folder: string): Promise<Registered[]> {
  const names = new Set(clustersOf(folder));
  return record(() => {
    const made = [...names].map((name): [string, Cluster] => [
      name,
      new ExistingCluster(name, { kubeconfig: `{"token": "${SECRET}"}` }),
    ]);
    new FleetStack('all', { fleet: folder, clusters: Object.fromEntries(made) });
  });
}

function clustersOf(folder: string): string[] {
  return readdirSync(join(folder, 'expected'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** Rules over everything that a program registers: each finds what breaks it. */
const rules: Record<string, (all: readonly Registered[]) => unknown[]> = {
  'every resource of a cluster names its provider: the kubeconfig at hand is never used': (all) =>
    all.filter(
      ({ type, provider }) => type.startsWith('kubernetes:') && !provider.startsWith('pulumi:providers:'),
    ),
  'what is on a cluster is on the provider of that cluster': (all) =>
    all.filter(
      ({ name, provider }) => name.includes('/') && provider.split(' ').at(-1) !== name.split('/')[0],
    ),
  'no two resources of a type have one name': (all) => {
    const ids = all.map(({ type, name }) => `${type} ${name}`);
    return ids.filter((id, index) => ids.indexOf(id) !== index);
  },
  'everything but the stack has a parent that was registered before it': (all) => {
    const seen = new Set<string>();
    return all.filter(({ type, name, parent }) => {
      seen.add(`${type} ${name}`);
      return type !== 'pulumi:pulumi:Stack' && !seen.has(parent);
    });
  },
  'what is no component is in one of ours': (all) =>
    all.filter(({ custom, parent }) => custom && !parent.startsWith('fleetwright:index:')),
  'nothing waits for what comes later': (all) => {
    const seen = new Set<string>();
    return all.filter(({ type, name, dependsOn }) => {
      seen.add(`${type} ${name}`);
      return dependsOn.some((other) => !seen.has(other));
    });
  },
  'objects are destroyed before the releases of their cluster': (all) => {
    const releases = all.filter(({ type }) => type === 'kubernetes:helm.sh/v3:Release');
    const objects = all.filter(
      ({ type, parent }) => type.startsWith('kubernetes:') && parent.includes('Workloads'),
    );
    return objects.filter(({ name, dependsOn }) => {
      const own = releases.filter((one) => one.name.split('/')[0] === name.split('/')[0]);
      return own.some((one) => !dependsOn.includes(`${one.type} ${one.name}`));
    });
  },
  'workloads are destroyed before their namespace': (all) => {
    const names = new Set(all.map(({ name }) => name));
    return all.filter(({ name, inputs, dependsOn }) => {
      const { namespace } = (inputs['metadata'] ?? {}) as { namespace?: string };
      const wanted = `${name.split('/')[0]}/Namespace.${namespace}`;
      return names.has(wanted) && !dependsOn.some((other) => other.endsWith(` ${wanted}`));
    });
  },
  'the token of a cluster is in its provider alone, as a secret': (all) =>
    all.filter(({ type, inputs }) => {
      const plain = JSON.stringify(inputs, (key, value: unknown) => (key === 'secret' ? undefined : value));
      const secret = JSON.stringify(inputs).includes(SECRET);
      return plain.includes(SECRET) || (secret && !type.startsWith('pulumi:providers:'));
    }),
};

describe.each(fleets)('%s', (folder) => {
  let all: Registered[];
  beforeAll(async () => {
    all = await registered(folder);
  }, 60_000);

  test('has objects on every cluster', () => {
    const on = new Set(all.filter(({ name }) => name.includes('/')).map(({ name }) => name.split('/')[0]));
    expect([...on]).toEqual(expect.arrayContaining(clustersOf(folder)));
  });

  test.each(Object.entries(rules))('%s', (_, rule) => {
    expect(rule(all)).toEqual([]);
  });
});
