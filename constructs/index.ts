import './setup';

export type { Diagnostic } from '../src/base/diagnostic';
export { FleetwrightError } from '../src/base/errors';
export { Declaration } from './declaration';
export { Fleet } from './fleet';
export { Grant } from './grant';
export { InferenceClass } from './inference-class';
export { InferenceCluster } from './inference-cluster';
export { InferenceGateway } from './inference-gateway';
export { ModelCache } from './model-cache';
export { ModelDeployment } from './model-deployment';
export { ModelEndpoint } from './model-endpoint';
export { ModelService } from './model-service';
export type { DeviceProps, EngineProps, MemberProps, NodePoolProps, NodeSelectorProps } from './nested-props';
export type { Placed, PlaceOptions } from './place';
export type * as props from './props/index';
export type { FleetProps } from './props/fleet';
export type { GrantProps } from './props/grant';
export type { InferenceClassProps } from './props/inference-class';
export type { InferenceClusterProps } from './props/inference-cluster';
export type { InferenceGatewayProps } from './props/inference-gateway';
export type { ModelCacheProps } from './props/model-cache';
export type { ModelDeploymentProps } from './props/model-deployment';
export type { ModelEndpointProps } from './props/model-endpoint';
export type { ModelServiceProps } from './props/model-service';
export type {
  Cdk8sPlus,
  ClaimReference,
  ConfigMapReference,
  ContainerSettings,
  SecretReference,
  ServiceAccountReference,
  ServiceReference,
  ServiceSettings,
} from './references/cdk8s-plus';
export type { ClusterReferences } from './references/cluster-references';
export type { EmittedObject } from './references/emitted-object';
export type { ObjectReferences } from './references/object-references';
export type { Workload, WorkloadTarget } from './references/workload';
