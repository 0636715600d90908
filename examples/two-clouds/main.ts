import { Config } from '@pulumi/pulumi';
import { FleetStack } from 'fleetwright/stacks';

// A stack for each cloud, or one for both: nothing of one stack is needed by another.
const cluster = new Config().get('cluster');
const stack = new FleetStack('models', { fleet: '.', ...(cluster !== undefined && { cluster }) });

export const clusters = stack.outputs;
