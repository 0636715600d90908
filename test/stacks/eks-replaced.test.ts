import { sortedBy } from '../../src/base/order';
import { eksPlan } from '../../src/provision/eks/plan';
import { EksCluster } from '../../stacks/eks';
import { aFleet, type Declared } from '../provision/build';
import { record, type Registered } from './record';

function planned(declared: Declared = {}) {
  const { cluster, fleet } = aFleet('EKS', declared);
  return eksPlan(cluster, fleet);
}

function made(): Promise<Registered[]> {
  return record(() => new EksCluster('us', { plan: planned() }));
}

test('what there is one of goes before what replaces it: a name, an address, a way to files in a zone', async () => {
  const all = await made();
  const first = all.filter(({ deleteBeforeReplace }) => deleteBeforeReplace).map(({ type }) => type);
  expect(sortedBy(new Set(first), (type) => type)).toEqual([
    'aws:ec2/natGateway:NatGateway',
    'aws:efs/mountTarget:MountTarget',
    'aws:eks/cluster:Cluster',
    'aws:eks/nodeGroup:NodeGroup',
  ]);
});

test('what serves the cluster itself stays in its zones when pools come in others', async () => {
  const all = await made();
  const ignored = all.map(({ type, name, ignoreChanges }) => [type.split(':').at(-1), name, ignoreChanges]);
  expect(ignored.filter(([, , paths]) => paths!.length > 0)).toEqual([
    ['NatGateway', 'us', ['subnetId']],
    ['Cluster', 'us', ['vpcConfig.subnetIds']],
    ['NodeGroup', 'us_system', ['scalingConfig.desiredSize', 'subnetIds']],
  ]);
});

test('subnets stay when pools come in other zones', () => {
  const zones = ['us-east-1c', 'us-east-1d'];
  const before = planned({ pools: { l4: { zones } } });
  const after = planned({ pools: { l4: { zones: [...zones, 'us-east-1a'] } } });
  expect(after.subnets).toEqual(expect.arrayContaining(before.subnets));
});
