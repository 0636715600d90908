import type { Resource } from '../../src/api/kinds';
import { formatPackingHint } from '../../src/plan/rejection-messages';
import { explainCluster, explainDeployment } from '../../src/scheduler/explain-deployment';
import { schedule } from '../../src/scheduler/schedule';
import { cluster, deployment, modelOf, nodeClass } from './build';

const H100 = nodeClass('h100');

/** What packing a pool makes room for, of each deployment on each cluster: `a / p: 3`. */
function packedOf(resources: Resource[], id: string): string[] {
  const model = modelOf(...resources);
  const result = schedule(model);
  const asked = model.deployments.find((one) => one.id === id);
  if (!asked) throw new Error(`${id} is not declared`);
  const { clusters } = explainDeployment({ model, schedule: result, given: [] }, asked);
  const found = clusters.flatMap(({ cluster: name, packed = [], rejections }) => {
    const of = model.clusters.find((one) => one.name === name);
    const alone = of && explainCluster(model, result.placements, of).deployments.find((one) => one.deployment === id);
    expect(alone?.packed).toEqual(packed.length > 0 ? packed : undefined);
    return rejections.map((one) => formatPackingHint(one, packed));
  });
  return found.filter((text) => text !== '');
}

const big = deployment('ml/big', { gpus: 8 });
const small = (replicas: number, spec: Record<string, unknown> = {}) =>
  deployment('ml/small', { gpus: 2, replicas, spec });

test.each<[string, Resource[], string[]]>([
  [
    'all replicas that fit with packing are counted',
    [H100, cluster('a', { p: 'h100 x 2' }), big, small(1)],
    ['. With packing: BinPack, 3 more fit'],
  ],
  [
    'one is one',
    [H100, cluster('a', { p: 'h100 x 2' }), big, deployment('ml/small', { gpus: 4 })],
    ['. With packing: BinPack, 1 more fits'],
  ],
  [
    'a limit of placement ends the count',
    [H100, cluster('a', { p: 'h100 x 2' }), big, small(1, { placement: { maxPerCluster: 2 } })],
    ['. With packing: BinPack, 1 more fits'],
  ],
  ['a full pool has no room with packing either', [H100, cluster('a', { p: 'h100 x 1' }), small(4)], []],
])('%s', (_, resources, want) => {
  expect(packedOf(resources, 'ml/small')).toEqual(want);
});
