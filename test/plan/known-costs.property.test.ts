import * as fc from 'fast-check';
import { type Resource, resourceIdOf } from '../../src/api/kinds';
import { priceFile } from '../../src/api/price-file';
import { compareCosts } from '../../src/cost/compare-costs';
import type { Cost } from '../../src/cost/cost';
import { assemble } from '../../src/fleet/fleet';
import { BUILT_IN_HARDWARE } from '../../src/fleet/hardware/hardware';
import { buildPriceBook } from '../../src/fleet/prices/price-book';
import { decide, placeFleet } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { computePlacedCost } from '../../src/plan/plan-cost';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, anEngine, byPath, type Doc } from '../api/build';
import { withNamedSources } from '../cost/named-sources';

const hardwareAt = (perGiBMonth: number) => {
  const storage = [{ fileSystem: 'nfs', perGiBMonth, source: 'invoice', asOf: '2026-09-01' }];
  return { ...BUILT_IN_HARDWARE, prices: buildPriceBook(priceFile.parse({ storage })) };
};
const HARDWARE = hardwareAt(2);
const OTHERS = hardwareAt(3);

const priced = (name: string, perHour: number): Resource =>
  aClass(name, { price: { perHour, asOf: '2026-11-01' } });
const site = (name: string, ten: number, more: Doc = {}): Resource => {
  const storage = { sharedFilesystem: { storageClassName: 'nfs' } };
  return aCluster(name, {
    ...more,
    storage,
    pools: { ten, four: { nodeCount: 2, minNodeCount: 1, maxNodeCount: 3 } },
  });
};
const closed = (nodes: number): Resource =>
  site('spare', nodes, { taints: [{ key: 'spare', effect: 'NoSchedule' }] });
const cache = (sizeGiB: number): Resource => aCache('ml/weights', { sizeGiB });
const served = (name: string, replicas: number, { gpus, ...more }: Doc): Resource =>
  aDeployment(name, { replicas, engines: [anEngine('main', { gpus: Number(gpus) })], ...more });

const CLUSTERS = ['east', 'north', 'west'];
const NAMES = ['lab/a', 'ml/a', 'ml/b', 'ml/c'];

const wanted = fc.record({
  replicas: fc.integer({ min: 1, max: 4 }),
  gpus: fc.constantFrom(1, 3, 8),
  rollout: fc.constantFrom<Doc>({}, { surge: 1 }),
});

/** Resources by what they are called, so that an edit can take the place of any. */
const fleet = fc
  .record({
    wanted: fc.array(wanted, { minLength: NAMES.length, maxLength: NAMES.length }),
    cached: fc.boolean(),
  })
  .map(({ wanted, cached }): Resource[] => [
    priced('ten', 10),
    priced('four', 4),
    ...CLUSTERS.map((name) => site(name, 4)),
    closed(1),
    ...(cached ? [cache(100)] : []),
    ...wanted.map(({ replicas, ...more }, i) => {
      const mounts = cached && i === 1 ? { cache: 'weights' } : {};
      return served(NAMES[i] ?? '', replicas, { ...more, ...mounts, allowPartial: true });
    }),
  ]);

const EDITS: Record<string, (resources: Resource[]) => Resource[]> = {
  'the same declarations': (all) => all,
  'a replica more of one': (all) => replaced(all, served('ml/a', 5, { gpus: 3, allowPartial: true })),
  'other shapes of one': (all) => replaced(all, served('ml/b', 2, { gpus: 5, allowPartial: true })),
  'a deployment gone': (all) => all.filter((one) => resourceIdOf(one) !== 'ModelDeployment ml/a'),
  'a deployment more': (all) => [...all, served('lab/z', 2, { gpus: 2, allowPartial: true })],
  'nodes more': (all) => replaced(all, site('north', 6)),
  'nodes fewer': (all) => replaced(all, site('east', 1)),
  'nodes more where nothing is placed': (all) => replaced(all, closed(2)),
  'a cluster gone': (all) => all.filter((one) => resourceIdOf(one) !== 'InferenceCluster west'),
  'a cluster more': (all) => [...all, site('south', 2)],
  'another price': (all) => replaced(all, priced('ten', 11)),
  'another size': (all) => replaced(all, cache(200)),
};

function replaced(all: readonly Resource[], by: Resource): Resource[] {
  return all.map((one) => (resourceIdOf(one) === resourceIdOf(by) ? by : one));
}

/** What a fleet costs, with and without what is known of another. */
function costs(resources: readonly Resource[], lock: Lock, beside?: Decision, hardware = HARDWARE): Cost {
  const remarks = { notes: [], warnings: [], ...(beside && { beside }) };
  return computePlacedCost(placeFleet(assemble(resources, hardware), byPath, lock, remarks), beside);
}

const cases = Object.entries(EDITS);

test.each(cases)('beside a fleet with %s, one costs what it costs alone, and changes as much', (_, edit) => {
  fc.assert(
    fc.property(fleet, (earlier) => {
      const later = decide(assemble(edit(earlier), HARDWARE), byPath, EMPTY_LOCK);
      for (const lock of [EMPTY_LOCK, later.lock]) {
        const alone = costs(structuredClone(earlier), lock);
        const beside = costs(earlier, lock, later);
        expect(JSON.stringify(beside)).toBe(JSON.stringify(alone));
        const changes = compareCosts(alone, structuredClone(later.plan.cost));
        expect(JSON.stringify(compareCosts(beside, later.plan.cost))).toBe(JSON.stringify(changes));
      }
    }),
    { numRuns: 4, seed: 7 },
  );
});

const six = aCluster('alone', { pools: { six: 1 } });

const OTHER_SOURCES: Record<string, (resources: Resource[]) => Resource[]> = {
  'another day of a price': (all) =>
    replaced(all, aClass('ten', { price: { perHour: 10, asOf: '2026-11-02' } })),
  'nodes of a price that nothing had': (all) => [...all, six],
  'no nodes of a price any more': (all) => all.filter((one) => one !== six),
};

test.each(Object.entries(OTHER_SOURCES))(
  'beside a fleet with %s, the sources of one come after those of the other, and name the same prices',
  (_, edit) => {
    fc.assert(
      fc.property(fleet, (resources) => {
        const earlier = [...resources, priced('six', 6), ...(edit([six]).length === 0 ? [six] : [])];
        const later = decide(assemble(edit(earlier), HARDWARE), byPath, EMPTY_LOCK);
        const alone = costs(structuredClone(earlier), later.lock);
        const beside = costs(earlier, later.lock, later);
        const { sources } = later.plan.cost;
        expect(beside.sources.slice(0, sources.length)).toEqual(sources);
        expect(withNamedSources(beside)).toEqual(withNamedSources(alone));
        const [told, changes] = [beside, alone].map((cost) => compareCosts(cost, later.plan.cost));
        expect(withNamedSources(told!)).toEqual(withNamedSources(changes!));
      }),
      { numRuns: 4, seed: 7 },
    );
  },
);

const FLEET = [
  priced('ten', 10),
  priced('four', 4),
  ...CLUSTERS.map((name) => site(name, 4)),
  cache(100),
  ...NAMES.map((name) => served(name, 1, { gpus: 8, cache: name.startsWith('ml') ? 'weights' : undefined })),
];

test('at other prices of volumes nothing that is known counts', () => {
  const later = decide(assemble(FLEET, OTHERS), byPath, EMPTY_LOCK);
  expect(costs(FLEET, EMPTY_LOCK, later)).toEqual(costs(FLEET, EMPTY_LOCK));
});

test('what did not change is added up once', () => {
  const edit = replaced(FLEET, served('ml/a', 2, { gpus: 8 }));
  const { plan, lock } = decide(assemble(edit, HARDWARE), byPath, EMPTY_LOCK);
  const later = decide(assemble(edit, HARDWARE), byPath, lock);
  const { deployments } = costs(FLEET, lock, later);
  expect(plan.cost).toEqual(later.plan.cost);
  const known = new Set(later.plan.cost.deployments);
  const others = deployments.filter((one) => !known.has(one)).map(({ deployment }) => deployment);
  expect(others).toEqual(['ml/a']);
});
