// What `fleetwright/stacks/gke` does before it loads anything else.
import { requirePeers } from '../constructs/require-peers';

requirePeers('fleetwright/stacks/gke', ['@pulumi/pulumi', '@pulumi/kubernetes', '@pulumi/gcp']);
