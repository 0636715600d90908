import type { Engine, EngineMember } from '../api/engine';
import { isFrontend } from '../api/engine-phases';
import { imageRepositoryOf } from '../api/image-names';
import type { ModelDeployment } from '../api/model-deployment';
import type { Group } from '../api/resource';
import { getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import { DYNAMO_FRONTEND, DYNAMO_WORKERS, FRAMEWORK_IMAGES } from '../catalog/engines/dynamo';
import type { EngineProfile } from '../catalog/engines/engine-profile';
import { CUSTOM, ENGINE_PROFILES, MODELPLANE_CUSTOM } from '../catalog/engines/profiles';
import { findStartedProgram } from './command-line';

/** The runtime of an engine, and how it was detected. */
interface DetectedRuntime {
  readonly profile: EngineProfile;

  /** The source: the field `runtime`, the command line, the name of the image, or nothing. */
  readonly by: 'runtime' | 'command' | 'image' | 'nothing';

  /** The value of the source: the runtime, the program, the image. */
  readonly evidence: string;
}

/** The runtimes that are detected. Parts of Dynamo are declared: what they serve depends on others. */
const ALL = Object.values(ENGINE_PROFILES).filter(({ operated }) => !operated);

/** The assumptions about an engine that nothing identifies. */
const CUSTOM_OF_GROUP: Readonly<Record<Group, EngineProfile>> = {
  'fleetwright.dev': CUSTOM,
  'modelplane.ai': MODELPLANE_CUSTOM,
};

/**
 * The runtime of an engine: the declared one, else that of the program that it starts, else that of its image, else
 * `Custom`. Uses the member that serves requests.
 *
 * @example
 * profileOf(deployment, engine).profile.port.default; // 8000
 */
export function profileOf({ group }: Pick<ModelDeployment, 'group'>, engine: Engine): DetectedRuntime {
  const custom = CUSTOM_OF_GROUP[group];
  return getOrComputeWeak(DETECTED, custom, engine, () => detectRuntime(engine, custom));
}

/** Cached by the profile for undetected engines, because shell scripts take a while to parse. */
const DETECTED: WeakPairMap<EngineProfile, Engine, DetectedRuntime> = new WeakMap();

function detectRuntime(engine: Engine, custom: EngineProfile): DetectedRuntime {
  const { runtime } = engine;
  if (runtime === 'Dynamo') return { profile: dynamoProfileOf(engine), by: 'runtime', evidence: runtime };
  if (runtime !== undefined) return { profile: ENGINE_PROFILES[runtime], by: 'runtime', evidence: runtime };
  const container = servingMemberOf(engine).template.spec.containers[0];
  const started = findStartedProgram(container, ALL);
  if (started) return { profile: started.profile, by: 'command', evidence: started.program };
  const path = imageRepositoryOf(container.image);
  const named = ALL.find(({ images }) => images.some((image) => image.test(path)));
  if (named) return { profile: named, by: 'image', evidence: container.image };
  return { profile: custom, by: 'nothing', evidence: container.image };
}

/** The profile of the program that a part of Dynamo starts, or of the framework that its image is named after. */
function dynamoProfileOf(engine: Engine): EngineProfile {
  const member = engine.members.find(({ role }) => role !== 'Worker');
  const container = member?.template.spec.containers[0];
  if (isFrontend(engine) || !container) return DYNAMO_FRONTEND;
  const started = findStartedProgram(container, DYNAMO_WORKERS);
  if (started) return started.profile;
  const path = imageRepositoryOf(container.image);
  const named = DYNAMO_WORKERS.find(({ framework }) => path.endsWith(FRAMEWORK_IMAGES[framework]));
  return named ?? ENGINE_PROFILES.Dynamo;
}

/** The member of an engine that serves requests: the only one, or the leader. */
export function servingMemberOf({ name, members }: Engine): EngineMember {
  const found = members.find(({ role }) => role !== 'Worker');
  if (!found) throw new Error(`bug: engine ${name} has no member that serves`);
  return found;
}

/**
 * The parts of a deployment that decide how its engines run: its group and its template. Deployments that share
 * both have engines that run in the same way.
 */
export interface RunnableDeployment extends Pick<ModelDeployment, 'group'> {
  readonly spec: { readonly template: Pick<ModelDeployment['spec']['template'], 'spec'> };
}
