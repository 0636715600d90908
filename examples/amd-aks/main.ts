import { FleetStack } from 'fleetwright/stacks';
import { aks } from 'fleetwright/stacks/aks';

const stack = new FleetStack('models', { fleet: '.', clouds: [aks()] });

export const clusters = stack.outputs;
