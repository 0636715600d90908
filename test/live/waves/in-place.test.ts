import { ask, deployment, engine } from '../../scheduler/build';
import { check, edited, NEW, OLD, type Row, surging } from './build';

const rows: Record<string, Row> = {
  'not where an edit replaces pods in place': {
    before: [OLD],
    after: [surging('ml/old', 0, { replicas: 2, template: { tolerations: [{ operator: 'Exists' }] } })],
    want: [],
  },
  'one that goes for another of its own deployment': {
    before: [deployment('ml/a', { replicas: 1 }), NEW],
    after: [deployment('ml/a', { replicas: 2 })],
    want: [
      'ml/a (1 pod) would wait for devices of ml/new (1 pod), which is removed last. It has 2 nodes, and both need 1 more',
    ],
  },
  'a replica that grows in place next to another that goes': {
    before: [deployment('ml/a', { gpus: 4 }), deployment('ml/b', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 })],
    pools: { h100: 'h100 x 1' },
    want: [
      'ml/a (1 pod) would wait for devices of ml/b (1 pod), which is removed last. It has 1 node, and both need 1 more',
    ],
  },
  'not one that is new, where waves wait for what runs': {
    before: [deployment('ml/a', { replicas: 1 }), NEW],
    after: [deployment('ml/a', { replicas: 2 })],
    inWaves: ['ml/a'],
    want: [],
  },
  'one that grows in place, where waves wait for what runs': {
    before: [deployment('ml/a', { gpus: 4 }), deployment('ml/b', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 })],
    pools: { h100: 'h100 x 1' },
    inWaves: ['ml/a'],
    want: [
      'ml/a (1 pod) would wait for devices of ml/b (1 pod), which is removed last. It has 1 node, and both need 1 more',
    ],
  },
  'not one of a deployment without waves': {
    before: [deployment('ml/a', { gpus: 4 }), deployment('ml/b', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 })],
    pools: { h100: 'h100 x 1' },
    inWaves: ['ml/other'],
    want: [],
  },
  'a replica that moves in place to the pool of what goes': {
    before: [deployment('ml/a'), deployment('ml/b')],
    after: [deployment('ml/a')],
    pools: { h100: 'h100 x 1', other: 'h100 x 1' },
    lock: (lock) => ({
      ...lock,
      placements: lock.placements.slice(0, 1).map((one) => ({ ...one, pools: { main: 'other' } })),
    }),
    on: 'other',
    want: [
      'ml/a (1 pod) would wait for devices of ml/b (1 pod), which is removed last. It has 1 node, and both need 1 more',
    ],
  },
  'not one that grows on devices of its own': {
    before: [deployment('ml/a', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 })],
    pools: { h100: 'h100 x 1' },
    want: [],
  },
  'a surge that is new where others go': {
    before: [deployment('ml/a'), NEW],
    after: [surging('ml/a', 1)],
    want: [
      'ml/a (1 pod) would wait for devices of ml/new (1 pod), which is removed last. It has 2 nodes, and both need 1 more',
    ],
  },
  'not a surge that was there before': {
    before: [surging('ml/a', 1), NEW],
    after: [surging('ml/a', 1)],
    pools: { h100: 'h100 x 3' },
    later: { h100: 'h100 x 2' },
    want: [],
  },
  'not one that stays with less of a surge, where others go with their nodes': {
    before: [surging('ml/a', 1), NEW],
    after: [surging('ml/a', 0)],
    pools: { h100: 'h100 x 3' },
    later: { h100: 'h100 x 1' },
    want: [],
  },
  'not one that shrinks in place, where others go with their nodes': {
    before: [deployment('ml/a', { engines: [{ ...engine('main', [ask('gpu', 8)]), copies: 2 }] }), NEW],
    after: [deployment('ml/a')],
    pools: { h100: 'h100 x 3' },
    later: { h100: 'h100 x 1' },
    lock: (lock) => ({ ...lock, placements: [] }),
    want: [],
  },
  'the surge of what goes holds nothing': {
    before: [surging('ml/a', 1)],
    after: [NEW],
    want: [],
  },
  'not a replacement next to which the old one stays': {
    before: [deployment('ml/a', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 })],
    want: [],
  },
  'others next to an old one that is dropped in the same change': {
    before: [deployment('ml/a', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 }), NEW],
    lock: (lock) => ({ ...lock, placements: [] }),
    want: [
      'ml/a (1 pod), ml/new (1 pod) would wait for devices of ml/a (1 pod), which is removed last. It has 2 nodes, and both need 1 more',
    ],
    running: (objects) => edited(objects, '"name":"a-0-main', '"name":"b-0-main'),
  },
  'not where what was there before moves to another pool in place': {
    before: [deployment('ml/a')],
    after: [deployment('ml/a'), NEW],
    pools: { h100: 'h100 x 1', other: 'h100 x 1' },
    lock: (lock) => ({
      ...lock,
      placements: lock.placements.map((one) => ({ ...one, pools: { main: 'other' } })),
    }),
    want: [],
  },
};

test.each(Object.entries(rows))('waves wait without effect: %s', (_, row) => check(row));
