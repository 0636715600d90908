import { cache, deployment, lockedTeams, service, SHARED } from './fleet';

interface Case {
  readonly write: Readonly<Record<string, string>>;
  readonly want: string;
}

/** Errors after which no one knows what is declared, or where it may run. */
const FATAL: Record<string, Case> = {
  'a file that is no YAML': { write: { 'fleet/a.yaml': 'kind: [' }, want: 'fleet/a.yaml' },
  'a file with the marks of a merge': {
    write: { 'fleet/a.yaml': `<<<<<<< HEAD\n${deployment('a/q')}` },
    want: 'fleet/a.yaml',
  },
  'a document after a wrong sign': {
    write: { 'fleet/a.yaml': `${deployment('a/q')}---\na: [\n` },
    want: 'fleet/a.yaml',
  },
  'a misspelt kind': {
    write: { 'fleet/a.yaml': deployment('a/q').replace('ModelDeployment', 'ModelDeploymnet') },
    want: "'ModelDeploymnet'",
  },
  'a version that no one reads': {
    write: { 'fleet/a.yaml': deployment('a/q').replace('v1alpha1', 'v9') },
    want: 'fleet/a.yaml:1',
  },
  'a deployment without a name': {
    write: { 'fleet/a.yaml': deployment('a/q').replace('name: q, ', '') },
    want: 'fleet/a.yaml:3',
  },
  'a deployment with a namespace of the wrong form': {
    write: { 'fleet/a.yaml': deployment('a/q').replace('namespace: a', 'namespace: A!') },
    want: 'fleet/a.yaml:3',
  },
  'a deployment with its name twice': {
    write: { 'fleet/a.yaml': deployment('a/q').replace('name: q,', 'name: q, name: r,') },
    want: 'fleet/a.yaml:3',
  },
  'a class with an unknown field': {
    write: { 'fleet/shared.yaml': SHARED.replace('count: 8', 'count: 8\n      colour: red') },
    want: 'fleet/shared.yaml',
  },
  'a cluster with a pool of a class that does not exist': {
    write: { 'fleet/shared.yaml': SHARED.replace('className: h100', 'className: h1000') },
    want: "there is no InferenceClass 'h1000'",
  },
  'a gateway on a cluster that does not exist': {
    write: { 'fleet/shared.yaml': SHARED.replace('clusters: [us]', 'clusters: [moon]') },
    want: "there is no InferenceCluster 'moon'",
  },
  'a damaged lock next to an error of a team': {
    write: { 'fleet/fleet.lock.yaml': 'version: 1\n', 'fleet/a.yaml': deployment('a/q', { count: 'many' }) },
    want: 'fleet/fleet.lock.yaml',
  },
};

describe.each(Object.entries(FATAL))('%s stops the run', (_, { write, want }) => {
  test.each(['plan ./fleet', 'lock ./fleet', 'lock ./fleet --only b', 'synth ./fleet --out ./out'])('%s', (command) => {
    const space = lockedTeams(false);
    space.write({ ...write, 'fleet/b.yaml': deployment('b/r', { replicas: 2 }) });
    const before = space.files();
    const { code, out, err } = space.run(command);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(want)]);
    expect(space.files()).toEqual(before);
    space.remove();
  });
});

test('errors of teams and of the fleet are reported together', () => {
  const space = lockedTeams(false);
  space.write({
    'fleet/a.yaml': deployment('a/q', { count: 'many' }),
    'fleet/b-service.yaml': service('b/chat', 'r').replace('spec:', 'spek:'),
    'fleet/a-cache.yaml': cache('a/model', 'sizeGiB: big'),
    'fleet/c.yaml': 'kind: [',
  });
  const { err } = space.run('lock ./fleet');
  for (const file of ['a', 'b-service', 'a-cache', 'c']) expect(err).toContain(`fleet/${file}.yaml:`);
  space.remove();
});

test('synth to a folder without the earlier manifests of a deployment with errors writes nothing', () => {
  const space = lockedTeams(false);
  space.write({ 'fleet/a.yaml': deployment('a/q', { count: 'many' }) });
  const { code, err } = space.run('synth ./fleet --out ./fresh');
  expect(code).toBe(1);
  expect(err).toContain('ModelDeployment a/q has errors, and its earlier manifest eu/a.q.yaml does not exist');
  expect(Object.keys(space.files()).filter((path) => path.startsWith('fresh/'))).toEqual([]);
  space.remove();
});
