import { secret } from '@pulumi/pulumi';
import { ExistingCluster } from 'fleetwright/stacks';

new ExistingCluster('lab', { kubeconfig: secret(Promise.resolve('')) });
