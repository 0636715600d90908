import { groupByDeployment, reusePlacements } from '../../src/scheduler/placement-order';
import type { Placement } from '../../src/scheduler/schedule-result';

const line = (deployment: string, more: Partial<Placement> = {}): Placement => {
  return { deployment, cluster: 'eu', index: 0, pools: { main: 'a', side: 'b' }, shape: '1', ...more };
};

const KNOWN = [line('ml/a'), line('ml/a', { index: 1 }), line('ml/b')];

/** Another list, and the deployments of which the lines are those of the list that is known. */
const cases: Record<string, { lines: Placement[]; shared: string[] }> = {
  'all where nothing differs': { lines: structuredClone(KNOWN), shared: ['ml/a', 'ml/b'] },
  'all in whatever order they come': {
    lines: structuredClone(KNOWN).toReversed(),
    shared: ['ml/a', 'ml/b'],
  },
  'none of a deployment that has a line more': {
    lines: [...KNOWN.slice(0, 2), line('ml/b'), line('ml/b', { index: 1 })],
    shared: ['ml/a'],
  },
  'none of a deployment that has a line fewer': { lines: KNOWN.toSpliced(1, 1), shared: ['ml/b'] },
  'none of one that is not known': { lines: [...KNOWN, line('ml/c')], shared: ['ml/a', 'ml/b'] },
  'those that are left where one is gone': { lines: KNOWN.slice(0, 2), shared: ['ml/a'] },
  'none on another cluster': { lines: [line('ml/b', { cluster: 'us' })], shared: [] },
  'none with another number': { lines: [line('ml/b', { index: 1 })], shared: [] },
  'none of another shape': { lines: [line('ml/b', { shape: '2' })], shared: [] },
  'none that leaves': { lines: [line('ml/b', { leaving: true })], shared: [] },
  'none on another pool': { lines: [line('ml/b', { pools: { main: 'a', side: 'c' } })], shared: [] },
  'none with a pool more': {
    lines: [line('ml/b', { pools: { main: 'a', side: 'b', third: 'b' } })],
    shared: [],
  },
  'none that names its pools in another order': {
    lines: [line('ml/b', { pools: { side: 'b', main: 'a' } })],
    shared: [],
  },
};

test.each(Object.entries(cases))('lists of lines share %s', (_, { lines, shared }) => {
  const found = reusePlacements(lines, KNOWN);
  const groups = groupByDeployment(found);
  expect([...groups.keys()].filter((id) => groups.get(id) === groupByDeployment(KNOWN).get(id))).toEqual(
    shared,
  );
  expect(JSON.stringify(found)).toBe(JSON.stringify(reusePlacements(lines, [])));
  expect(JSON.stringify([...groups])).toBe(JSON.stringify([...groupByDeployment(structuredClone(found))]));
});

test('a list of nothing but known lines is the list that is known', () => {
  expect(reusePlacements(structuredClone(KNOWN), KNOWN)).toBe(KNOWN);
  expect(reusePlacements(structuredClone(KNOWN).slice(1), KNOWN)).not.toBe(KNOWN);
});
