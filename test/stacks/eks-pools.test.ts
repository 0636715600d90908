import { eksPlan } from '../../src/provision/eks/plan';
import { EksCluster } from '../../stacks/eks';
import { aFleet } from '../provision/build';
import { record } from './record';

const POOL = { fabric: { type: 'EFA' }, maxNodeCount: 4 } as const;

function planned() {
  const { cluster, fleet } = aFleet('EKS', {
    machine: { instanceType: 'p5.48xlarge', placementGroup: true },
    pools: { h100: POOL },
  });
  return eksPlan(cluster, fleet);
}

test('a run names machine type and zones next to a pool with GPUs', async () => {
  const all = await record(() => new EksCluster('us', { plan: planned() }));
  expect(all.find(({ name, type }) => name === 'us_h100' && type.endsWith(':NodeGroup'))).toMatchObject({
    parent: 'fleetwright:index:PoolRequest us_h100_p5.48xlarge_us-east-1a',
    formerParents: ['fleetwright:index:EksCluster us'],
  });
});

test('launch templates are at hand by the names of their pools', async () => {
  const templates: string[] = [];
  await record(async () => {
    const cluster = new EksCluster('us', { plan: planned() });
    for (const [name, { id }] of cluster.launchTemplates) {
      id.apply((known) => templates.push(`${name}: ${known}`));
    }
  });
  expect(templates.toSorted()).toEqual(['h100: us_h100-id', 'system: us_system-id']);
});
