import { FleetStack } from 'fleetwright/stacks';
import { gke } from 'fleetwright/stacks/gke';

const stack = new FleetStack('models', {
  fleet: '.',
  clouds: [
    gke({
      transform: () => ({
        subnet: (args) => ({ ...args, logConfig: { aggregationInterval: 'INTERVAL_10_MIN' } }),
        cluster: (args) => ({
          ...args,
          maintenancePolicy: { dailyMaintenanceWindow: { startTime: '03:00' } },
        }),
      }),
    }),
  ],
});

export const clusters = stack.outputs;
