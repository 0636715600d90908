export type { ClaimFeature } from './api/kubernetes-features';
export type { FleetSettings } from './api/fleet-settings';
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
export type { Locate, ResourcePath } from './api/kinds';
export type { ModelCache, ModelCacheSpec } from './api/model-cache';
export type { ModelDeployment } from './api/model-deployment';
export type { ModelEndpoint } from './api/model-endpoint';
export type { ModelService } from './api/model-service';
export type { PolicyRule } from './api/policy-file';
export type { Group, Metadata, Path, ResourceOf } from './api/resource';
export type { Taint } from './api/schema/taints-and-tolerations';
export type { Architecture } from './catalog/gpu-architectures';
export type { NumberFormat } from './catalog/gpu-architectures';
export type { Mismatch } from './cel/explain/explain-mismatch';
export type {
  CostBreakdown,
  ClusterCost,
  Cost,
  DeploymentCost,
  NamespaceCost,
  PoolCost,
  PriceSource,
  CostRange,
  ReplicaCost,
  VolumeCost,
} from './cost/cost';
export type { Sum } from './cost/sum';
export { type Diagnostic, errorAt, formatDiagnostic, type Severity, warningAt } from './base/diagnostic';
export type { DiagnosticCode } from './base/diagnostic-codes';
export { FleetwrightError } from './base/errors';
export type { Excerpt } from './base/excerpt';
export { checkFleet } from './plan/check-fleet';
export { assemble, type Fleet, type PreviousRevision, type LostNodes } from './fleet/fleet';
export type { Catalogue } from './fleet/hardware/hardware';
export type { Hardware } from './fleet/hardware/hardware';
export type { PriceBook } from './fleet/prices/price-book';
export { type Price, type PricedNode, priceOf } from './fleet/prices/node-price';
export type { StoragePrice } from './fleet/prices/storage-price';
export type { Limits } from './manifest/input-limits';
export { loadManifests } from './manifest/load-manifests';
export type { IgnoredDocuments, LoadedManifests } from './manifest/load-files';
export type { SourceFile } from './manifest/source-file';
export type { UnreadDocument } from './manifest/unread-documents';
export type { ClusterNeeds } from './plan/plan';
export { decide } from './plan/decide';
export type { Decision, DecideOptions } from './plan/decision';
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
export type { Style } from './report/document/document';
export type { Policy, PolicyDiagnostic } from './fleet/policy';
export { formatPlan } from './report/plan/plan-text';
export type { MountedCache } from './replicas/mounted-caches';
export { renderCluster, type Rendering } from './render/cluster';
export { type ContractRule, rendererContract } from './render/renderer-contract';
export { renderFleet } from './render/fleet';
export type { Json, JsonObject, Manifest, ObjectMeta } from './manifest/kubernetes/manifest';
export type { RequiredObject } from './render/external-references';
export { native } from './render/renderer';
export type { Renderer } from './render/renderer';
export type { ComputedEngine, ComputedMember, ComputedReplica } from './replicas/replica';
export { computeReplicas } from './replicas/compute-replicas';
export type { Dns } from './api/routing/dns-and-tls';
export type {
  InboundRoute,
  Edge,
  EdgeBackend,
  Egress,
  EgressBackend,
  EngineCheck,
  Front,
  NamespacedName,
  GatewayLocation,
  Reach,
} from './routing/gateways';
export type {
  ApiKey,
  Auth,
  Certificate,
  HealthCheck,
  Picker,
  RateLimit,
  SecretKey,
  Timeouts,
} from './routing/traffic-policy';
export {
  type RouteEntry,
  type RoutingDocument,
  routingDocument,
  type ServiceEntry,
} from './routing/routing-document';
export type { ServiceListener, RouteMember, RoutedService, Routing, RouteRule } from './routing/routing';
export type { Claim, ClaimForm } from './scheduler/devices/pod-fit';
export { EMPTY_LOCK, formatLock, type Lock } from './scheduler/lock/lock';
export { parseLock } from './scheduler/lock/parse-lock';
export { schedule } from './scheduler/schedule';
export type { ResourceName } from './scheduler/compile/resource-requests';
export type {
  Eviction,
  EvictionReason,
  DowntimeReason,
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
} from './scheduler/schedule-result';
export type { Wave } from './scheduler/rollout-waves';
export { amdGpu } from './api/select/devices';
export { and, type Condition, not, or } from './api/select/condition';
export type {
  FlagFact,
  OrderedFact,
  Published,
  QuantityText,
  TextFact,
  VersionText,
} from './api/select/attribute-conditions';
export { gpu } from './api/select/devices';
export { nic } from './api/select/devices';
export { node } from './api/select/devices';
export type { WhereValue } from './api/select/where-value';
export type { AnsweringCapacity, ReachableCapacity } from './analyze/survive/service-capacity';
export type {
  ExtraNodes,
  FewestReachable,
  DeploymentHit,
  Loss,
  ServiceHit,
  StrandedReplicas,
  Survival,
  WorstDeployment,
  WorstService,
} from './analyze/survive/survival';
export { survive } from './analyze/survive/survive';
export type { Scenario, Step } from './analyze/what-if/scenario';
export { type Outcome, whatIf } from './analyze/what-if/what-if';
