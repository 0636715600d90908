import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { formatCount } from '../base/figures';
import { pluralize } from '../base/text';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { findWorstLoss } from '../plan/moved-minimums';
import { groupByDeployment } from '../scheduler/placement';
import type { FleetDiff } from './fleet-diff';

interface ChangedPlacements {
  readonly before: Pick<PlacedFleet, 'fleet' | 'schedule'>;
  readonly after: Pick<PlacedFleet, 'fleet' | 'schedule'>;

  /** The place of the change, for what no declaration causes. */
  readonly at: string;
}

/**
 * Warns where the loss of one cluster leaves fewer replicas than `minAvailable`, and left enough before the change: fewer
 * replicas, other places, or a higher `minAvailable`.
 */
export function findLostMinimums(diff: FleetDiff, { before, after, at }: ChangedPlacements): Diagnostic[] {
  const [earlier, later] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  const places = listPlaces(diff, at);
  return [...new Set([...places.edited.keys(), ...places.changed.keys()])].flatMap((id) => {
    const [was, is] = [earlier?.get(id), later?.get(id)];
    if (!was || !is) return [];
    const [edited, changed] = [places.edited.get(id), places.changed.get(id)];
    return findLostMinimum([was, is], { before, after }).map(({ isLowered, what }) => {
      const where = (isLowered ? (changed ?? edited) : (edited ?? changed)) ?? at;
      return warningAt('lost-redundancy', where, what, "Keep more replicas on other clusters, or lower 'minAvailable'");
    });
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

/** Too few replicas without one cluster. */
interface LostMinimum {
  /** Whether fewer are left than before, or else `minAvailable` asks for more. */
  readonly isLowered: boolean;
  readonly what: string;
}

function findLostMinimum(
  [was, is]: readonly [ModelDeployment, ModelDeployment],
  { before, after }: Omit<ChangedPlacements, 'at'>,
): LostMinimum[] {
  const { minAvailable } = is.spec;
  const former = was.spec.minAvailable;
  const [old, now] = [countAfterLoss(was, before), countAfterLoss(is, after)];
  if (minAvailable === undefined || !old || !now || now.left >= minAvailable) return [];
  const isLowered = old.left >= minAvailable;
  if (!isLowered && old.left < Math.max(1, former ?? 1)) return [];
  const left = now.left === 0 ? 'no replica' : pluralize(now.left, 'replica');
  const earlier = isLowered
    ? `before: ${formatCount(old.left)} without any one cluster`
    : `before: ${former === undefined ? 'no minAvailable' : `minAvailable: ${formatCount(former)}, which was met`}`;
  const what = `${qualifiedNameOf(is)} keeps ${left} without cluster ${now.cluster}, below minAvailable: ${formatCount(minAvailable)} (${earlier})`;
  return [{ isLowered, what }];
}

/** The cluster whose loss leaves the fewest replicas of a deployment serving, and how many. */
function countAfterLoss(
  deployment: ModelDeployment,
  { schedule }: Pick<PlacedFleet, 'schedule'>,
): { readonly cluster: string; readonly left: number } | undefined {
  const lines = (groupByDeployment(schedule.placements).get(qualifiedNameOf(deployment)) ?? []).filter(
    ({ draining }) => draining !== true,
  );
  return findWorstLoss(lines.map(({ cluster }) => cluster));
}
