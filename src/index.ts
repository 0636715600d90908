// What a program, a renderer and a reader of plans need. Types that these only refer to are reached through their
// fields: `Plan['totals']`.

// Declarations
export { assemble, type Fleet } from './fleet/fleet';
export { loadManifests } from './manifest/load-manifests';
export type { LoadedManifests } from './manifest/load-files';
export type { SourceFile } from './manifest/source-file';
export type { Limits } from './manifest/input-limits';
export type { Metadata } from './api/resource';
export type { Locate, Resource } from './api/kinds';
export type { FleetSettings } from './api/fleet-settings';
export type { Grant } from './api/grant';
export type { InferenceClass } from './api/inference-class';
export type { InferenceCluster } from './api/inference-cluster';
export type { InferenceGateway } from './api/inference-gateway';
export type { ModelCache } from './api/model-cache';
export type { ModelDeployment } from './api/model-deployment';
export type { ModelEndpoint } from './api/model-endpoint';
export type { ModelService } from './api/model-service';

// Typed selectors
export { amdGpu, gpu, nic, node } from './api/select/devices';
export { and, type Condition, not, or } from './api/select/condition';

// Decisions
export { decide } from './plan/decide';
export type { DecideOptions, Decision } from './plan/decision';
export type { Change, DeploymentPlan, PlacedReplica, Plan } from './plan/plan';
export type { Placement } from './scheduler/placement';
export type { Cost, CostRange } from './cost/cost';
export { EMPTY_LOCK, formatLock, type Lock } from './scheduler/lock/lock';
export { parseLock } from './scheduler/lock/parse-lock';
export { formatPlan } from './report/plan/plan-text';
export type { Style } from './report/document/document';
export { survive } from './analyze/survive/survive';
export type { Survival } from './analyze/survive/survival';
export type { Scenario } from './analyze/what-if/scenario';
export { type Outcome, whatIf } from './analyze/what-if/what-if';

// Manifests
export { renderCluster, type Rendering } from './render/cluster';
export { renderFleet } from './render/fleet';
export { native } from './render/native';
export type { Renderer } from './render/renderer';
export { type ContractRule, rendererContract } from './render/renderer-contract';
export type { ComputedEngine, ComputedMember, ComputedReplica } from './replicas/replica';
export type { JsonObject, Manifest } from './manifest/kubernetes/manifest';
export { type RoutingDocument, routingDocument } from './routing/routing-document';

// Diagnostics
export { type Diagnostic, formatDiagnostic, type Severity } from './base/diagnostic';
export type { DiagnosticCode } from './base/diagnostic-codes';
export { FleetwrightError } from './base/errors';
