import { Config } from '@pulumi/pulumi';
import { FleetStack } from 'fleetwright/stacks';

// A stack for each cloud, or one for all: no stack needs anything of another.
const cluster = new Config().get('cluster');
const stack = new FleetStack('models', { fleet: '.', ...(cluster !== undefined && { cluster }) });

export const clusters = stack.outputs;
