import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { compileDeployments } from '../../src/scheduler/compile/compile-deployments';
import { aCache, aClass, aDeployment, aMember, byPath, type Doc } from '../api/build';

const half = (phase: string): Doc => {
  const template = { spec: { containers: [{ name: 'engine', image: 'example.com/own:v1' }] } };
  return { name: phase.toLowerCase(), phase, members: [aMember({ template })] };
};

const helpersOf = (...some: Resource[]): string =>
  JSON.stringify(
    compileDeployments(assemble([aClass('h100'), ...some]), byPath).deployments.map(({ demand }) =>
      demand.engines.map(({ members }) => members.map(({ pod }) => pod.sidecars)),
    ),
  );

test('deployments of one spec ask for what their groups put next to their engines', () => {
  const engines = [half('Prefill'), half('Decode')];
  const theirs = aDeployment('ml/a', {
    group: 'modelplane.ai',
    serving: { mode: 'PrefillDecode' },
    engines,
  });
  const ours = { ...theirs, group: 'fleetwright.dev' as const };
  const other = { ...ours, metadata: { ...ours.metadata, name: 'b' } };
  const [their, our] = [helpersOf(theirs), helpersOf(other)];
  expect(our).not.toBe(their);
  expect(helpersOf(theirs, other)).toBe(`[${their.slice(1, -1)},${our.slice(1, -1)}]`);
});

/** Deployments that run the same and are placed otherwise. */
const otherwise: Record<string, Doc> = {
  'where they may be': { clusterSelector: { matchLabels: { region: 'eu' } } },
  'what they tolerate': { tolerations: [{ operator: 'Exists' }] },
  'what they mount': { cache: 'weights' },
};

test.each(Object.entries(otherwise))('deployments that differ in %s share no demand', (_, fields) => {
  const both = [{}, fields].map((more, i) => aDeployment(`ml/${i}`, { cache: 'more', ...more }));
  const fleet = assemble([aClass('h100'), aCache('ml/weights'), aCache('ml/more'), ...both]);
  const [a, b] = compileDeployments(fleet, byPath).deployments;
  expect(a!.demand).not.toBe(b!.demand);
});

test('deployments that differ in which pools they prefer share no demand, and those that differ in nothing do', () => {
  const one = aDeployment('ml/a');
  const named = (name: string, policy: 'Spread' | 'Cheapest') => ({
    ...one,
    metadata: { ...one.metadata, name },
    spec: { ...one.spec, placement: { ...one.spec.placement, policy } },
  });
  const fleet = assemble([aClass('h100'), named('a', 'Spread'), named('b', 'Cheapest'), named('c', 'Spread')]);
  const [a, b, c] = compileDeployments(fleet, byPath).deployments;
  expect(a!.demand).toBe(c!.demand);
  expect(a!.demand).not.toBe(b!.demand);
});
