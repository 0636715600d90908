import { canonicalLabel, isReserved } from '../../src/api/labels';

test.each(['pool', 'deployment', 'cluster', 'replica-index'])('the alias key %s means ours', (name) => {
  expect(canonicalLabel(`modelplane.ai/${name}`)).toBe(`fleetwright.dev/${name}`);
});

test.each(['modelplane.ai/external-provider', 'fleetwright.dev/pool', 'tier'])(
  'the key %s means itself',
  (key) => {
    expect(canonicalLabel(key)).toBe(key);
  },
);

const reserved: Record<string, boolean> = {
  'fleetwright.dev/anything': true,
  'modelplane.ai/anything': true,
  'sub.fleetwright.dev/anything': false,
  'fleetwright.dev': false,
  tier: false,
};

test.each(Object.entries(reserved))('whether %s is for us to write: %p', (key, want) => {
  expect(isReserved(key)).toBe(want);
});
