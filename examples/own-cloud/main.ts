import { Provider } from '@pulumi/kubernetes/provider';
import { Config } from '@pulumi/pulumi';
import { FleetStack } from 'fleetwright/stacks';
import { acme } from './acme-cloud';

const config = new Config();
const platform = new Provider('platform', { kubeconfig: config.requireSecret('platformKubeconfig') });
const stack = new FleetStack('models', { fleet: '.', clouds: [acme(platform, config.require('authority'))] });

export const clusters = stack.outputs;
