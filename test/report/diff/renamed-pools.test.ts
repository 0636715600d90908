import type { Resource } from '../../../src/api/kinds';
import { listRenamedPools } from '../../../src/report/diff/renamed-pools';
import { aClass, aDeployment, aMember, aCluster, type Doc, gpus } from '../../api/build';
import { diff } from '../../diff/build';

const fleet = (pools: Record<string, Doc>): Resource[] => [
  aClass('h100', { devices: [gpus(8)] }),
  aClass('other', { devices: [gpus(8)] }),
  aCluster('us', { pools }),
  aDeployment('ml/q', { replicas: 1, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] }),
];
const pool = (className: string, nodeCount = 1): Doc => ({ className, nodeCount });

test.each<[string, Resource[], string[]]>([
  [
    'a pool under another name may keep it',
    fleet({ 'h-100': pool('h100') }),
    ["keep the name 'a' of the node pool us/h-100"],
  ],
  ['a pool of other machines is another pool', fleet({ 'h-100': pool('other') }), []],
  ['so is one of another size', fleet({ 'h-100': pool('h100', 2) }), []],
])('%s', (_, after, want) => {
  const [found] = diff(fleet({ a: pool('h100') }), after).deployments;
  expect(found?.changes).toHaveLength(1);
  expect(listRenamedPools(found?.changes ?? []).map(({ text }) => text)).toEqual(want);
});
