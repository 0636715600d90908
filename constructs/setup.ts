// What `fleetwright/constructs` does before it loads anything else.
import { printUncaughtMessages } from '../src/files/print-uncaught';
import { requirePeers } from './require-peers';

requirePeers('fleetwright/constructs', ['cdk8s', 'constructs']);
printUncaughtMessages();
