import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { formatCount } from '../base/figures';
import { groupBy } from '../base/order';
import type { PlacedFleet } from '../plan/decision';
import { findRoomInPlace } from '../scheduler/room-in-place';
import { groupByDeployment } from '../scheduler/placement';
import type { BrokenMinimum, MinimumPair } from './broken-minimums';
import { type ApplyMode, neededOf } from './serving-during-change';
import { compileSurging, listSurgingPods } from './surging-replicas';

type TriedFleet = Pick<PlacedFleet, 'fleet' | 'model' | 'matcher' | 'schedule'>;

/** Creates a function that tells whether `minAvailable` rises above what serves while a deployment restarts in place. */
export function createRestartCheck(after: TriedFleet, applied: ApplyMode) {
  return ({ was, is, old, now }: MinimumPair, where: string): BrokenMinimum[] => {
    const { minAvailable = 0, rollout } = is.spec;
    const serving = countInRestart(is, now, applied);
    const former = neededOf(was.spec);
    const wasMet = countInRestart(was, old, applied) >= former;
    if (rollout.strategy === 'Recreate' || now.length < minAvailable || serving >= minAvailable || !wasMet) return [];
    const id = qualifiedNameOf(is);
    const isWorse = applied === 'perCluster' && serving < countInRestart(is, now, 'withWaves');
    const alone = isWorse ? ' if clusters are applied independently' : '';
    const what = `the gate refuses each later restart of ${id}: ${formatCount(serving)} of its ${formatCount(now.length)} replicas ${serving === 1 ? 'serves' : 'serve'} during rollout${alone}, below minAvailable: ${formatCount(minAvailable)}`;
    const keeps = serving >= former && was.spec.minAvailable !== undefined;
    const keep = keeps ? `keep 'minAvailable: ${former}'` : adviseOnReplicas(is, old, now);
    return [
      {
        where,
        what,
        isEnough: (clusters) => countInRestart(is, clusters, applied) >= minAvailable,
        advise: (found) => {
          const surge = hasSurgeRoom(is, after) ? ["'rollout.surge: 1' (there is room for it)"] : [];
          const replicas = found ? [`'replicas: ${found.replicas}'`] : [];
          const set = [...surge, ...replicas.filter((one) => !keep.endsWith(one))];
          return set.length > 0 ? `Set ${set.join(' or ')}, or ${keep}` : `Make room for a surge, or ${keep}`;
        },
      },
    ];
  };
}

/** What else helps where the former `minAvailable` is not met either. */
function adviseOnReplicas({ spec }: ModelDeployment, old: readonly string[], now: readonly string[]): string {
  const { minAvailable = 0 } = spec;
  if (now.length < old.length) return `keep 'replicas: ${old.length}'`;
  return minAvailable > 1 ? "lower 'minAvailable'" : "remove 'minAvailable'";
}

/** How many replicas serve while all of them restart in place, as the gate counts. */
function countInRestart({ spec: { rollout } }: ModelDeployment, clusters: readonly string[], applied: ApplyMode) {
  const { surge, parallel, strategy } = rollout;
  if (surge > 0) return clusters.length;
  const atATime = strategy === 'Recreate' || applied === 'atOnce' ? Infinity : parallel;
  const groups = applied === 'perCluster' ? [...groupBy(clusters, (name) => name).values()] : [clusters];
  return clusters.length - groups.reduce((sum, group) => sum + Math.min(atATime, group.length), 0);
}

function hasSurgeRoom(deployment: ModelDeployment, { fleet, model, matcher, schedule }: TriedFleet): boolean {
  const id = qualifiedNameOf(deployment);
  const surging = compileSurging([deployment], fleet).get(id);
  const lines = groupByDeployment(schedule.placements).get(id) ?? [];
  if (!surging) return false;
  const room = findRoomInPlace(model, matcher, schedule.placements);
  return room.findMissingNodes(listSurgingPods(lines, surging))?.length === 0;
}
