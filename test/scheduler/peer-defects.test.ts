import { ask, cache, cluster, deployment, device, engine, nodeClass, placed, run } from './build';
import { checkChange } from './history';
import { check } from './rows';

const H100 = nodeClass('h100');
const TWO = { a: 'h100 x 2' };
const region = (name: string, storage = false) => ({ labels: { region: name }, storage });
const taint = (effect: string) => ({ taints: [{ key: 'down', effect }] });

/** Replicas that mount `ml/weights`. */
const withCache = (replicas: number) =>
  deployment('ml/q', { replicas, template: { modelCacheRef: { name: 'weights' } } });

/** What other schedulers of such fleets get wrong, each with the fleet on which it shows. */
describe('known defects elsewhere', () => {
  test('equal names in two namespaces do not count as each other’s replicas, nor share a node', () => {
    const fleet = [H100, cluster('eu', TWO), deployment('a/q'), deployment('b/q')];
    const first = run(fleet);
    expect(placed(first)).toEqual(['a/q eu/0 a', 'b/q eu/0 a']);
    expect(placed(run([...fleet, deployment('c/q')], first.placements))).toEqual(placed(first));
  });

  test('a cache’s selector does not override the deployment’s: both must hold', () => {
    check({
      resources: [
        H100,
        cluster('eu', TWO, region('eu', true)),
        cluster('us', TWO, region('us', true)),
        cache('ml/weights', { region: 'us' }),
        deployment('ml/q', {
          template: {
            modelCacheRef: { name: 'weights' },
            clusterSelector: { matchLabels: { region: 'eu' } },
          },
        }),
      ],
      want: [],
    });
  });

  test('a cache whose selector is narrowed evicts nothing, and new replicas heed it', () => {
    const eu = cluster('eu', TWO, region('eu', true));
    const us = cluster('us', TWO, region('us', true));
    checkChange({
      before: [H100, eu, us, cache('ml/weights'), withCache(1)],
      resources: [H100, eu, us, cache('ml/weights', { region: 'us' }), withCache(3)],
      want: ['ml/q eu/0 a', 'ml/q us/0 a', 'ml/q us/1 a'],
    });
  });

  test('fewer replicas are taken from a cluster that is going, not from a healthy one of a later name', () => {
    checkChange({
      before: [H100, cluster('eu', TWO), cluster('us', TWO), deployment('ml/q', { replicas: 2 })],
      resources: [H100, cluster('eu', TWO, taint('NoSchedule')), cluster('us', TWO), deployment('ml/q')],
      want: ['ml/q us/0 a'],
      evicted: ['ml/q eu/0 scaled-down'],
    });
  });

  test('a replica on a cluster that is drained does not count: its replacement is placed at once', () => {
    checkChange({
      before: [H100, cluster('eu', TWO), deployment('ml/q')],
      resources: [H100, cluster('eu', TWO, taint('NoExecute')), cluster('us', TWO), deployment('ml/q')],
      want: ['~ml/q eu/0 a', 'ml/q us/0 a'],
      evicted: ['ml/q eu/0 rejected'],
    });
  });

  test('one of three replicas placed is a shortfall of two, not success', () => {
    const { placements, shortfalls } = run([
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      deployment('ml/q', { replicas: 3 }),
    ]);
    expect(placements).toHaveLength(1);
    expect(shortfalls.map(({ deployment, missing }) => [deployment, missing])).toEqual([['ml/q', 2]]);
  });

  test('requests are matched together: one that could take any device leaves those that another needs', () => {
    const mixed = nodeClass(
      'mixed',
      device('a', { count: 1, architecture: 'Hopper' }),
      device('b', { count: 1, architecture: 'Ada' }),
    );
    const hopper = 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"';
    const any = 'device.driver == "gpu.nvidia.com"';
    const asking = (...requests: Record<string, unknown>[]) => [
      mixed,
      cluster('eu', { a: 'mixed x 1' }),
      deployment('ml/q', { engines: [engine('main', requests)] }),
    ];
    check({ resources: asking(ask('any', 1, any), ask('hopper', 1, hopper)), want: ['ml/q eu/0 a'] });
    check({ resources: asking(ask('hopper', 1, hopper), ask('any', 1, any)), want: ['ml/q eu/0 a'] });
  });

  test('engines are matched together: one that could use any pool leaves the one that another needs', () => {
    const big = nodeClass('big', device('gpu', { memory: '140Gi' }));
    const large = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("100Gi")) >= 0';
    const engines = [
      engine('any', [ask('gpu', 8)], { copies: 2 }),
      engine('large', [ask('gpu', 8, large)], { copies: 2 }),
    ];
    for (const inOrder of [engines, engines.toReversed()]) {
      check({
        resources: [
          H100,
          big,
          cluster('eu', { a: 'big x 2', b: 'h100 x 2' }),
          deployment('ml/q', { engines: inOrder }),
        ],
        want: ['ml/q eu/0 b+a'],
      });
    }
  });

  test('a pod is charged for its devices, not for the node: eight of one GPU share a node of eight', () => {
    check({
      resources: [H100, cluster('eu', { a: 'h100 x 1' }), deployment('ml/q', { replicas: 9, gpus: 1 })],
      want: Array.from({ length: 8 }, (_, i) => `ml/q eu/${i} a`),
    });
  });
});
