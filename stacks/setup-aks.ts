// What `fleetwright/stacks/aks` does before it loads anything else.
import { requirePeers } from '../constructs/require-peers';

requirePeers('fleetwright/stacks/aks', ['@pulumi/pulumi', '@pulumi/kubernetes', '@pulumi/azure-native']);
