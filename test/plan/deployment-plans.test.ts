import { countTotals } from '../../src/plan/deployment-plans';
import type { Change, DeploymentPlan, PlacedReplica, ShortfallPlan } from '../../src/plan/plan';

const NOTHING = {
  place: 0,
  move: 0,
  remove: 0,
  keep: 0,
  draining: 0,
  unreplaced: 0,
  lost: 0,
  unplaced: 0,
  accepted: 0,
};

const plan = (
  changes: readonly Partial<Change>[],
  more: { staying?: readonly Partial<PlacedReplica>[]; shortfall?: Partial<ShortfallPlan> } = {},
): DeploymentPlan => ({ changes, ...more }) as DeploymentPlan;

const cases: Record<string, { deployments: DeploymentPlan[]; want: Partial<typeof NOTHING> }> = {
  'of nothing, nothing': { deployments: [], want: {} },
  'each action, over all deployments': {
    deployments: [
      plan([{ action: 'place' }, { action: 'remove' }], { staying: [{}, {}] }),
      plan([{ action: 'draining' }, { action: 'lost' }], { staying: [{}] }),
    ],
    want: { keep: 3, place: 1, remove: 1, draining: 1, lost: 1 },
  },
  'what moves as draining too, where the old one serves on': {
    deployments: [
      plan([
        { action: 'move', surgeFirst: true },
        { action: 'move', surgeFirst: false },
      ]),
    ],
    want: { move: 2, draining: 1 },
  },
  'old replicas whose replacements have no place apart: finalizing keeps them': {
    deployments: [plan([{ action: 'draining' }, { action: 'draining', unreplaced: true }])],
    want: { draining: 1, unreplaced: 1 },
  },
  'what is missing, apart where that is accepted': {
    deployments: [
      plan([], { shortfall: { missing: 2, accepted: true } }),
      plan([], { shortfall: { missing: 3, accepted: false } }),
      plan([], { shortfall: { missing: 4, accepted: true } }),
    ],
    want: { accepted: 6, unplaced: 3 },
  },
};

test.each(Object.entries(cases))('totals: %s', (_, { deployments, want }) => {
  expect(countTotals(deployments)).toEqual({ ...NOTHING, ...want });
});
