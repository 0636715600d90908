export { FleetwrightError, describe, type Problem } from './errors';
export { checkFleet } from './check-fleet';
export { assemble, type Fleet } from './fleet';
export { loadManifests } from './manifest/load';
export type { Loaded } from './manifest/load-files';
export type { SourceFile } from './manifest/source';
export { type Decision, decide } from './plan/decide';
export type { Plan } from './plan/plan';
export { formatPlan } from './plan/text';
export { type ContractRule, rendererContract } from './render/contract';
export { renderFleet } from './render/fleet';
export type { Json, JsonObject, Manifest, ObjectMeta } from './render/manifest';
export { native } from './render/native';
export type { Renderer } from './render/renderer';
export {
  type ComputedEngine,
  type ComputedMember,
  type ComputedReplica,
  computeReplicas,
} from './render/replica';
export { EMPTY_LOCK, formatLock, type Lock } from './scheduler/lock';
export { parseLock } from './scheduler/lock-parse';
export { schedule } from './scheduler/schedule';
export type { Placement, Rejection, Schedule, Shortfall } from './scheduler/types';
