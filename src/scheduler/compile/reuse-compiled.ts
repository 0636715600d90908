import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';
import { groupBy } from '../../base/order';
import type { Fault } from '../../fleet/checks/fleet-check';
import type { Fleet } from '../../fleet/fleet';
import type { CompiledDeployment, CompiledFleet } from '../compiled-fleet';

/** A fleet and what was compiled of it: it is sound, as `compile` has seen to. */
export interface KnownFleet {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
}

/** What two fleets have in common: the same objects, so that what follows from these alone is the same too. */
export interface SharedFleetParts {
  /** Deployments that both have, with all that their selectors, caches and defaults are read by. */
  readonly deployments: ReadonlySet<ModelDeployment>;

  /** Whether all clusters are the same, with everything that their nodes are made of. */
  readonly sameClusters: boolean;
}

/** What a fleet has in common with another. What only says the same counts as different. Found once for two fleets. */
export function findSharedParts(fleet: Fleet, other: Fleet): SharedFleetParts {
  return getOrComputeWeak(SHARED_PARTS, fleet, other, () => compareFleets(fleet, other));
}

const SHARED_PARTS: WeakPairMap<Fleet, Fleet, SharedFleetParts> = new WeakMap();

function compareFleets(fleet: Fleet, other: Fleet): SharedFleetParts {
  const deployments = haveSameContext(fleet, other)
    ? findSharedDeployments(fleet, other)
    : new Set<ModelDeployment>();
  return {
    deployments,
    sameClusters:
      haveSameHardware(fleet, other) &&
      areSameItems(fleet.clusters, other.clusters) &&
      areSameItems(fleet.lost, other.lost),
  };
}

/** Whether two fleets have all in common by which deployments and clusters are read: settings, hardware, classes, caches. */
export function haveSameContext(fleet: Fleet, other: Fleet): boolean {
  return haveSameHardware(fleet, other) && areSameItems(fleet.caches, other.caches);
}

function haveSameHardware(fleet: Fleet, other: Fleet): boolean {
  return (
    fleet.settings === other.settings &&
    areSameItems(fleet.surplusSettings, other.surplusSettings) &&
    fleet.hardware.catalogue === other.hardware.catalogue &&
    fleet.hardware.prices === other.hardware.prices &&
    areSameItems(fleet.classes, other.classes)
  );
}

/** Without those of which replicas run earlier engines: what these are is no part of the declaration. */
function findSharedDeployments(fleet: Fleet, other: Fleet): ReadonlySet<ModelDeployment> {
  const former = new Set([...(fleet.former ?? []), ...(other.former ?? [])].map((one) => one.deployment));
  const theirs = new Set(other.deployments);
  const shared = fleet.deployments.filter((one) => theirs.has(one));
  return new Set(former.size > 0 ? shared.filter((one) => !former.has(qualifiedNameOf(one))) : shared);
}

function areSameItems<T>(a: readonly T[] = [], b: readonly T[] = []): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

/** Another state of the fleet, and the deployments that both have in common. */
export interface KnownDeployments {
  readonly model: CompiledFleet;
  readonly deployments?: ReadonlySet<ModelDeployment>;
}

/** Finds the compiled form of a deployment that is known. */
export function createKnownLookup(
  known: KnownDeployments | undefined,
): (deployment: ModelDeployment) => CompiledDeployment | undefined {
  const byId = new Map(known?.model.deployments.map((deployment) => [deployment.id, deployment]));
  return (one) => (known?.deployments?.has(one) ? byId.get(qualifiedNameOf(one)) : undefined);
}

/** What is told of the deployments of a fleet, in their order: of those that are known what was told of them there. */
export function mergeWarnings(
  deployments: readonly ModelDeployment[],
  remarks: readonly Fault[],
  known: KnownDeployments | undefined,
): readonly Fault[] {
  return known ? sortByDeployment(deployments, [...remarks, ...knownWarningsOf(known)]) : remarks;
}

function knownWarningsOf({ model, deployments }: KnownDeployments): readonly Fault[] {
  const among: ReadonlySet<object> | undefined = deployments;
  return model.warnings.filter(({ resource }) => among?.has(resource));
}

function sortByDeployment(deployments: readonly ModelDeployment[], remarks: readonly Fault[]): Fault[] {
  if (remarks.length === 0) return [];
  const of = groupBy<object, Fault>(remarks, ({ resource }) => resource);
  return deployments.flatMap((deployment) => of.get(deployment) ?? []);
}
