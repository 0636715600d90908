import { App } from 'cdk8s';
import { Fleet, InferenceClass, InferenceCluster, ModelDeployment } from 'fleetwright/constructs';
import { FleetStack } from 'fleetwright/stacks';
import { cluster, EIGHT_GPUS, engine } from '../../constructs/build';

const fleet = new Fleet(new App(), 'main');
new InferenceClass(fleet, 'h100', EIGHT_GPUS);
new InferenceCluster(fleet, 'us', cluster('h100'));
new ModelDeployment(fleet, 'q', { namespace: 'ml', replicas: 1, engines: [engine()] });
new FleetStack('models', { fleet, lock: 'no-such.lock.yaml', kubeconfigs: { us: 'token: abc' } });
