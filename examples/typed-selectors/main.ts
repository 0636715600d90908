import { join } from 'node:path';
import { App } from 'cdk8s';
import { Fleet } from 'fleetwright/constructs';
import { declareHardware } from './hardware';
import { declareModels } from './models';

const app = new App();
const fleet = new Fleet(app, 'typed-selectors');
declareHardware(fleet);
declareModels(fleet);
fleet.place({ lock: join(__dirname, 'fleet.lock.yaml') });
app.synth();
