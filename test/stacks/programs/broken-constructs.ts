import { App } from 'cdk8s';
import { Fleet, InferenceCluster } from 'fleetwright/constructs';
import { FleetStack } from 'fleetwright/stacks';

const fleet = new Fleet(new App(), 'main');
const cluster = { source: 'Existing', existing: { context: 'lab' } } as const;
for (const name of ['one', 'two']) {
  new InferenceCluster(fleet, name, { cluster, nodePools: [{ name: 'a', className: 'none', nodeCount: 1 }] });
}
new FleetStack('models', { fleet, lockMode: 'ephemeral' });
