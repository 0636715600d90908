import { FleetStack } from 'fleetwright/stacks';
import { aks } from 'fleetwright/stacks/aks';

const stack = new FleetStack('models', {
  fleet: '.',
  clouds: [
    aks({
      transform: () => ({
        cluster: (args) => ({ ...args, azureMonitorProfile: { metrics: { enabled: true } } }),
        subnet: (args) => ({ ...args, defaultOutboundAccess: false }),
      }),
    }),
  ],
});

export const clusters = stack.outputs;
