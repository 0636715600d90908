import * as pulumi from '@pulumi/pulumi';
import { eksPlan } from '../../src/provision/eks/plan';
import { gkePlan } from '../../src/provision/gke/plan';
import { EksCluster } from '../../stacks/eks';
import { GkeCluster } from '../../stacks/gke';
import { ClusterWorkloads, type ClusterWorkloadsArgs, ExistingCluster, FleetStack } from '../../stacks/index';
import { toPromise } from '../../stacks/checks/running-workloads';
import { aFleet } from '../provision/build';
import { anObject } from './build';
import { ignoreUnaskedClusters, record } from './record';

ignoreUnaskedClusters();

const GATEWAY = { apiVersion: 'gateway.networking.k8s.io/v1', spec: {} };

const manifests = [
  anObject('Gateway', 'fleetwright-system/front', GATEWAY),
  anObject('Gateway', 'fleetwright-system/fleetwright-edge', GATEWAY),
  anObject('Gateway', 'fleetwright-system/fleetwright-egress', GATEWAY),
  anObject('Gateway', 'ml/ours', GATEWAY),
];

interface Row extends Partial<Pick<ClusterWorkloadsArgs, 'addressed'>> {
  readonly hasLoadBalancers?: boolean;
  readonly want: string[];
}

const rows: Record<string, Row> = {
  'are waited for where their cloud has load balancers: all that others reach': {
    hasLoadBalancers: true,
    want: ['fleetwright-edge', 'front'],
  },
  'and those that are asked for next to them, be these the egress': {
    hasLoadBalancers: true,
    addressed: new Set(['fleetwright-egress']),
    want: ['fleetwright-edge', 'fleetwright-egress', 'front'],
  },
  'are not elsewhere': { want: [] },
  'are wherever they are asked for': { addressed: new Set(['front']), want: ['front'] },
};

test.each(Object.entries(rows))('addresses of Gateways %s', async (_, { want, addressed, ...more }) => {
  let reported: unknown;
  await record(async () => {
    const lab = new ExistingCluster('lab', { context: 'lab' });
    const cluster = { ...lab, name: 'lab', provider: lab.provider, ...more };
    const options = { manifests, ...(addressed && { addressed }) };
    const { addresses } = new ClusterWorkloads('lab', { cluster, ...options });
    reported = await toPromise(pulumi.all(Object.fromEntries(addresses)));
  });
  expect(reported).toEqual(Object.fromEntries(want.map((name) => [name, '203.0.113.8'])));
});

test.each(['GKE', 'EKS'] as const)(
  'addresses of Gateways are waited for on clusters that are made on %s',
  async (on) => {
    const names: string[] = [];
    await record(() => {
      const { cluster: declared, fleet } = aFleet(on);
      const cluster =
        on === 'GKE'
          ? new GkeCluster('us', { plan: gkePlan(declared, fleet, 'models') })
          : new EksCluster('us', { plan: eksPlan(declared, fleet) });
      names.push(...new ClusterWorkloads('us', { cluster, manifests }).addresses.keys());
    });
    expect(names.toSorted()).toEqual(['fleetwright-edge', 'front']);
  },
);

test('a stack reports the addresses of Gateways on clusters that it makes', async () => {
  pulumi.runtime.setAllConfig({ 'gcp:project': 'models' });
  const reported: Record<string, unknown> = {};
  await record(() => {
    const { outputs } = new FleetStack('all', { fleet: 'examples/ingress-gateway' });
    for (const [name, { gateways }] of Object.entries(outputs)) {
      pulumi.output(gateways).apply((known) => (reported[name] = known));
    }
  });
  const gateways = { 'fleetwright-edge': '203.0.113.8', 'front-public-e3deb': '203.0.113.8' };
  expect(reported).toEqual({ 'us-east': gateways, 'us-west': gateways });
});
