export type { Fault } from './api/checks/fault';
export type { ClaimFeature } from './api/claim-features';
export type { FleetSettings } from './api/fleet';
export type { Grant } from './api/grant';
export type {
  DeclaredClass,
  DeclaredClassSpec,
  InferenceClass,
  InferenceClassSpec,
} from './api/inference-class';
export type { InferenceCluster } from './api/inference-cluster';
export type { InferenceGateway } from './api/inference-gateway';
export type { Resource } from './api/kinds';
export type { Locate } from './api/locate';
export type { ModelCache, ModelCacheSpec } from './api/model-cache';
export type { ModelDeployment } from './api/model-deployment';
export type { ModelEndpoint } from './api/model-endpoint';
export type { ModelService } from './api/model-service';
export type { PolicyRule } from './api/policy-file';
export type { Group, Metadata, Path, ResourceOf } from './api/resource';
export type { Taint } from './api/shared/taint';
export type { Architecture } from './catalog/architectures';
export type { NumberFormat } from './catalog/number-formats';
export type { Mismatch } from './cel/explain';
export type {
  Bought,
  ClusterCost,
  Cost,
  DeploymentCost,
  NamespaceCost,
  PoolCost,
  PriceSource,
  Range,
  ReplicaCost,
  VolumeCost,
} from './cost/cost';
export type { Sum } from './cost/sum';
export { FleetwrightError, describe, type Problem } from './errors';
export type { Excerpt } from './excerpt';
export { checkFleet } from './check-fleet';
export { assemble, type Fleet, type FormerShape, type LostNodes } from './fleet';
export type { Catalogue } from './hardware/catalogue';
export type { Hardware } from './hardware/hardware';
export type { PriceBook } from './hardware/price-book';
export { type Price, type Priced, priceOf } from './hardware/price-of';
export type { StoragePrice } from './hardware/storage-price-of';
export type { Limits } from './manifest/limits';
export { loadManifests } from './manifest/load';
export type { Ignored, Loaded } from './manifest/load-files';
export type { SourceFile } from './manifest/source';
export type { Unread } from './manifest/unread';
export type { ClusterNeeds } from './plan/cluster-needs';
export { type Decision, decide, type Remarks } from './plan/decide';
export type {
  Change,
  DeploymentPlan,
  Drain,
  FleetSize,
  PlacedReplica,
  Plan,
  PriceDate,
  ShortfallPlan,
  Stuck,
  Totals,
  Usage,
} from './plan/plan';
export type { Style } from './plan/style';
export type { Policy, PolicyFinding } from './policy/policy';
export { formatPlan } from './plan/text';
export type { MountedCache } from './render/cache/mounted';
export { renderCluster, type Rendering } from './render/cluster';
export { type ContractRule, rendererContract } from './render/contract';
export { renderFleet } from './render/fleet';
export type { Json, JsonObject, Manifest, ObjectMeta } from './render/manifest';
export type { Needed } from './render/must-exist';
export { native } from './render/native';
export type { Renderer } from './render/renderer';
export {
  type ComputedEngine,
  type ComputedMember,
  type ComputedReplica,
  computeReplicas,
} from './render/replica';
export type { Dns } from './api/routing/dns';
export type {
  Arrival,
  Edge,
  EdgeBackend,
  Egress,
  EgressBackend,
  EngineCheck,
  Front,
  Named,
  Place,
  Reach,
} from './routing/places';
export type {
  ApiKey,
  Auth,
  Certificate,
  HealthCheck,
  Picker,
  RateLimit,
  SecretKey,
  Timeouts,
} from './routing/policy';
export {
  type RouteEntry,
  type RoutingDocument,
  routingDocument,
  type ServiceEntry,
} from './routing/document';
export type { Door, Member, RoutedService, Routing, Rule } from './routing/routing';
export type { Claim, ClaimForm } from './scheduler/fit-on-node';
export { EMPTY_LOCK, formatLock, type Lock } from './scheduler/lock';
export { parseLock } from './scheduler/lock-parse';
export { schedule } from './scheduler/schedule';
export type { ResourceName } from './scheduler/shapes';
export type {
  Eviction,
  EvictionReason,
  Gap,
  Misfit,
  Placement,
  Reason,
  Rejection,
  Remedy,
  Schedule,
  ShortResource,
  Shortage,
  Shortfall,
  SpreadLimit,
} from './scheduler/types';
export type { Wave } from './scheduler/waves';
export { amdGpu } from './select/amd-gpu';
export { and, type Condition, not, or } from './select/condition';
export type {
  FlagFact,
  OrderedFact,
  Published,
  QuantityText,
  TextFact,
  VersionText,
} from './select/facts';
export { gpu } from './select/gpu';
export { nic } from './select/nic';
export { node } from './select/node';
export type { WhereValue } from './select/where-value';
export type { Answering, Reached } from './survive/answering';
export type {
  ExtraNodes,
  Fewest,
  Hit,
  Loss,
  ServiceHit,
  Stranded,
  Survival,
  Worst,
  WorstService,
} from './survive/survival';
export { survive } from './survive/survive';
export type { Scenario, Step } from './what-if/scenario';
export { type Outcome, whatIf } from './what-if/what-if';
