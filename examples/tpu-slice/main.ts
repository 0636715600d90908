import { FleetStack } from 'fleetwright/stacks';
import { gke } from 'fleetwright/stacks/gke';

const stack = new FleetStack('models', { fleet: '.', clouds: [gke()] });

export const clusters = stack.outputs;
