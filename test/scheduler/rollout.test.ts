import { ask, cluster, deployment, engine, nodeClass, run } from './build';
import { type Case, check } from './rows';

const H100 = nodeClass('h100');
const rolled = (options: Parameters<typeof deployment>[1] = {}, rollout: unknown = { surge: 1 }) =>
  deployment('ml/q', { ...options, spec: { rollout, allowPartial: true } });

const cases: Record<string, Case> = {
  'a surge keeps room for one pod of each engine more': {
    resources: [H100, cluster('eu', { a: 'h100 x 3' }), rolled({ replicas: 2 })],
    want: ['ml/q eu/0 a'],
  },
  'and for no more than one, whatever the copies': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }),
      rolled({ engines: [engine('main', [ask('gpu', 8)], { copies: 3 })] }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'not even where it would have room with one node less': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 3' }),
      rolled({ engines: [engine('main', [ask('gpu', 8)], { copies: 3 })] }),
    ],
    want: [],
  },
  'a gang needs room for a group more': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 5' }),
      cluster('us', { a: 'h100 x 6' }),
      rolled({ replicas: 2, engines: [engine('main', [ask('gpu', 8)], { workers: 2 })] }),
    ],
    want: ['ml/q us/0 a'],
  },
  'without one no room is kept': {
    resources: [H100, cluster('eu', { a: 'h100 x 2' }), rolled({ replicas: 2 }, {})],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'recreating everything keeps none either': {
    resources: [H100, cluster('eu', { a: 'h100 x 2' }), rolled({ replicas: 2 }, 'Recreate')],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
};

test.each(Object.entries(cases))('schedule with a surge: %s', (_, row) => check(row));

/** Two replicas of `ml/q` in a fleet with room for a pod more beside each. */
function roomy(rollout: unknown) {
  const clusters = ['eu', 'us'].map((name) => cluster(name, { a: 'h100 x 4' }));
  return [H100, ...clusters, rolled({ replicas: 2 }, rollout)];
}

test('a surge changes nothing of what a replica is, so it moves nothing where there is room', () => {
  const { placements } = run(roomy({}));
  const after = run(roomy({ surge: 1 }), placements);
  expect(after.placements).toEqual(placements);
  expect(after.evictions).toEqual([]);
});
