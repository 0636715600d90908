import type { Resource } from '../../src/api/kinds';
import type { FleetDiff } from '../../src/diff/fleet-diff';
import { aSite } from '../routing/build';
import { diff } from './build';
import { atLeast } from './gate-fleet';
import { model, priced, site, usAndEu } from './rollout-fleet';

/** The nodes that are offered to each deployment: `ml/a: 1 us/h100`. */
const offersOf = ({ deployments }: FleetDiff): string[] =>
  deployments.flatMap(({ deployment, room }) =>
    room ? [`${deployment}: ${room.missing.map(({ pool, nodes }) => `${nodes} ${pool}`).join(', ')}`] : [],
  );

const bothServe = (gpus: number): Resource => atLeast(2, model(gpus, 'v0.23.0', 'ml/q', 2));

const untrue: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
  'nodes for old and new engines are offered where that is what is lacking': {
    before: [...usAndEu(1, 1), bothServe(4)],
    after: [...usAndEu(1, 1), bothServe(8)],
    want: ['ml/q: 1 eu/h100, 1 us/h100'],
  },
  'and not where another replica that has to serve moves with downtime': {
    before: [...usAndEu(2, 1), bothServe(4)],
    after: [...usAndEu(2, 0), bothServe(8)],
    want: [],
  },
  'nor where another deployment takes them': {
    before: [...usAndEu(3, 2), model(1, 'v0.23.0', 'ml/a'), model(8, 'v0.23.0', 'ml/b'), model(8, 'v0.23.0', 'ml/c')],
    after: [...usAndEu(2, 1), model(8, 'v0.24.0', 'ml/a'), model(8, 'v0.24.0', 'ml/b'), model(4, 'v0.24.0', 'ml/c')],
    want: ['ml/a: 1 us/h100', 'ml/b: 1 us/h100'],
  },
};

test.each(Object.entries(untrue))('%s', (_, { before, after, want }) => {
  expect(offersOf(diff(before, after))).toEqual(want);
});

/** A replica fits on us, and on each of two pools of eu. */
const onTwoPools = (first: number, second: number): Resource[] => {
  const pools = {
    a: { className: 'h100', nodeCount: first },
    b: { className: 'h100', nodeCount: second },
  };
  return [priced, aSite('eu', { pools }), site('us', 1)];
};

test.each([
  ['restart with an edit that comes next to that', 'v0.24.0', 0],
  ['stay without an edit', 'v0.23.0', 1],
])('where the only replica moves, those that an earlier change adds %s', (_, tag, want) => {
  const change = diff([...onTwoPools(2, 2), model(2)], [...onTwoPools(0, 1), model(2, tag)]);
  expect(change.deployments.map(({ extra }) => extra?.perCluster)).toEqual([want]);
});
