import type { Engine, Member } from '../api/engine';
import { imagePath } from '../api/image';
import type { ModelDeployment } from '../api/model-deployment';
import { CUSTOM_OF_GROUP } from '../catalog/engines/custom';
import type { EngineProfile } from '../catalog/engines/profile';
import { PROFILES } from '../catalog/engines/profiles';
import { memoWeak, type WeakTable } from '../memo';
import { programIn } from './invocation';

/** The runtime of an engine, and how we know. */
export interface Recognised {
  readonly profile: EngineProfile;

  /** What told: the field `runtime`, the command line, the name of the image, or nothing. */
  readonly by: 'runtime' | 'command' | 'image' | 'nothing';

  /** What it said: the runtime, the program, the image. */
  readonly evidence: string;
}

const ALL = Object.values(PROFILES);

/**
 * The runtime of an engine: the one that it names, else that of the program that it starts, else that of its image,
 * else `Custom`. Read from the member that answers requests.
 *
 * @example
 * profileOf(deployment, engine).profile.port.default; // 8000
 */
export function profileOf({ group }: Pick<ModelDeployment, 'group'>, engine: Engine): Recognised {
  const custom = CUSTOM_OF_GROUP[group];
  return memoWeak(KNOWN, custom, engine, () => recognise(engine, custom));
}

/**
 * By the profile of an engine that nothing tells of. Declarations never change once they are read, so an answer holds.
 * Shell scripts take a while to read.
 */
const KNOWN: WeakTable<EngineProfile, Engine, Recognised> = new WeakMap();

function recognise(engine: Engine, custom: EngineProfile): Recognised {
  const { runtime } = engine;
  if (runtime !== undefined) return { profile: PROFILES[runtime], by: 'runtime', evidence: runtime };
  const container = servingMember(engine).template.spec.containers[0];
  const started = programIn(container, ALL);
  if (started) return { profile: started.profile, by: 'command', evidence: started.program };
  const path = imagePath(container.image);
  const named = ALL.find(({ images }) => images.some((image) => image.test(path)));
  if (named) return { profile: named, by: 'image', evidence: container.image };
  return { profile: custom, by: 'nothing', evidence: container.image };
}

/** The member of an engine that answers requests: the one that is alone, or the leader. */
export function servingMember({ name, members }: Engine): Member {
  const found = members.find(({ role }) => role !== 'Worker');
  if (!found) throw new Error(`bug: engine ${name} has no member that serves`);
  return found;
}
