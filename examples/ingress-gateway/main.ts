import { FleetStack } from 'fleetwright/stacks';

const stack = new FleetStack('models', { fleet: '.' });

export const clusters = stack.outputs;
export const routing = stack.routing;
