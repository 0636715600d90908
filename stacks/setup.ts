// What the entry points of stacks do before they load anything else.
import { requirePeers } from '../constructs/require-peers';

requirePeers('fleetwright/stacks', ['@pulumi/pulumi', '@pulumi/kubernetes']);
