import { findNeedsOfChange } from '../../src/diff/needs-of-change';
import { aCache, aClass, aCluster, MACHINES } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';

const pool = { pools: { h100: { nodeCount: 2 } } };
const { decision } = state('main', [
  aClass('h100'),
  aSite('us', pool),
  aModel('ml/a', { replicaLabels: { a: 'b' } }),
  aSplit('ml/chat', [to({ a: 'b' })]),
  aDoor(['us']),
]);

/** What a change asks for that needs on another cluster what it needs of one kind on `us`. */
function needsOf(kind: string) {
  const objects = decision.plan.mustExist.flatMap((one) => one.objects.filter((object) => object.kind === kind));
  expect(objects.length).toBeGreaterThan(0);
  return findNeedsOfChange({ cloud: [], objects: [] }, decision, [{ cluster: 'eu', objects }]);
}

test('a DNS record that the earlier state needs for another cluster is there already', () => {
  expect(needsOf('DNS record')).toEqual([]);
});

const cached = (sizeGiB: number, site = aSite('us', pool), machine = {}) => [
  aClass('h100', machine),
  site,
  aCache('ml/w', { huggingFace: { repo: 'a/b', revision: 'a'.repeat(40) }, sizeGiB }),
  aModel('ml/q', { cache: 'w' }),
];
const onEks = (size: number) =>
  cached(size, aCluster('us', { source: 'EKS', ...pool }), { provisioning: MACHINES.EKS });

test.each([
  ['must allow it', 'grows', cached(20), cached(40), ['StorageClass nfs allowVolumeExpansion: true']],
  ['need not allow it', 'keeps its size', cached(20), cached(20), []],
  ['allows it if the stack creates it', 'grows', onEks(20), onEks(40), []],
])('the StorageClass %s, of a volume that %s', (_, _what, before, after, want) => {
  const { mustExist } = state('here', after).decision.plan;
  const needs = findNeedsOfChange(diff(before, after), state('main', before).decision, mustExist);
  const found = needs.flatMap(({ objects }) => objects.map(({ kind, name, keys }) => [kind, name, ...keys].join(' ')));
  expect(found).toEqual(want);
});
