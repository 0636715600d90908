import { Config } from '@pulumi/pulumi';
import { FleetStack } from 'fleetwright/stacks';

new FleetStack('models', { fleet: new Config().require('fleet') });
