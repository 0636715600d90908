import type { Fleet } from '../fleet/fleet';
import type { RequiredObject } from '../render/external-references';
import type { RendererSelector } from '../render/renderer';
import { resolveRouting } from '../routing/resolve-routing';
import { NO_ROUTING } from '../routing/routing';
import type { Lock } from '../scheduler/lock/lock';
import type { Placement } from '../scheduler/placement';
import type { PlacedFleet } from './decision';
import type { ClusterNeeds } from './plan';
import { findRequiredObjects } from './required-objects';

/** Finds the objects that must exist only because of replicas that come to clusters on which the lock has none. */
export function findNeedsSinceLock(
  { fleet, replicas, schedule, outOfDate }: Pick<PlacedFleet, 'fleet' | 'replicas' | 'schedule' | 'outOfDate'>,
  lock: Lock,
  mustExist: readonly ClusterNeeds[],
  rendererFor: RendererSelector,
): readonly ClusterNeeds[] {
  if (lock.placements.length === 0) return mustExist;
  if (!outOfDate) return [];
  const locked = new Set(lock.placements.map(keyOf));
  const kept = replicas.filter((_, i) => {
    const placement = schedule.placements[i];
    return placement !== undefined && locked.has(keyOf(placement));
  });
  return findNewNeeds(
    findRequiredObjects(fleet, { replicas: kept, routing: routingOf(fleet, kept) }, rendererFor),
    mustExist,
  );
}

function routingOf(fleet: Fleet, kept: PlacedFleet['replicas']): PlacedFleet['routing'] {
  return kept.length === 0 ? NO_ROUTING : resolveRouting(fleet, kept).routing;
}

function keyOf({ deployment, cluster }: Placement): string {
  return `${deployment} ${cluster}`;
}

/** Finds the objects, keys and certificate names that an earlier state does not need. */
export function findNewNeeds(before: readonly ClusterNeeds[], after: readonly ClusterNeeds[]): ClusterNeeds[] {
  const known = new Map(
    before.map(({ cluster, objects }) => [cluster, new Map(objects.map((one) => [idOf(one), one]))]),
  );
  return after.flatMap(({ cluster, objects }) => {
    const former = known.get(cluster);
    const added = objects.filter((object) => !includes(former?.get(idOf(object)), object));
    return added.length > 0 ? [{ cluster, objects: added }] : [];
  });
}

function idOf({ kind, namespace = '', name }: RequiredObject): string {
  return `${kind} ${namespace}/${name}`;
}

function includes(former: RequiredObject | undefined, { keys, dnsNames = [] }: RequiredObject): boolean {
  if (!former) return false;
  const names = new Set(former.dnsNames);
  return keys.every((key) => former.keys.includes(key)) && dnsNames.every((name) => names.has(name));
}
