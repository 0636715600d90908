import { isReservedLabel, toCanonicalLabel, toCanonicalLabels } from '../../src/api/labels';
import { aCluster } from './build';

test.each(['pool', 'deployment', 'cluster', 'replica-index'])('the alias key %s means ours', (name) => {
  expect(toCanonicalLabel(`modelplane.ai/${name}`)).toBe(`fleetwright.dev/${name}`);
});

test.each(['modelplane.ai/external-provider', 'fleetwright.dev/pool', 'tier'])('the key %s means itself', (key) => {
  expect(toCanonicalLabel(key)).toBe(key);
});

const spellings: Record<string, { labels: Record<string, string>; want: Record<string, string> }> = {
  'a label that selectors know by our key stands under it': {
    labels: { 'modelplane.ai/cluster': 'us', 'modelplane.ai/external-provider': 'x', tier: 'prod' },
    want: { 'fleetwright.dev/cluster': 'us', 'modelplane.ai/external-provider': 'x', tier: 'prod' },
  },
  'of two spellings of a label ours wins, whichever stands first': {
    labels: { 'fleetwright.dev/cluster': 'us', 'modelplane.ai/cluster': 'eu' },
    want: { 'fleetwright.dev/cluster': 'us' },
  },
};

test.each(Object.entries(spellings))('%s', (_, { labels, want }) => {
  expect(toCanonicalLabels(labels)).toEqual(want);
  expect(aCluster('us', { labels }).metadata.labels).toEqual(want);
});

const reserved: Record<string, boolean> = {
  'fleetwright.dev/anything': true,
  'modelplane.ai/anything': true,
  'sub.fleetwright.dev/anything': false,
  'fleetwright.dev': false,
  tier: false,
};

test.each(Object.entries(reserved))('whether %s is for us to write: %p', (key, want) => {
  expect(isReservedLabel(key)).toBe(want);
});
