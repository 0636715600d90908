import { cluster, deployment, device, nodeClass, nodeClassWith } from './build';
import { type Case, check } from './rows';

const H100 = nodeClass('h100');
const L4 = nodeClass('l4', device('gpu', { memory: '24Gi' }));
const region = (name: string) => ({ labels: { region: name } });

/** A deployment that goes to one cluster before others are placed. */
const first = (id: string, name: string, gpus = 8) =>
  deployment(id, {
    gpus,
    spec: { priority: 1 },
    template: { clusterSelector: { matchLabels: { region: name } } },
  });
const placing = (placement: Record<string, unknown>, replicas = 1, gpus = 8) =>
  deployment('ml/q', { replicas, gpus, spec: { placement } });
const preferring = (replicas: number, ...regions: string[]) =>
  placing({ policy: 'Preferred', preferred: regions.map((name) => ({ matchLabels: { region: name } })) }, replicas);

const eu = cluster('eu', { a: 'h100 x 2' }, region('eu'));
const us = cluster('us', { a: 'h100 x 2' }, region('us'));

const spread: Record<string, Case> = {
  'goes where the fewest of its own are, however full the cluster is': {
    resources: [H100, eu, us, first('ml/other', 'eu'), placing({ policy: 'Spread' }, 2)],
    want: ['ml/other eu/0 a', 'ml/q eu/0 a', 'ml/q us/0 a'],
  },
  'takes the first cluster by name among equals': {
    resources: [H100, eu, us, placing({ policy: 'Spread' })],
    want: ['ml/q eu/0 a'],
  },
};

Object.assign(spread, {
  'settles ties by the free room for the deployment': {
    resources: [H100, eu, cluster('us', { a: 'h100 x 3' }), placing({ policy: 'Spread' })],
    want: ['ml/q us/0 a'],
  },
  'counts only room that suits the deployment': {
    resources: [
      H100,
      nodeClass('other', device('gpu', { className: 'npu.example.com' })),
      cluster('eu', { a: 'h100 x 1', b: 'other x 9' }),
      cluster('us', { a: 'h100 x 2' }),
      placing({ policy: 'Spread' }),
    ],
    want: ['ml/q us/0 a'],
  },
  'leaves no cluster empty while others fill': {
    resources: [H100, eu, us, ...['a', 'b', 'c', 'd'].map((name) => deployment(`ml/${name}`))],
    want: ['ml/a eu/0 a', 'ml/b us/0 a', 'ml/c eu/0 a', 'ml/d us/0 a'],
  },
  'takes c2 before c10 among equals': {
    resources: [
      H100,
      cluster('c10', { a: 'h100 x 1' }),
      cluster('c2', { a: 'h100 x 1' }),
      placing({ policy: 'Spread' }),
    ],
    want: ['ml/q c2/0 a'],
  },
} satisfies Record<string, Case>);

const pack: Record<string, Case> = {
  'goes to the fullest cluster that has room, then to the next': {
    resources: [
      H100,
      eu,
      cluster('us', { a: 'h100 x 3' }, region('us')),
      first('ml/other', 'us'),
      placing({ policy: 'Pack' }, 3),
    ],
    want: ['ml/other us/0 a', 'ml/q eu/0 a', 'ml/q us/0 a', 'ml/q us/1 a'],
  },
  'takes the first cluster by name among equals, and stays there': {
    resources: [H100, eu, us, placing({ policy: 'Pack' }, 2)],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'measures devices, not replicas': {
    resources: [
      H100,
      eu,
      us,
      first('ml/one', 'us', 4),
      first('ml/two', 'eu', 1),
      first('ml/three', 'eu', 1),
      placing({ policy: 'Pack' }, 1, 1),
    ],
    want: ['ml/one us/0 a', 'ml/q us/0 a', 'ml/three eu/0 a', 'ml/two eu/0 a'],
  },
  'measures by the size of the cluster': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 8' }, region('eu')),
      us,
      first('ml/one', 'eu', 2),
      first('ml/two', 'us', 1),
      placing({ policy: 'Pack' }, 1, 1),
    ],
    want: ['ml/one eu/0 a', 'ml/q us/0 a', 'ml/two us/0 a'],
  },
  'measures again after each replica, of whichever deployment': {
    resources: [
      H100,
      eu,
      us,
      deployment('ml/first', {
        spec: { priority: 1, placement: { policy: 'Pack' } },
        template: { clusterSelector: { matchLabels: { region: 'us' } } },
      }),
      placing({ policy: 'Pack' }),
    ],
    want: ['ml/first us/0 a', 'ml/q us/0 a'],
  },
  'has nothing to pack on a cluster without nodes': {
    resources: [H100, cluster('eu', { a: 'h100 x 0' }), us, placing({ policy: 'Pack' })],
    want: ['ml/q us/0 a'],
  },
};

const dear = nodeClassWith('dear', { price: 10 });
const cheap = nodeClassWith('cheap', { price: 6 });
const small = nodeClassWith('small', { price: 6 }, device('gpu', { count: 4 }));

const cheapest: Record<string, Case> = {
  'goes where a node costs least, then to the next': {
    resources: [
      dear,
      cheap,
      cluster('eu', { a: 'dear x 2' }),
      cluster('us', { a: 'cheap x 1' }),
      placing({ policy: 'Cheapest' }, 2),
    ],
    want: ['ml/q eu/0 a', 'ml/q us/0 a'],
  },
  'counts the share of a node that it takes': {
    resources: [
      dear,
      small,
      cluster('eu', { a: 'small x 1' }),
      cluster('us', { a: 'dear x 1' }),
      placing({ policy: 'Cheapest' }, 1, 4),
    ],
    want: ['ml/q us/0 a'],
  },
  'takes a cluster whose price no one states last': {
    resources: [
      H100,
      dear,
      cluster('eu', { a: 'h100 x 2' }),
      cluster('us', { a: 'dear x 1' }),
      placing({ policy: 'Cheapest' }, 2),
    ],
    want: ['ml/q eu/0 a', 'ml/q us/0 a'],
  },
  'takes the first cluster by name among equals, known or not': {
    resources: [
      dear,
      H100,
      cluster('b', { a: 'dear x 1' }),
      cluster('a', { a: 'dear x 1' }),
      cluster('d', { a: 'h100 x 1' }),
      cluster('c', { a: 'h100 x 1' }),
      placing({ policy: 'Cheapest' }, 3),
    ],
    want: ['ml/q a/0 a', 'ml/q b/0 a', 'ml/q c/0 a'],
  },
  'prefers the cheap pool of a cluster, and one without a price last': {
    resources: [
      dear,
      cheap,
      H100,
      cluster('eu', { a: 'h100 x 1', b: 'dear x 1', c: 'cheap x 1' }),
      placing({ policy: 'Cheapest' }, 2),
    ],
    want: ['ml/q eu/0 c', 'ml/q eu/1 b'],
  },
  'takes the smaller devices of a cluster without prices': {
    resources: [H100, L4, cluster('eu', { a: 'h100 x 1', b: 'l4 x 1' }), placing({ policy: 'Cheapest' })],
    want: ['ml/q eu/0 b'],
  },
  'takes the smaller devices of a cluster with equal prices': {
    resources: [
      dear,
      nodeClassWith('dear-l4', { price: 10 }, device('gpu', { memory: '24Gi' })),
      cluster('eu', { a: 'dear x 1', b: 'dear-l4 x 1' }),
      placing({ policy: 'Cheapest' }),
    ],
    want: ['ml/q eu/0 b'],
  },
  'a node that costs nothing is not a node whose price no one states': {
    resources: [
      H100,
      nodeClassWith('owned', { price: 0 }),
      cluster('eu', { a: 'h100 x 1' }),
      cluster('us', { a: 'owned x 1' }),
      placing({ policy: 'Cheapest' }),
    ],
    want: ['ml/q us/0 a'],
  },
};

const preferred: Record<string, Case> = {
  'goes to the first of the list while that has room, then to the next': {
    resources: [H100, eu, us, preferring(3, 'us', 'eu')],
    want: ['ml/q eu/0 a', 'ml/q us/0 a', 'ml/q us/1 a'],
  },
  'goes to clusters that are not listed last': {
    resources: [H100, eu, us, preferring(3, 'us')],
    want: ['ml/q eu/0 a', 'ml/q us/0 a', 'ml/q us/1 a'],
  },
  'takes the first cluster by name where an entry selects several': {
    resources: [H100, us, cluster('us-0', { a: 'h100 x 1' }, region('us')), preferring(1, 'us')],
    want: ['ml/q us/0 a'],
  },
  'counts the best entry of a cluster': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }, { labels: { region: 'eu', tier: 'a' } }),
      cluster('us', { a: 'h100 x 1' }, { labels: { region: 'us', tier: 'a' } }),
      placing({
        policy: 'Preferred',
        preferred: [{ matchLabels: { region: 'us' } }, { matchLabels: { tier: 'a' } }],
      }),
    ],
    want: ['ml/q us/0 a'],
  },
};

describe('the policy', () => {
  test.each(Object.entries(spread))('Spread %s', (_, row) => check(row));
  test.each(Object.entries(pack))('Pack %s', (_, row) => check(row));
  test.each(Object.entries(cheapest))('Cheapest %s', (_, row) => check(row));
  test.each(Object.entries(preferred))('Preferred %s', (_, row) => check(row));
});
