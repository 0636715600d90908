import { qualifiedNameOf } from '../api/resource';
import type { Diagnostic } from '../base/diagnostic';
import { formatCount } from '../base/figures';
import { lazily } from '../base/memoize';
import { groupBy } from '../base/order';
import { joinNames } from '../base/text';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { describeLeft, findWorstLoss, listLosses } from '../plan/moved-minimums';
import { groupByDeployment } from '../scheduler/placement';
import { adviseAll, type BrokenMinimum, type MinimumPair } from './broken-minimums';
import { createReplicaTrials } from './enough-replicas';
import type { FleetDiff } from './fleet-diff';
import { createRestartCheck } from './refused-restarts';
import { type ApplyMode, neededOf } from './serving-during-change';

interface ChangedPlacements {
  readonly before: Pick<PlacedFleet, 'fleet' | 'schedule'>;
  readonly after: Pick<PlacedFleet, 'fleet' | 'model' | 'matcher' | 'schedule'>;

  /** The place of the change, for what no declaration causes. */
  readonly at: string;

  /** How changes are applied. */
  readonly applied: ApplyMode;
}

/**
 * Warns where the loss of one cluster, or a restart, leaves fewer replicas than `minAvailable`, and left enough before
 * the change: fewer replicas, other places, or a higher `minAvailable`.
 */
export function findLostMinimums(diff: FleetDiff, { before, after, at, applied }: ChangedPlacements): Diagnostic[] {
  const [earlier, later] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  const places = listPlaces(diff, at);
  const trials = lazily(() => createReplicaTrials(after));
  const findRefusedRestart = createRestartCheck(after, applied);
  return [...new Set([...places.edited.keys(), ...places.changed.keys()])].flatMap((id) => {
    const [was, is] = [earlier?.get(id), later?.get(id)];
    if (!was || !is) return [];
    const [edited, changed] = [places.edited.get(id), places.changed.get(id)];
    const pair = { was, is, old: listClusters(id, before), now: listClusters(id, after) };
    const where = { edited: edited ?? changed ?? at, changed: changed ?? edited ?? at };
    const broken = [
      ...findLostMinimum(pair, where),
      ...findRefusedRestart(pair, neededOf(is.spec) > neededOf(was.spec) ? where.edited : where.changed),
    ];
    return adviseAll(broken, (isEnough) => trials()(id, isEnough));
  });
}

/** The deployments whose `minAvailable` changes, and those that keep replicas, some of which change, each with its place. */
function listPlaces({ deployments, declarations }: FleetDiff, at: string) {
  const changed = deployments.flatMap(({ deployment, serving, changes }): [string, string][] => {
    const [cause] = changes.flatMap(({ causes }) => causes);
    return serving.before === 0 || serving.after === 0 ? [] : [[deployment, cause?.where ?? at]];
  });
  const edited = declarations.flatMap(({ id, fields }): [string, string][] => {
    const found = id.startsWith(KIND) ? fields.find(({ field }) => field === 'spec.minAvailable') : undefined;
    return found ? [[id.slice(KIND.length), found.where]] : [];
  });
  return { edited: new Map(edited), changed: new Map(changed) };
}

const KIND = 'ModelDeployment ';

function findLostMinimum(
  { was, is, old, now }: MinimumPair,
  where: { readonly edited: string; readonly changed: string },
): BrokenMinimum[] {
  const { minAvailable } = is.spec;
  const former = was.spec.minAvailable;
  const [least, lost] = [findWorstLoss(old), listLosses(now).filter(({ left }) => left < (minAvailable ?? 0))];
  if (minAvailable === undefined || !least || lost.length === 0) return [];
  // Fewer are left than before, or else `minAvailable` asks for more.
  const isLowered = least.left >= minAvailable;
  if (!isLowered && least.left < neededOf(was.spec)) return [];
  const earlier = isLowered
    ? `before: ${formatCount(least.left)} if any one cluster fails`
    : `before: ${former === undefined ? 'no minAvailable' : `minAvailable: ${formatCount(former)}, which was met`}`;
  const what = `${describeLosses(qualifiedNameOf(is), lost)}, below minAvailable: ${formatCount(minAvailable)} (${earlier})`;
  const lower = isLowered || former === undefined ? "lower 'minAvailable'" : `keep 'minAvailable: ${former}'`;
  return [
    {
      where: isLowered ? where.changed : where.edited,
      what,
      isEnough: (clusters) => (findWorstLoss(clusters)?.left ?? 0) >= minAvailable,
      advise: (found) =>
        found
          ? `Set 'replicas: ${found.replicas}'${found.room}, or ${lower}`
          : `Make room for more replicas on other clusters, or ${lower}`,
    },
  ];
}

/** The most clusters to name. */
const MAX_NAMED = 3;

/** `if eu or us fails, 2 replicas of ml/a are left`, `if eu fails, 1 replica of ml/a is left, and 2 if us fails`. */
function describeLosses(id: string, lost: ReturnType<typeof listLosses>): string {
  const byCount = [...groupBy(lost, ({ left }) => left)].sort(([a], [b]) => a - b);
  const parts = byCount.map(([left, clusters], i) => {
    const names = joinNames(
      clusters.map(({ cluster }) => cluster),
      MAX_NAMED,
      ' or ',
    );
    if (i > 0) return `${formatCount(left)} if ${names} fails`;
    return `if ${names} fails, ${describeLeft(id, left)}`;
  });
  return joinNames(parts, MAX_NAMED, ', and ');
}

/** The clusters of the replicas that stay, one entry for each. */
function listClusters(id: string, { schedule }: Pick<PlacedFleet, 'schedule'>): string[] {
  const lines = groupByDeployment(schedule.placements).get(id) ?? [];
  return lines.flatMap(({ cluster, draining }) => (draining === true ? [] : [cluster]));
}
