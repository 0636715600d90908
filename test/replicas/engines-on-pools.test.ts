import { compileFleet } from '../../src/plan/compile-fleet';
import { createEngineBinders } from '../../src/replicas/bind-engines';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { aClass, aCluster, aDeployment, anEngine, byPath } from '../api/build';
import { fleetOf } from '../render/build';

const fleet = fleetOf(
  aClass('h100'),
  aCluster('eu', {
    pools: { a: { className: 'h100', nodeCount: 2 }, b: { className: 'h100', nodeCount: 2 } },
  }),
  aDeployment('ml/eight', { engines: [anEngine('main', { gpus: 8 })] }),
  aDeployment('ml/four', { engines: [anEngine('main', { gpus: 4 })] }),
);
const { clusters: sites, deployments: workloads } = compileFleet(fleet, byPath);
const [eight, four] = fleet.deployments.map(({ spec }) => spec.template.spec.engines[0]!);
const [asksEight, asksFour] = workloads.map(({ demand }) => demand.engines[0]!);
const eu = fleet.clusters[0]!;
const [onA, onB] = sites[0]!.pools;

test('an engine is one object on one pool', () => {
  const tell = createEngineBinders(new PodMatcher());
  expect(tell(eight!, asksEight!)(onA!, eu)).toBe(tell(eight!, asksEight!)(onA!, eu));
  expect(tell(eight!, asksEight!)(onA!, eu)).toHaveLength(1);
});

test('on another pool of equal nodes it is another, with the same members', () => {
  const tell = createEngineBinders(new PodMatcher())(eight!, asksEight!);
  const [a, b] = [tell(onA!, eu)![0]!, tell(onB!, eu)![0]!];
  expect([a.pool.name, b.pool.name]).toEqual(['a', 'b']);
  expect(a.members).toBe(b.members);
});

test('what it asks for counts, and what it is', () => {
  const tell = createEngineBinders(new PodMatcher());
  const counts = (engine = eight!, demand = asksEight!): (number | undefined)[] =>
    tell(engine, demand)(onA!, eu)![0]!.members.map(({ claims }) => claims[0]?.forms[0]?.count);
  expect([counts(), counts(eight, asksFour), counts(four, asksFour)]).toEqual([[8], [4], [4]]);
  expect(tell(four!, asksFour!)(onA!, eu)![0]!.engine).toBe(four);
});
