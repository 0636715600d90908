import { ExistingCluster } from 'fleetwright/stacks';

new ExistingCluster('lab', { kubeconfig: '' });
