import { Config } from '@pulumi/pulumi';
import { ExistingCluster, FleetStack } from 'fleetwright/stacks';

const config = new Config();

const berlin = new ExistingCluster('berlin', { kubeconfig: config.requireSecret('kubeconfig') });
const stack = new FleetStack('models', { fleet: '.', clusters: { berlin } });

export const clusters = stack.outputs;
