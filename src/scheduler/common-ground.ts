import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedName } from '../api/resource';
import type { Fleet } from '../fleet';
import { memoWeak, type WeakTable } from '../memo';
import type { Model } from './model';

/** A fleet and what was compiled of it: it is sound, as `compile` has seen to. */
export interface Compiled {
  readonly fleet: Fleet;
  readonly model: Model;
}

/** What two fleets have in common: the same objects, so that what follows from these alone is the same too. */
export interface CommonGround {
  /** Deployments that both have, with all that their selectors, caches and defaults are read by. */
  readonly deployments: ReadonlySet<ModelDeployment>;

  /** Whether all clusters are the same, with everything that their nodes are made of. */
  readonly sites: boolean;
}

/** What a fleet has in common with another. What only says the same counts as different. Found once for two fleets. */
export function commonGround(fleet: Fleet, other: Fleet): CommonGround {
  return memoWeak(FOUND, fleet, other, () => compared(fleet, other));
}

const FOUND: WeakTable<Fleet, Fleet, CommonGround> = new WeakMap();

function compared(fleet: Fleet, other: Fleet): CommonGround {
  const deployments = isReadAlike(fleet, other)
    ? sharedDeployments(fleet, other)
    : new Set<ModelDeployment>();
  return {
    deployments,
    sites:
      sharesHardware(fleet, other) &&
      areSame(fleet.clusters, other.clusters) &&
      areSame(fleet.lost, other.lost),
  };
}

/** Whether two fleets have all in common by which deployments and clusters are read: settings, hardware, classes, caches. */
export function isReadAlike(fleet: Fleet, other: Fleet): boolean {
  return sharesHardware(fleet, other) && areSame(fleet.caches, other.caches);
}

function sharesHardware(fleet: Fleet, other: Fleet): boolean {
  return (
    fleet.settings === other.settings &&
    areSame(fleet.surplusSettings, other.surplusSettings) &&
    fleet.hardware.catalogue === other.hardware.catalogue &&
    fleet.hardware.prices === other.hardware.prices &&
    areSame(fleet.classes, other.classes)
  );
}

/** Without those of which replicas run earlier engines: what these are is no part of the declaration. */
function sharedDeployments(fleet: Fleet, other: Fleet): ReadonlySet<ModelDeployment> {
  const former = new Set([...(fleet.former ?? []), ...(other.former ?? [])].map((one) => one.deployment));
  const theirs = new Set(other.deployments);
  const shared = fleet.deployments.filter((one) => theirs.has(one));
  return new Set(former.size > 0 ? shared.filter((one) => !former.has(qualifiedName(one))) : shared);
}

function areSame<T>(a: readonly T[] = [], b: readonly T[] = []): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}
