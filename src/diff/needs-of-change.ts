import type { PlacedFleet } from '../plan/decision';
import { findNewNeeds } from '../plan/new-required-objects';
import type { ClusterNeeds } from '../plan/plan';
import { findRequiredObjects } from '../plan/required-objects';
import { createRendererSelector } from '../render/renderers';
import { findReplacedClusters } from './cloud-changes';
import type { FleetDiff } from './fleet-diff';

/**
 * Finds what must exist before a change is applied and is new with it. On a cluster that is deleted and created again,
 * nothing of what was there exists.
 *
 * @param mustExist what must exist after the change
 */
export function findNeedsOfChange(
  { cloud }: Pick<FleetDiff, 'cloud'>,
  before: PlacedFleet,
  mustExist: readonly ClusterNeeds[],
): ClusterNeeds[] {
  const replaced = findReplacedClusters(cloud);
  const needed = findRequiredObjects(before.fleet, before, createRendererSelector(before.renderers));
  const kept = needed.filter(({ cluster }) => !replaced.has(cluster));
  // A DNS record belongs to no cluster: it is there, wherever else it is needed now.
  const records = new Set(needed.flatMap(({ objects }) => objects.flatMap((one) => (isRecord(one) ? [one.name] : []))));
  return findNewNeeds(kept, mustExist).flatMap(({ cluster, objects }) => {
    const missing = objects.filter((one) => !isRecord(one) || !records.has(one.name));
    return missing.length > 0 ? [{ cluster, objects: missing }] : [];
  });
}

function isRecord({ kind }: ClusterNeeds['objects'][number]): boolean {
  return kind === 'DNS record';
}
