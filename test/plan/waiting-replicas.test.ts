import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { computeNextLock } from '../../src/scheduler/lock/next-lock';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import { formatShortfall } from '../../src/report/plan/shortfall-text';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc } from '../api/build';

const site = (name: string, nodeCount = 1): Resource => aCluster(name, { pools: { h100: { nodeCount } } });
const model = (id: string, more: Doc = {}): Resource =>
  aDeployment(id, { engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }], ...more });
const onA = { clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'a' } } };

const decideFrom = (lock: Lock, resources: readonly Resource[], rebalance = false): Decision => {
  const declared = assemble([aClass('h100'), ...resources]);
  return decide(declared, byPath, lock, { notes: [], warnings: [], ...(rebalance && { rebalance: {} }) });
};
const before = decideFrom(EMPTY_LOCK, [site('a'), model('ml/any')]).lock;

interface Case {
  readonly after: readonly Resource[];

  /** How the lock is written. */
  readonly lock: (after: readonly Resource[]) => Lock;
  readonly want: readonly [waiting: number | undefined, text: string];
}

const rebalanced = (after: readonly Resource[]): Lock => {
  const { model: compiled, schedule } = decideFrom(before, after, true);
  return computeNextLock(compiled, schedule, before);
};
const accepted = (after: readonly Resource[]): Lock => {
  const { model: compiled, schedule } = decideFrom(before, after);
  return computeNextLock(compiled, schedule, before, { acceptUnplaced: true });
};

const cases: Record<string, Case> = {
  'one that a rebalance lets wait gets its place later, and no one accepted that it has none': {
    after: [site('a'), site('b'), model('ml/any'), model('ml/only', onA)],
    lock: rebalanced,
    want: [1, '1 replica does not fit yet '],
  },
  'so does one whose deployment allows it': {
    after: [site('a'), site('b'), model('ml/any'), model('ml/only', { ...onA, allowPartial: true })],
    lock: rebalanced,
    want: [1, '1 replica does not fit yet '],
  },
  'of two, the one that waits is counted': {
    after: [site('a'), site('b'), model('ml/any'), model('ml/only', { ...onA, replicas: 2, allowPartial: true })],
    lock: rebalanced,
    want: [1, '2 replicas do not fit, as accepted '],
  },
  'one for which nothing drains is accepted': {
    after: [site('a'), site('b'), model('ml/any'), model('ml/only', onA)],
    lock: accepted,
    want: [undefined, '1 replica does not fit, as accepted '],
  },
};

test.each(Object.entries(cases))('of replicas without a place, %s', (_, { after, lock, want }) => {
  const { plan } = decideFrom(lock(after), after);
  const [shortfall] = plan.deployments.flatMap((one) => one.shortfall ?? []);
  const [waiting, text] = want;
  expect(shortfall?.waiting).toBe(waiting);
  expect(shortfall && formatShortfall(shortfall)).toMatchObject({ text: expect.stringContaining(text) as string });
});

test('what the lock does not accept does not wait, next to what is accepted', () => {
  const partial = model('ml/partial', { ...onA, allowPartial: true });
  const after = [site('a'), site('b'), model('ml/any'), model('ml/only', onA), partial];
  const { plan } = decideFrom({ ...rebalanced(after.slice(0, -1)), unplaced: new Map() }, after);
  const found = plan.deployments.flatMap(({ deployment, shortfall }) =>
    shortfall ? [[deployment, shortfall.accepted, shortfall.waiting]] : [],
  );
  expect(found).toEqual([
    ['ml/only', false, undefined],
    ['ml/partial', true, undefined],
  ]);
});
