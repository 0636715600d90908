import type { Locate } from '../api/kinds';
import type { Fleet } from '../fleet/fleet';
import type { ModelExpansion } from '../fleet/models/model-layouts';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { mergeRevisions, recordRevision } from '../scheduler/previous-revision';
import type { LockLines } from './held-deployments';
import { scheduleAroundPods } from './unlocked-pods';

type Scheduled = ReturnType<typeof scheduleAroundPods>;

/**
 * Schedules a fleet whose layouts are chosen again: all replicas of a model get its preferred layout, where that has
 * room for all of them. The replicas of other deployments keep the layouts that they have.
 */
export function scheduleRefit(fleet: Fleet, locate: Locate, lock: LockLines, matcher: PodMatcher): Scheduled {
  const several = [...(fleet.expansions ?? [])].filter(([, { variants }]) => variants.length > 1);
  const ids = several.map(([id]) => id);
  const first = scheduleAroundPods(withPreferredLayouts(fleet, new Set(ids)), locate, lock, matcher);
  const short = new Set(first.result.shortfalls.map(({ deployment }) => deployment));
  if (!ids.some((id) => short.has(id))) return first;
  const roomy = new Set(ids.filter((id) => !short.has(id)));
  return scheduleAroundPods(withPreferredLayouts(fleet, roomy), locate, lock, matcher);
}

/** Leaves deployments their preferred layout alone. Replicas of the others run what is known of them, and leave. */
function withPreferredLayouts(fleet: Fleet, ids: ReadonlySet<string>): Fleet {
  const { expansions = new Map<string, ModelExpansion>(), former = [] } = fleet;
  const others = [...expansions].flatMap(([id, { variants }]) =>
    ids.has(id) ? variants.slice(1).flatMap(({ deployment }) => recordRevision(deployment) ?? []) : [],
  );
  const preferred = [...expansions].map(([id, expansion]): [string, ModelExpansion] => {
    const [variant] = expansion.variants;
    return [id, ids.has(id) ? { ...expansion, variants: [variant] } : expansion];
  });
  return { ...fleet, expansions: new Map(preferred), former: mergeRevisions(others, former) };
}
