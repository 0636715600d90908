// What `fleetwright/stacks/eks` does before it loads anything else.
import { requirePeers } from '../constructs/require-peers';

requirePeers('fleetwright/stacks/eks', ['@pulumi/pulumi', '@pulumi/kubernetes', '@pulumi/aws']);
