import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet';
import { compileWorkloads } from '../../src/scheduler/compile-workloads';
import { aClass, aDeployment, aMember, byPath, type Doc } from '../api/build';

const half = (phase: string): Doc => {
  const template = { spec: { containers: [{ name: 'engine', image: 'example.com/own:v1' }] } };
  return { name: phase.toLowerCase(), phase, members: [aMember({ template })] };
};

const helpersOf = (...some: Resource[]): string =>
  JSON.stringify(
    compileWorkloads(assemble([aClass('h100'), ...some]), byPath).workloads.map(({ demand }) =>
      demand.engines.map(({ members }) => members.map(({ pod }) => pod.helpers)),
    ),
  );

test('deployments of one spec ask for what their groups put beside their engines', () => {
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
