import { ask, askFirst, cluster, deployment, device, engine, nodeClass } from './build';
import { type Case, check } from './rows';

const HOPPER = 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"';
const ADA = 'device.attributes["gpu.nvidia.com"].architecture == "Ada"';
const ada = (count: number) => device('ada', { count, architecture: 'Ada', memory: '48Gi' });
const hopper = (count: number) => device('hopper', { count });
const eitherOf = (id: string, options: Parameters<typeof deployment>[1] = {}) =>
  deployment(id, {
    engines: [engine('main', [askFirst('gpu', ask('best', 4, HOPPER), ask('other', 8, ADA))])],
    ...options,
  });

const cases: Record<string, Case> = {
  'a replica places where only a later alternative is': {
    resources: [nodeClass('ada', ada(8)), cluster('eu', { a: 'ada x 1' }), eitherOf('ml/q')],
    want: ['ml/q eu/0 a'],
  },
  'not where no alternative has enough devices': {
    resources: [nodeClass('few', ada(4), hopper(2)), cluster('eu', { a: 'few x 4' }), eitherOf('ml/q')],
    want: [],
  },
  'it is charged for every alternative that the pool has': {
    // The cluster may give it four Hopper or eight Ada, so no one else is sure of either.
    resources: [
      nodeClass('both', ada(8), hopper(4)),
      cluster('eu', { a: 'both x 1' }),
      eitherOf('ml/q', { spec: { priority: 1 } }),
      deployment('ml/ada', { engines: [engine('main', [ask('gpu', 1, ADA)])] }),
      deployment('ml/hopper', { engines: [engine('main', [ask('gpu', 1, HOPPER)])] }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'and for nothing that the pool lacks': {
    resources: [
      nodeClass('both', ada(4), hopper(8)),
      cluster('eu', { a: 'both x 1' }),
      eitherOf('ml/q', { replicas: 2, spec: { priority: 1 } }),
      deployment('ml/ada', { engines: [engine('main', [ask('gpu', 4, ADA)])] }),
    ],
    want: ['ml/ada eu/0 a', 'ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'of alternatives from the same devices the largest is charged, not the sum': {
    resources: [
      nodeClass('one', hopper(8)),
      cluster('eu', { a: 'one x 1' }),
      deployment('ml/q', {
        replicas: 2,
        engines: [engine('main', [askFirst('gpu', ask('four', 4, HOPPER), ask('two', 2, HOPPER))])],
      }),
    ],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'an alternative that another request of the pod rules out is not charged': {
    resources: [
      nodeClass('both', ada(8), hopper(8)),
      cluster('eu', { a: 'both x 1' }),
      deployment('ml/q', {
        engines: [engine('main', [askFirst('gpu', ask('h', 8, HOPPER), ask('a', 4, ADA)), ask('rest', 8, HOPPER)])],
        spec: { priority: 1 },
      }),
      deployment('ml/ada', { engines: [engine('main', [ask('gpu', 4, ADA)])] }),
    ],
    want: ['ml/ada eu/0 a', 'ml/q eu/0 a'],
  },
};

test.each(Object.entries(cases))('alternatives: %s', (_, row) => check(row));
