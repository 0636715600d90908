import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { findUnrefusedRemoval } from '../../src/plan/large-removals';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath } from '../api/build';

const engines = (gpus: number) => [{ name: 'main', members: [aMember({ gpus })] }];

/** Four nodes each. */
const GANG = [
  {
    name: 'main',
    members: [aMember({ gpus: 8, role: 'Leader' }), aMember({ gpus: 8, role: 'Worker', worker: { nodes: 3 } })],
  },
];

const cluster = (name: string, nodeCount: number): Resource => aCluster(name, { pools: { h100: { nodeCount } } });

/** Replicas that each take a node of two clusters. */
const BEFORE: Resource[] = [
  aClass('h100'),
  cluster('eu', 1),
  cluster('us', 3),
  aDeployment('ml/q', { replicas: 4, engines: engines(8) }),
];
const [HARDWARE, EU, US, MODEL] = BEFORE as [Resource, Resource, Resource, Resource];

const LARGE = { removed: 3, held: 4, namespaces: [] };

const cases: Record<string, { after: Resource[]; want: ReturnType<typeof findUnrefusedRemoval> }> = {
  'replicas for which there is no room any more are refused as a shortfall': {
    after: [HARDWARE, EU, cluster('us', 0), MODEL],
    want: undefined,
  },
  'replicas whose changed engines have no room are refused as a shortfall': {
    after: [HARDWARE, cluster('eu', 0), US, aDeployment('ml/q', { replicas: 4, rollout: 'Recreate', engines: GANG })],
    want: undefined,
  },
  'they are a removal once the shortfall is accepted': {
    after: [
      HARDWARE,
      EU,
      cluster('us', 0),
      aDeployment('ml/q', { replicas: 4, allowPartial: true, engines: engines(8) }),
    ],
    want: LARGE,
  },
  'replicas of a cluster that is not declared are a removal: its file may be missing': {
    after: [HARDWARE, EU, MODEL],
    want: LARGE,
  },
  'replicas of a pool that is not declared are a removal': {
    after: [HARDWARE, EU, aCluster('us', { pools: { other: { className: 'h100', nodeCount: 0 } } }), MODEL],
    want: LARGE,
  },
  'replicas of a deployment that asks for fewer are a removal': {
    after: [HARDWARE, EU, US, aDeployment('ml/q', { replicas: 1, engines: engines(8) })],
    want: LARGE,
  },
  'replicas of which some have no room, and the others are not declared, are a removal': {
    after: [HARDWARE, EU, cluster('us', 0), aDeployment('ml/q', { replicas: 2, engines: engines(8) })],
    want: LARGE,
  },
};

test.each(Object.entries(cases))('%s', (_, { after, want }) => {
  const { lock } = decide(assemble(BEFORE), byPath, EMPTY_LOCK);
  const decided = decide(assemble(after), byPath, lock);
  expect(findUnrefusedRemoval(lock.placements, decided.lock.placements, decided.plan)).toEqual(want);
});
