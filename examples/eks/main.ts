import { FleetStack } from 'fleetwright/stacks';
import { eks } from 'fleetwright/stacks/eks';

const stack = new FleetStack('models', {
  fleet: '.',
  clouds: [
    eks({
      transform: () => ({
        cluster: (args) => ({ ...args, enabledClusterLogTypes: ['audit'] }),
        fileSystem: (args) => ({ ...args, throughputMode: 'bursting' }),
      }),
    }),
  ],
});

export const clusters = stack.outputs;
