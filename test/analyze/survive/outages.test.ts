import { survive } from '../../../src/analyze/survive/survive';
import type { Resource } from '../../../src/api/kinds';
import { formatSurvivalTotal } from '../../../src/report/analyze/survival-text';
import { anEndpoint } from '../../api/build';
import { aDoor, aSplit, H100, to } from '../../routing/build';
import { settled } from '../what-if/build';
import { chat, door, east, entrance, model, west } from './chat-fleet';

const gateways = aDoor(['east', 'west']);
const both = ['east', 'west'];
const a = to({ app: 'a' });
const b = to({ app: 'b' });

interface Row {
  resources: Resource[];

  /** The losses that take nothing down. */
  withoutOutage: string[];

  /** What follows the counts. */
  want: string[];
}

const rows: Record<string, Row> = {
  'losses that take no service down are named, although deployments stop with some': {
    resources: [gateways, model('a', 1, ['east']), model('b', 1, ['west']), model('c', 1, ['west']), chat(a)],
    withoutOutage: ['west'],
    want: ['No service stops taking requests after the loss of: west.'],
  },
  'every loss takes another service down': {
    resources: [gateways, model('a', 1, ['east']), model('b', 1, ['west']), chat(a), aSplit('ml/other', [b])],
    withoutOutage: [],
    want: ['Every loss leaves a service that takes no requests.'],
  },
  'a service whose only gateway is lost takes no requests': {
    resources: [entrance, door, model('a', 2, both), chat(a)],
    withoutOutage: ['east', 'west'],
    want: ['No service stops taking requests after the loss of: east, west.'],
  },
  'a service takes requests while its next tier or an endpoint outside the fleet answers': {
    resources: [
      gateways,
      anEndpoint('ml/out', { labels: { app: 'out' } }),
      model('a', 1, ['east']),
      model('b', 1, ['west']),
      chat(a, to({ app: 'b' }, { tier: 1 })),
      aSplit('ml/other', [b, to({ app: 'out' }, { tier: 1 })]),
    ],
    withoutOutage: ['east', 'west'],
    want: [],
  },
  'in a fleet without services, losses that stop no deployment are named': {
    resources: [model('a', 1, ['east']), model('b', 2, both)],
    withoutOutage: ['west'],
    want: ['No deployment stops serving after the loss of: west.'],
  },
  'every loss stops another deployment': {
    resources: [model('a', 1, ['east']), model('b', 1, ['west'])],
    withoutOutage: [],
    want: ['Every loss leaves a deployment that serves nothing.'],
  },
};

test.each(Object.entries(rows))('%s', (_, { resources, withoutOutage, want }) => {
  const survival = survive(settled(H100, east, west, ...resources));
  expect(survival.withoutOutage).toEqual(withoutOutage);
  expect(formatSurvivalTotal(survival).slice(1)).toEqual(want);
});

test('the counts say it where the only cluster is lost', () => {
  const survival = survive(settled(H100, east, model('a', 1, ['east'])));
  expect(survival.withoutOutage).toEqual([]);
  expect(formatSurvivalTotal(survival)).toHaveLength(1);
});
