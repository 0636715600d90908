import { join } from 'node:path';
import { App } from 'cdk8s';
import { Fleet } from 'fleetwright/constructs';
import { declareClusters } from './clusters';
import { declareGang } from './gang';
import { declareModels } from './models';

const app = new App();
const fleet = new Fleet(app, 'quickstart');
declareClusters(fleet);
declareGang(fleet);
declareModels(fleet);
fleet.place({ lock: join(__dirname, 'fleet.lock.yaml') });
app.synth();
