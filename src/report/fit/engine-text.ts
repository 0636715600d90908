import { NEWEST_LOGGED } from '../../catalog/engine-overheads';
import { type EngineVersion, isVersionIn } from '../../sizing/engine-version';

/** Names the engine whose figures of memory count: `vllm 0.20`. A newer version than those with logged runs may differ. */
export function nameSizedEngine({ name, version }: EngineVersion): string {
  const newest = NEWEST_LOGGED[name];
  if (newest === undefined) return `${name}, of which no version has a logged run`;
  const stated = version.join('.');
  const isNewer = stated !== newest && isVersionIn(version, { from: newest });
  return isNewer
    ? `${name} ${newest}, the newest version with a logged run: ${stated} may differ`
    : `${name} ${stated}`;
}
