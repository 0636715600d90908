import { sortForApply } from '../../../src/manifest/kubernetes/apply-order';
import { dedupeManifests, type Manifest } from '../../../src/manifest/kubernetes/manifest';

function thing(kind: string, name: string, spec = {}): Manifest {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'ml', labels: {} }, spec };
}

test('what others need is applied first, and what is of one rank by name', () => {
  const wanted = [
    thing('Namespace', 'z'),
    thing('ResourceClaimTemplate', 'z'),
    thing('Service', 'a'),
    thing('LeaderWorkerSet', 'a'),
    thing('Deployment', 'b'),
  ];
  expect(sortForApply([...wanted].reverse())).toEqual(wanted);
});

test('an object that is in it twice is one', () => {
  const others = [thing('Service', 'b'), thing('Deployment', 'a')];
  expect(dedupeManifests([thing('Service', 'a'), ...others, thing('Service', 'a')])).toEqual([
    thing('Service', 'a'),
    ...others,
  ]);
});

test('two objects of one name with different content are refused', () => {
  expect(() => dedupeManifests([thing('Deployment', 'a', { x: 1 }), thing('Deployment', 'a', { x: 2 })])).toThrow(
    "namespace ml: two different objects of kind Deployment would have the name 'a'. Rename one of the deployments or engines whose names start with that.",
  );
});
