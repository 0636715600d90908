import { SMALL, Workspace } from '../cli';

const GATEWAY = `
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceGateway
metadata: { name: public }
spec: { clusters: [us], hostname: models.example.com, tls: { issuer: { name: letsencrypt } } }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelService
metadata: { name: chat, namespace: ml }
spec:
  endpoints:
    - { selector: { matchLabels: { model: q } }, weight: 3 }
    - { selector: { matchLabels: { model: none } } }
`;
const CACHE = `
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelCache
metadata: { name: weights, namespace: ml }
spec: { source: S3, s3: { uri: s3://models/q, secretRef: { name: bucket } }, sizeGiB: 40 }
`;
const SERVED =
  SMALL.replace('  template:\n    spec:', '  template:\n    metadata: { labels: { model: q } }\n    spec:').replace(
    '  nodePools:',
    '  gateway: { hostname: us.example.com, tls: { issuer: { name: fleet }, caRef: { name: ca } } }\n  nodePools:',
  ) +
  GATEWAY +
  CACHE;

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SERVED });
});
afterEach(() => work.remove());

const shown: Record<string, { path: string; want: string[] }> = {
  'a cluster shows its pools, replicas, what has room, and its cost': {
    path: 'us',
    want: [
      'us: 1 pool, ',
      'Replicas:\n  = ml/q us/0',
      'Room for further replicas, of each deployment alone:\n  ml/q   ',
    ],
  },
  'a cluster shows how many further replicas have a place': {
    path: 'us',
    want: ['ml/q   yes: 1 more replica\n'],
  },
  'a cluster is found by its kind': { path: 'cluster/us', want: ['us: 1 pool'] },
  'a cluster in JSON has the same': { path: 'us --json', want: ['"kind": "ClusterExplanation"', '"inUse": '] },
  'a service shows its entries, and those that select nothing': {
    path: 'ml/chat',
    want: [
      'ml/chat: 2 entries',
      'endpoints[0]   model=q; weight 3',
      'endpoints[1]   model=none; weight 1\n  selects nothing',
    ],
  },
  'a deployment, a service or a class is found by its name alone, if nothing else has it': {
    path: 'chat',
    want: ['ml/chat: 2 entries'],
  },
  'a field is found by its name alone, and its short form is named': {
    path: 'rollout',
    want: ["ModelDeployment.spec.rollout   object, or just the text 'Recreate'"],
  },
  'a service shows who may call it, and a gateway the services behind it': {
    path: 'gateway/public',
    want: ['gateway public: ', 'ml/chat   ', 'clients: everyone who reaches the gateway'],
  },
  'a service is found by its kind': { path: 'service/ml/chat', want: ['ml/chat: 2 entries'] },
  'a cache shows its source, who uses it, and what clusters lack': {
    path: 'ml/weights',
    want: [
      'ml/weights: S3 s3://models/q, on no cluster, 0 deployments use it',
      'ModelCache ml/weights is not staged, because no replica mounts it.',
      'No deployment uses it.',
      'Not on us: it declares no shared file system. Set spec.storage',
    ],
  },
  'a cache is found by its kind': {
    path: 'cache/ml/weights --json',
    want: ['"kind": "CacheExplanation"', '"others": '],
  },
  'a service in JSON has its entries': {
    path: 'ml/chat --json',
    want: ['"kind": "ServiceExplanation"', '"weight": 3'],
  },
};

test.each(Object.entries(shown))('%s', (_, { path, want }) => {
  const { out, err } = work.run(`explain ${path.replace(/ .*/, '')} ./${path.replace(/^\S*/, '')}`);
  for (const text of want) expect(out + err).toContain(text);
});

test('a deployment that hides a service of the same name ends with the command that shows it', () => {
  work.write({ 'fleet.yaml': SERVED.replace('name: chat, namespace: ml', 'name: q, namespace: ml') });
  const hint = "Another part of the fleet with this name: 'fleetwright explain service/ml/q .'.";
  expect(work.run('explain ml/q ./').out).toContain(hint);
  expect(work.run('explain ml/q ./ --json').out).not.toContain(hint);
  expect(work.run('explain service/ml/q ./').out).not.toContain('Another part');
});

test('a service behind a gateway of two clusters has one line for its address', () => {
  const cluster = SERVED.split('---\n').find((text) => text.includes('kind: InferenceCluster')) ?? '';
  const other = cluster.replace('name: us', 'name: eu').replace('us.example.com', 'eu.example.com');
  work.write({ 'fleet.yaml': SERVED.replace('clusters: [us]', 'clusters: [us, eu]'), 'eu.yaml': other });
  const { out } = work.run('explain gateway/public ./');
  expect(out.match(/^ml\/chat .*$/gm)).toEqual(['ml/chat   https://models.example.com/ml/chat/ on eu, us']);
});

test('a limit of requests has the number that passes at all proxies of all gateways', () => {
  const cluster = SERVED.split('---\n').find((text) => text.includes('kind: InferenceCluster')) ?? '';
  const other = cluster.replace('name: us', 'name: eu').replace('us.example.com', 'eu.example.com');
  const limited = SERVED.replace('  endpoints:\n', '  rateLimits: [{ requests: 300 }]\n  endpoints:\n');
  work.write({ 'fleet.yaml': limited.replace('clusters: [us]', 'clusters: [us, eu]'), 'eu.yaml': other });
  const clients =
    'lients: everyone who reaches the gateway; 300 requests a minute for all together, at each of 4 gateway proxies (up to 1,200)\n';
  expect(work.run('explain ml/chat ./').out).toContain(clients);
  expect(work.run('explain gateway/public ./').out).toContain(clients);
});

test('a service with errors shows these', () => {
  work.write({ 'fleet.yaml': SERVED.replace('weight: 3', 'weigth: 3') });
  const { code, err } = work.run('explain ml/chat ./');
  expect(err).toContain("unknown field 'weigth'");
  expect(code).toBe(1);
});

const refused: Record<string, { path: string; want: string }> = {
  'a misspelled service suggests its name': { path: 'ml/chatt', want: "Did you mean 'ml/chat'?" },
  'a kind without its prefix suggests the kind': { path: 'Deployment.spec', want: "Did you mean 'ModelDeployment'?" },
  'a name that several fields have lists them': {
    path: 'hostname',
    want: " fields have the name 'hostname'. Write one of ",
  },
  'the plural of a kind without its prefix too': { path: 'services', want: "Did you mean 'ModelService'?" },
  'a field of the specification suggests its path': {
    path: 'ModelDeployment.replicas',
    want: "Did you mean 'spec.replicas'?",
  },
};

test.each(Object.entries(refused))('%s', (_, { path, want }) => {
  const { code, err } = work.run(`explain ${path} ./`);
  expect(err).toContain(want);
  expect(code).toBe(1);
});

test('a folder before the name is an error with the right order', () => {
  const { code, err } = work.run('explain ./ ml/chat');
  expect(err).toContain("Write the name first: 'fleetwright explain ml/chat .'");
  expect(code).toBe(1);
});

test('a cluster that only the lock has names the replicas there', () => {
  work.run('lock ./');
  work.write({
    'fleet.yaml': SERVED.replace('  name: us\n', '  name: eu\n').replace('clusters: [us]', 'clusters: [eu]'),
  });
  const { code, err } = work.run('explain us ./');
  expect(err).toMatch(/the cluster 'us' is not declared, and the lock has \d+ replicas? there, of ml\/q/);
  expect(code).toBe(1);
});

test('a service of which the lock is out of date says that it shows the plan', () => {
  expect(work.run('explain ml/chat ./').out).toContain("As planned: 'fleetwright lock' has not written this yet.");
  work.run('lock ./');
  expect(work.run('explain ml/chat ./').out).not.toContain('As planned');
});
