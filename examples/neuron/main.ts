import { FleetStack } from 'fleetwright/stacks';
import { eks } from 'fleetwright/stacks/eks';

const stack = new FleetStack('models', { fleet: '.', clouds: [eks()] });

export const clusters = stack.outputs;
