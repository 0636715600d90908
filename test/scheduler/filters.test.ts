import { tolerates } from '../../src/scheduler/filters';
import { cluster, deployment, nodeClass } from './build';
import { type Case, check } from './rows';

const H100 = nodeClass('h100');
const eu = cluster('eu', { a: 'h100 x 1' }, { labels: { tier: 'prod', spot: 'yes' } });
const uk = cluster('uk', { a: 'h100 x 1' }, { labels: { tier: 'test' } });
const us = cluster('us', { a: 'h100 x 1' });

/** Where three replicas go that select clusters by expressions. */
function selecting(...matchExpressions: Record<string, unknown>[]): Case['resources'] {
  const template = { clusterSelector: { matchExpressions } };
  return [H100, eu, uk, us, deployment('ml/q', { replicas: 3, template })];
}

const on = (...clusters: string[]): string[] => clusters.map((name) => `ml/q ${name}/0 a`);

const expressions: Record<string, Case> = {
  'In selects the values that it lists': {
    resources: selecting({ key: 'tier', operator: 'In', values: ['prod', 'stage'] }),
    want: on('eu'),
  },
  'In does not select a cluster without the label': {
    resources: selecting({ key: 'tier', operator: 'In', values: ['prod', 'test'] }),
    want: on('eu', 'uk'),
  },
  'NotIn selects other values, and a cluster without the label': {
    resources: selecting({ key: 'tier', operator: 'NotIn', values: ['prod'] }),
    want: on('uk', 'us'),
  },
  'Exists selects any value': {
    resources: selecting({ key: 'tier', operator: 'Exists' }),
    want: on('eu', 'uk'),
  },
  'DoesNotExist selects a cluster without the label': {
    resources: selecting({ key: 'tier', operator: 'DoesNotExist' }),
    want: on('us'),
  },
  'all of several must hold': {
    resources: selecting({ key: 'tier', operator: 'Exists' }, { key: 'spot', operator: 'DoesNotExist' }),
    want: on('uk'),
  },
  'computed labels count too': {
    resources: selecting({ key: 'fleetwright.dev/provider', operator: 'In', values: ['Existing'] }),
    want: on('eu', 'uk', 'us'),
  },
};

test.each(Object.entries(expressions))('a cluster selector: %s', (_, row) => check(row));

test('labels and expressions of a selector both must hold', () => {
  const clusterSelector = {
    matchLabels: { spot: 'yes' },
    matchExpressions: [{ key: 'tier', operator: 'In', values: ['test'] }],
  };
  check({ resources: [H100, eu, uk, us, deployment('ml/q', { template: { clusterSelector } })], want: [] });
});

type Toleration = Parameters<typeof tolerates>[0];
type Taint = Parameters<typeof tolerates>[1];

const taint: Taint = { key: 'drain', value: 'now', effect: 'NoExecute' };
const tolerations: [string, Toleration, Taint, boolean][] = [
  ['key, value and effect', { key: 'drain', operator: 'Equal', value: 'now', effect: 'NoExecute' }, taint, true],
  ['no effect covers every effect', { key: 'drain', operator: 'Equal', value: 'now' }, taint, true],
  ['another effect does not', { key: 'drain', operator: 'Equal', value: 'now', effect: 'NoSchedule' }, taint, false],
  ['another value does not', { key: 'drain', operator: 'Equal', value: 'later' }, taint, false],
  ['another key does not', { key: 'other', operator: 'Equal', value: 'now' }, taint, false],
  ['no value is the empty value', { key: 'drain', operator: 'Equal' }, { ...taint, value: '' }, true],
  ['and not every value', { key: 'drain', operator: 'Equal' }, taint, false],
  [
    'an empty value covers a taint without one',
    { key: 'drain', operator: 'Equal', value: '' },
    { key: 'drain', effect: 'NoExecute' },
    true,
  ],
  ['Exists covers every value', { key: 'drain', operator: 'Exists' }, taint, true],
  ['Exists of another key does not', { key: 'other', operator: 'Exists' }, taint, false],
  ['Exists without a key covers every taint', { operator: 'Exists' }, taint, true],
  ['of its effect, where it names one', { operator: 'Exists', effect: 'NoSchedule' }, taint, false],
];

test.each(tolerations)('a toleration: %s', (_, toleration, of, want) => {
  expect(tolerates(toleration, of)).toBe(want);
});
