import { ask, cluster, deployment, device, engine, nodeClass } from './build';
import { type Case, check } from './rows';

const H100 = nodeClass('h100');

const cases: Record<string, Case> = {
  'copies are charged each': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 3' }),
      cluster('us', { a: 'h100 x 4' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { copies: 4 })] }),
    ],
    want: ['ml/q us/0 a'],
  },
  'of bounds of copies, the upper one is charged': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 3' }, { monitoring: {} }),
      cluster('us', { a: 'h100 x 4' }, { monitoring: {} }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { copies: { min: 1, max: 4 } })] }),
    ],
    want: ['ml/q us/0 a'],
  },
  'a gang takes a node for the leader and one for each worker': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }),
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { workers: 2 })] }),
    ],
    want: ['ml/q us/0 a'],
  },
  'a gang is not split over pools': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1', b: 'h100 x 1' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { workers: 1 })] }),
    ],
    want: [],
  },
  'engines of one replica may go to different pools of one cluster': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1', b: 'h100 x 1' }),
      deployment('ml/q', { engines: [engine('x', [ask('gpu', 8)]), engine('y', [ask('gpu', 8)])] }),
    ],
    want: ['ml/q eu/0 a+b'],
  },
  'but never to different clusters': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q', { engines: [engine('x', [ask('gpu', 8)]), engine('y', [ask('gpu', 8)])] }),
    ],
    want: [],
  },
  'an engine that could use any pool makes way for one that cannot': {
    // By memory, x prefers pool a; y can use nothing else.
    resources: [
      nodeClass('small', device('gpu', { memory: '40Gi', attributes: { only: { string: 'y' } } })),
      nodeClass('large', device('gpu', { memory: '80Gi', attributes: { only: { string: 'x' } } })),
      cluster('eu', { a: 'small x 1', b: 'large x 1' }),
      deployment('ml/q', {
        engines: [
          engine('x', [ask('gpu', 8)]),
          engine('y', [ask('gpu', 8, 'device.attributes["gpu.nvidia.com"].only == "y"')]),
        ],
      }),
    ],
    want: ['ml/q eu/0 b+a'],
  },
  'a member without devices follows its engine and is charged nothing': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      deployment('ml/q', {
        engines: [{ ...engine('main', [ask('gpu', 8)], { workers: 1 }), members: claimlessLeader() }],
      }),
    ],
    want: ['ml/q eu/0 a'],
  },
};

function claimlessLeader(): unknown[] {
  const gang = engine('main', [ask('gpu', 8)], { workers: 1 }) as { members: Record<string, unknown>[] };
  const [{ nodeSelector: _, ...leader }, worker] = gang.members as [Record<string, unknown>, Record<string, unknown>];
  return [leader, worker];
}

test.each(Object.entries(cases))('fit: %s', (_, row) => check(row));
