import { join } from 'node:path';
import { ComponentResource, CustomResource, type Output, secret } from '@pulumi/pulumi';
import { ExistingCluster, FleetStack } from 'fleetwright/stacks';

/** Something that makes clusters, whose kubeconfig is known only once it is there. */
class Maker extends CustomResource {
  declare readonly kubeconfig: Output<string>;

  constructor(name: string, parent: ComponentResource) {
    super('test:index:Maker', name, { kubeconfig: 'token: made' }, { parent });
  }
}

const clouds = new ComponentResource('test:index:Clouds', 'clouds');
const berlin = new ExistingCluster('berlin', {
  kubeconfig: secret(new Maker('berlin', clouds).kubeconfig),
});

export const { outputs } = new FleetStack('models', {
  fleet: join(__dirname, '../../../examples/existing'),
  clusters: { berlin },
  cluster: 'berlin',
  precheck: true,
  waves: true,
});
