import { fleetSettings } from './fleet-settings';
import { grant } from './grant';
import { inferenceClass } from './inference-class';
import { inferenceCluster } from './inference-cluster';
import { inferenceGateway } from './inference-gateway';
import { modelCache } from './model-cache';
import { modelDeployment } from './model-deployment';
import { modelEndpoint } from './model-endpoint';
import { modelService } from './model-service';

/** All kinds, in the order in which a fleet is usually declared. */
export const KINDS = [
  fleetSettings,
  inferenceClass,
  inferenceCluster,
  inferenceGateway,
  modelCache,
  modelDeployment,
  modelService,
  modelEndpoint,
  grant,
] as const;
