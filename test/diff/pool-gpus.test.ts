import type { Resource } from '../../src/api/kinds';
import { aClass, aCluster, gpus, MACHINES } from '../api/build';
import { diff } from './build';

const { provider, gke } = MACHINES.GKE;
const of = (product?: string, nodes = 1, machine = {}): Resource[] => [
  aClass('h100', {
    provisioning: { provider, gke: { ...gke, ...machine } },
    devices: [gpus(8, { attributes: product === undefined ? {} : { productName: { string: product } } })],
  }),
  aCluster('us', { source: 'GKE', pools: { h100: { nodeCount: nodes } } }),
];

test.each([
  ['of another product', of('A'), of('B', 2), { before: '8 x A', after: '8 x B' }],
  ['of the same product', of('A'), of('A', 2), undefined],
  [
    'of the same product on nodes that are recreated',
    of('A'),
    of('A', 1, { diskSizeGb: 500 }),
    { before: '8 x A', after: '8 x A' },
  ],
  ['that state no product', of(undefined), of('B', 2), undefined],
])('a change of a pool compares the products of its devices: those %s', (_, before, after, want) => {
  expect(diff(before, after).cloud.map((one) => one.gpus)).toEqual([want]);
});
