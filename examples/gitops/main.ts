import { FleetStack } from 'fleetwright/stacks';

// Releases are Pulumi's. What runs on the clusters is written to files, which a tool applies from git.
const stack = new FleetStack('models', { fleet: '.', workloads: 'files', out: 'manifests' });

export const clusters = stack.outputs;
