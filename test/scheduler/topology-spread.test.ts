import { cluster, deployment, fleetDomains, nodeClass, nodeClassWith, run } from './build';
import { type Change, checkChange } from './history';
import { type Case, check } from './rows';

const H100 = nodeClass('h100');
const dear = nodeClassWith('dear', { price: 10 });
const cheap = nodeClassWith('cheap', { price: 6 });
const region = (name: string) => ({ labels: { region: name } });

const placing = (placement: Record<string, unknown>, replicas = 1) =>
  deployment('ml/q', { replicas, spec: { placement } });

/** A deployment that takes what it can get. */
const some = (placement: Record<string, unknown>, replicas: number) =>
  deployment('ml/q', { replicas, spec: { placement, allowPartial: true } });

/** Clusters in a failure domain. */
const FOUR = { a: 'h100 x 4' };
const zone = (name: string) => ({ labels: { zone: name } });

const domains: Record<string, Case> = {
  'the domain with the fewest replicas comes before the fewest on a cluster': {
    resources: [
      H100,
      cluster('eu-a', FOUR, zone('eu')),
      cluster('eu-b', FOUR, zone('eu')),
      cluster('us', FOUR, zone('us')),
      placing({ spreadBy: 'zone' }, 4),
    ],
    want: ['ml/q eu-a/0 a', 'ml/q eu-b/0 a', 'ml/q us/0 a', 'ml/q us/1 a'],
  },
  'and before any other policy': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }, zone('eu')),
      cluster('us', { a: 'h100 x 2' }, zone('us')),
      placing({ policy: 'Preferred', preferred: [{ matchLabels: { zone: 'us' } }], spreadBy: 'zone' }, 2),
    ],
    want: ['ml/q eu/0 a', 'ml/q us/0 a'],
  },
  'within a domain the policy decides': {
    resources: [
      dear,
      cheap,
      cluster('eu-a', { a: 'dear x 1' }, zone('eu')),
      cluster('eu-b', { a: 'cheap x 1' }, zone('eu')),
      cluster('us', { a: 'dear x 1' }, zone('us')),
      placing({ policy: 'Cheapest', spreadBy: 'zone' }, 2),
    ],
    want: ['ml/q eu-b/0 a', 'ml/q us/0 a'],
  },
  'each cluster is a domain of its own, of which there must be two': {
    resources: [
      H100,
      cluster('a', { a: 'h100 x 9' }, zone('eu')),
      cluster('b', { a: 'h100 x 1' }, zone('eu')),
      placing({ policy: 'Pack', spreadBy: 'cluster', minDomains: 2 }, 4),
    ],
    want: ['ml/q a/0 a', 'ml/q a/1 a', 'ml/q a/2 a', 'ml/q b/0 a'],
  },
  'the label of the cluster names the same domains': {
    resources: [
      H100,
      cluster('a', { a: 'h100 x 9' }),
      cluster('b', { a: 'h100 x 1' }),
      placing({ policy: 'Pack', spreadBy: 'fleetwright.dev/cluster', minDomains: 2 }, 2),
    ],
    want: ['ml/q a/0 a', 'ml/q b/0 a'],
  },
  'a name that the fleet declares stands for a label': {
    resources: [
      H100,
      fleetDomains({ rack: 'example.com/rack' }),
      cluster('a', FOUR, { labels: { 'example.com/rack': 'r1' } }),
      cluster('b', FOUR, { labels: { 'example.com/rack': 'r1' } }),
      cluster('c', FOUR, { labels: { 'example.com/rack': 'r2' } }),
      placing({ spreadBy: 'rack' }, 2),
    ],
    want: ['ml/q a/0 a', 'ml/q c/0 a'],
  },
  'region stands for the label of Kubernetes': {
    resources: [
      H100,
      cluster('a', FOUR, { labels: { 'topology.kubernetes.io/region': 'eu' } }),
      cluster('b', FOUR, { labels: { 'topology.kubernetes.io/region': 'eu' } }),
      cluster('c', FOUR, { labels: { 'topology.kubernetes.io/region': 'us' } }),
      placing({ spreadBy: 'region' }, 2),
    ],
    want: ['ml/q a/0 a', 'ml/q c/0 a'],
  },
  'unless the fleet says otherwise': {
    resources: [
      H100,
      fleetDomains({ region: 'region' }),
      cluster('a', FOUR, region('eu')),
      cluster('b', FOUR, region('eu')),
      cluster('c', FOUR, region('us')),
      placing({ spreadBy: 'region' }, 2),
    ],
    want: ['ml/q a/0 a', 'ml/q c/0 a'],
  },
};

const a = cluster('a', FOUR, zone('a'));
const a2 = cluster('a-2', FOUR, zone('a'));
const b = cluster('b', FOUR, zone('b'));
const full = cluster('c', { a: 'h100 x 0' }, zone('c'));

const limits: Record<string, Case> = {
  'maxPerCluster: no cluster gets more, though it has room': {
    resources: [H100, a, b, some({ maxPerCluster: 1 }, 3)],
    want: ['ml/q a/0 a', 'ml/q b/0 a'],
  },
  'maxPerCluster: the policy goes on among the others': {
    resources: [H100, a, b, placing({ policy: 'Pack', maxPerCluster: 2 }, 3)],
    want: ['ml/q a/0 a', 'ml/q a/1 a', 'ml/q b/0 a'],
  },
  'maxPerDomain: no domain gets more, on whichever of its clusters': {
    resources: [H100, a, a2, b, some({ spreadBy: 'zone', maxPerDomain: 1 }, 3)],
    want: ['ml/q a/0 a', 'ml/q b/0 a'],
  },
  'maxPerDomain and maxPerCluster hold together': {
    resources: [H100, a, a2, b, some({ spreadBy: 'zone', maxPerDomain: 2, maxPerCluster: 1 }, 9)],
    want: ['ml/q a/0 a', 'ml/q a-2/0 a', 'ml/q b/0 a'],
  },
  'minDomains: the last replica is kept for a domain that has none': {
    resources: [H100, a, b, full, placing({ spreadBy: 'zone', minDomains: 3 }, 4)],
    want: ['ml/q a/0 a', 'ml/q a/1 a', 'ml/q b/0 a'],
  },
  'minDomains: so are as many as there are domains to come': {
    resources: [
      H100,
      a,
      full,
      cluster('d', { a: 'h100 x 0' }, zone('d')),
      placing({ spreadBy: 'zone', minDomains: 3 }, 4),
    ],
    want: ['ml/q a/0 a', 'ml/q a/1 a'],
  },
  'minDomains: a replica that is kept goes to a domain that has none': {
    resources: [H100, a, b, placing({ spreadBy: 'zone', minDomains: 2 }, 2)],
    want: ['ml/q a/0 a', 'ml/q b/0 a'],
  },
  'minDomains: where enough domains are used, any takes the rest': {
    resources: [H100, a, b, full, placing({ spreadBy: 'zone', minDomains: 2 }, 4)],
    want: ['ml/q a/0 a', 'ml/q a/1 a', 'ml/q b/0 a', 'ml/q b/1 a'],
  },
  'a cluster without the label is in no domain and takes no replica': {
    resources: [H100, cluster('0', FOUR), a, some({ spreadBy: 'zone' }, 2)],
    want: ['ml/q a/0 a', 'ml/q a/1 a'],
  },
  'limits are those of one deployment': {
    resources: [
      H100,
      a,
      placing({ maxPerCluster: 1 }),
      deployment('ml/r', { spec: { placement: { maxPerCluster: 1 } } }),
    ],
    want: ['ml/q a/0 a', 'ml/r a/0 a'],
  },
};

const later: Record<string, Change> = {
  'replicas that are there count': {
    before: [H100, a, placing({ spreadBy: 'zone' })],
    resources: [H100, a, a2, b, placing({ spreadBy: 'zone' }, 2)],
    want: ['ml/q a/0 a', 'ml/q b/0 a'],
  },
  'replicas that are there count against a limit': {
    before: [H100, a, placing({ spreadBy: 'zone' }, 2)],
    resources: [H100, a, a2, b, placing({ spreadBy: 'zone', maxPerDomain: 2, maxPerCluster: 3 }, 4)],
    want: ['ml/q a/0 a', 'ml/q a/1 a', 'ml/q b/0 a', 'ml/q b/1 a'],
  },
  'a limit that is set later moves nothing': {
    before: [H100, a, placing({}, 2)],
    resources: [H100, a, b, placing({ maxPerCluster: 1 }, 2)],
    want: ['ml/q a/0 a', 'ml/q a/1 a'],
  },
  'nor does another policy': {
    before: [H100, a, placing({}, 2)],
    resources: [
      H100,
      a,
      b,
      placing({ policy: 'Preferred', preferred: [{ matchLabels: { zone: 'b' } }], spreadBy: 'zone' }, 2),
    ],
    want: ['ml/q a/0 a', 'ml/q a/1 a'],
  },
};

describe('failure domains', () => {
  test.each(Object.entries(domains))('%s', (_, row) => check(row));
});
describe('limits', () => void test.each(Object.entries(limits))('%s', (_, row) => check(row)));
describe('a change', () => void test.each(Object.entries(later))('%s', (_, row) => checkChange(row)));

test('a cluster that only a limit of placement closes has no further reason', () => {
  const resources = [
    H100,
    cluster('eu', FOUR, zone('eu')),
    cluster('us', {}, zone('us')),
    placing({ spreadBy: 'zone', minDomains: 2 }, 2),
  ];
  const [short] = run(resources).shortfalls;
  const [closed] = short?.rejections ?? [];
  expect(closed).toMatchObject({ cluster: 'eu', reason: { filter: 'spread', limit: 'minDomains' } });
  expect(closed?.also).toBeUndefined();
});
