import { groupBy } from '../base/order';
import type { PlacedFleet } from '../plan/decision';
import { findNewNeeds } from '../plan/new-required-objects';
import type { ClusterNeeds } from '../plan/plan';
import { findRequiredObjects } from '../plan/required-objects';
import { createRendererSelector } from '../render/renderers';
import { findReplacedClusters } from './cloud-changes';
import type { FleetDiff } from './fleet-diff';
import { compareStorage } from './shrunk-volumes';

/**
 * Finds what must exist before a change is applied and is new with it. On a cluster that is deleted and created again,
 * nothing of what was there exists. A StorageClass whose volumes grow must allow that, as those that stacks create do.
 *
 * @param mustExist what must exist after the change
 */
export function findNeedsOfChange(
  { cloud, objects: changed }: Pick<FleetDiff, 'cloud' | 'objects'>,
  before: PlacedFleet,
  mustExist: readonly ClusterNeeds[],
): ClusterNeeds[] {
  const replaced = findReplacedClusters(cloud);
  const needed = findRequiredObjects(before.fleet, before, createRendererSelector(before.renderers));
  const kept = needed.filter(({ cluster }) => !replaced.has(cluster));
  // A DNS record belongs to no cluster: it is there, wherever else it is needed now.
  const records = new Set(needed.flatMap(({ objects }) => objects.flatMap((one) => (isRecord(one) ? [one.name] : []))));
  const changedOn = groupBy(changed, ({ cluster }) => cluster);
  const added = new Map(findNewNeeds(kept, mustExist).map(({ cluster, objects }) => [cluster, objects]));
  return mustExist.flatMap(({ cluster, objects }) => {
    const missing = (added.get(cluster) ?? []).filter((one) => !isRecord(one) || !records.has(one.name));
    const grown = listGrown(changedOn.get(cluster) ?? []);
    const expanded = objects.flatMap((one) =>
      missing.includes(one) || one.createdByStack ? [] : expandedFor(one, grown),
    );
    const needs = [...missing, ...expanded];
    return needs.length > 0 ? [{ cluster, objects: needs }] : [];
  });
}

/** The declarations of volume claims that ask for more storage than before. */
function listGrown(objects: FleetDiff['objects']): ReadonlySet<string> {
  const grown = objects.filter((one) => compareStorage(one) > 0);
  return new Set(grown.flatMap(({ causes }) => causes.map(({ id }) => id)));
}

/** What a StorageClass of grown claims must allow. Kubernetes refuses the claims otherwise. */
function expandedFor(object: ClusterNeeds['objects'][number], grown: ReadonlySet<string>): ClusterNeeds['objects'] {
  const owners = object.kind === 'StorageClass' ? object.for.filter((id) => grown.has(id)) : [];
  return owners.length > 0 ? [{ ...object, keys: ['allowVolumeExpansion: true'], for: owners }] : [];
}

function isRecord({ kind }: ClusterNeeds['objects'][number]): boolean {
  return kind === 'DNS record';
}
