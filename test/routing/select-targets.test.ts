import * as fc from 'fast-check';
import { findUnmetRequirement } from '../../src/api/label-matching';
import type { LabelSelector } from '../../src/api/schema/label-selector';
import { preselectByLabel } from '../../src/routing/select-targets';

const value = fc.constantFrom('a', 'b', 'c');
const labels = fc.dictionary(fc.constantFrom('model', 'tier', 'fleetwright.dev/cluster'), value, {
  maxKeys: 3,
});
const selector: fc.Arbitrary<LabelSelector> = fc.record({
  matchLabels: fc.dictionary(fc.constantFrom('model', 'tier', 'modelplane.ai/cluster'), value, {
    maxKeys: 2,
  }),
  matchExpressions: fc.constant([]),
});

test('what some selectors select is among what they may select, in its order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ labels })),
      fc.array(fc.array(fc.record({ selector }), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
      (items, services) => {
        for (const entries of services) {
          const selected = (all: readonly (typeof items)[number][]) =>
            all.filter((one) => entries.some((entry) => !findUnmetRequirement(entry.selector, one.labels)));
          expect(selected(preselectByLabel(items, entries))).toEqual(selected(items));
        }
      },
    ),
    { seed: 11, numRuns: 200 },
  );
});

const entry = (matchLabels: Record<string, string>) => ({ selector: { matchLabels, matchExpressions: [] } });

test('what carries no label that a selector names is not looked at', () => {
  const items = [{ labels: { model: 'a' } }, { labels: {} }, { labels: { model: 'b' } }];
  expect(preselectByLabel(items, [entry({ model: 'b' })])).toEqual([items[2]]);
  expect(preselectByLabel(items, [entry({ model: 'b' }), entry({ model: 'a' })])).toEqual([items[0], items[2]]);
  expect(preselectByLabel(items, [entry({ model: 'b' }), entry({})])).toBe(items);
});
