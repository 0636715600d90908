import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet';
import { decide } from '../../src/plan/decide';
import type { Totals } from '../../src/plan/plan';
import { recordShape } from '../../src/scheduler/former-shape';
import { EMPTY_LOCK } from '../../src/scheduler/lock';
import { aClass, aCluster, aDeployment, anEngine, byPath } from '../api/build';

const H100 = aClass('h100');
const site = (nodes: number): Resource => aCluster('eu', { pools: { h100: nodes } });
const q = (gpus: number, replicas = 1, more = {}): Resource =>
  aDeployment('ml/q', { replicas, engines: [anEngine('main', { gpus })], ...more });

const NONE: Totals = { place: 0, move: 0, remove: 0, keep: 0, leaving: 0, unplaced: 0, accepted: 0 };

const cases: Record<string, { before: Resource[]; after: Resource[]; want: Partial<Totals> }> = {
  'replicas that stay and such that are new': {
    before: [site(3), q(8)],
    after: [site(3), q(8, 3)],
    want: { keep: 1, place: 2 },
  },
  'replicas that go': { before: [site(3), q(8, 3)], after: [site(3), q(8)], want: { keep: 1, remove: 2 } },
  'one that moves, and serves until its replacement does': {
    before: [site(2), q(8)],
    after: [site(2), q(7)],
    want: { move: 1, leaving: 1 },
  },
  'one that moves with a gap': { before: [site(1), q(8)], after: [site(1), q(7)], want: { move: 1 } },
  'what has no place': {
    before: [site(1)],
    after: [site(1), q(8, 3)],
    want: { place: 1, unplaced: 2 },
  },
  'what may lack a place': {
    before: [site(1)],
    after: [site(1), q(8, 3, { allowPartial: true })],
    want: { place: 1, accepted: 2 },
  },
};

test.each(Object.entries(cases))('totals count %s', (_, { before, after, want }) => {
  const { lock, fleet } = decide(assemble([H100, ...before]), byPath, EMPTY_LOCK);
  const former = fleet.deployments.flatMap((one) => recordShape(one) ?? []);
  const { plan } = decide(assemble([H100, ...after]), byPath, lock, { notes: [], warnings: [], former });
  expect(plan.totals).toEqual({ ...NONE, ...want });
});
