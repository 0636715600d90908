import * as fc from 'fast-check';
import { anEndpoint } from '../api/build';
import { aDoor, aModel, aSite, aSplit, routed, to } from './build';
import { FEW_UNLUCKY, unlessUnlucky } from './unlucky';
import { daily } from '../daily';

const entry = fc.record({
  label: fc.constantFrom('app', 'model', 'site'),
  value: fc.constantFrom('a', 'b'),
  weight: fc.integer({ min: 1, max: 9 }),
  tier: fc.constantFrom(0, 1),
});
const model = fc.record({
  name: fc.constantFrom('one', 'two', 'three'),
  replicas: fc.integer({ min: 0, max: 3 }),
  app: fc.constantFrom('a', 'b'),
  model: fc.constantFrom('a', 'b'),
});

/** A fleet of three clusters, some deployments, and one service over them and an endpoint. */
const fleet = fc
  .record({
    models: fc.uniqueArray(model, { selector: ({ name }) => name, minLength: 1 }),
    entries: fc.array(entry, { minLength: 1, maxLength: 4 }),
  })
  .map(({ models, entries }) => ({
    entries,
    resources: [
      ...['east', 'west', 'north'].map((name) => aSite(name)),
      ...models.map(({ name, replicas, app, model: label }) =>
        aModel(`ml/${name}`, { replicas, replicaLabels: { app, model: label } }),
      ),
      anEndpoint('ml/saas', { labels: { app: 'a', site: 'b' } }),
      aSplit(
        'ml/chat',
        entries.map(({ label, value, weight, tier }) => to({ [label]: value }, { weight, tier })),
      ),
      aDoor(['east', 'north']),
    ],
  }));

test('each replica is in one entry at most, every member has its backend, and tiers share as entries declare', () => {
  fc.assert(
    fc.property(fleet, fc.nat(), ({ entries, resources }, seed) => {
      const possible = entries.some(({ label, value }) => label !== 'site' || value === 'b');
      fc.pre(possible);
      const routing = unlessUnlucky(() => routed(...resources));
      const turned = [...resources.slice(seed % resources.length), ...resources.slice(0, seed % resources.length)];
      expect(routed(...turned)).toEqual(routing);

      const edgeHosts = routing.edges.flatMap(({ backends }) => backends.map(({ hostname }) => hostname));
      const egressHosts = routing.egresses.flatMap(({ backends }) => backends.map(({ hostname }) => hostname));
      const hosts = new Set([...edgeHosts, ...egressHosts]);
      const members = routing.services.flatMap(({ rules }) => rules.flatMap((rule) => rule.members));
      const replicas = members.flatMap(({ cluster, target, replicas: indices }) =>
        indices.map((index) => `${target.name} ${cluster} ${index}`),
      );
      expect(new Set(replicas).size).toBe(replicas.length);
      expect(new Set(members.map(({ hostname }) => hostname)).size).toBe(members.length);
      expect(members.every(({ hostname }) => hosts.has(hostname))).toBe(true);
      expect(hosts.size).toBe(members.length);
      for (const tier of [0, 1]) {
        const own = members.filter((member) => member.tier === tier);
        const perEntry = new Map<number, number>();
        for (const { entry: index, weight } of own) {
          perEntry.set(index, (perEntry.get(index) ?? 0) + weight);
        }
        const ratios = [...perEntry].map(([index, sum]) => sum / entries[index]!.weight);
        expect(new Set(ratios.map((ratio) => ratio.toFixed(9))).size).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: daily(15), ...FEW_UNLUCKY },
  );
});
