import type { ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import type { Diagnostic } from '../../base/diagnostic';
import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';
import { groupBy } from '../../base/order';
import type { Fleet } from '../../fleet/fleet';
import type { CompiledDeployment, CompiledFleet } from '../compiled-fleet';

/** A valid fleet and its compiled form. */
export interface KnownFleet {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
}

/** The objects that two fleets share, so that results computed from these alone are shared too. */
export interface SharedFleetParts {
  /**
   * Deployments that both fleets have, if everything that their selectors, caches and defaults depend on is equal.
   */
  readonly deployments: ReadonlySet<ModelDeployment>;

  /** Whether all clusters are the same, with everything that their nodes depend on. */
  readonly sameClusters: boolean;
}

/**
 * Finds the objects that a fleet shares with another. Equal but distinct objects count as different. The result is
 * cached for two fleets.
 */
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

/**
 * Whether two fleets share everything that the compilation of deployments and clusters depends on: settings,
 * hardware, classes, caches.
 */
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

/** Excludes deployments whose replicas run earlier engines, because these are not part of the declaration. */
function findSharedDeployments(fleet: Fleet, other: Fleet): ReadonlySet<ModelDeployment> {
  const withRevisions = new Set(
    [...(fleet.former ?? []), ...(other.former ?? [])].map(({ deployment }) => deployment),
  );
  const others = new Set(other.deployments);
  const shared = fleet.deployments.filter((deployment) => others.has(deployment));
  return new Set(
    withRevisions.size > 0 ? shared.filter((item) => !withRevisions.has(qualifiedNameOf(item))) : shared,
  );
}

function areSameItems<T>(a: readonly T[] = [], b: readonly T[] = []): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

/** Another state of the fleet, and the deployments that both share. */
export interface KnownDeployments {
  readonly model: CompiledFleet;
  readonly deployments?: ReadonlySet<ModelDeployment>;
}

/** Creates a function that returns the compiled form of a known deployment. */
export function createKnownLookup(
  known: KnownDeployments | undefined,
): (deployment: ModelDeployment) => CompiledDeployment | undefined {
  const byId = new Map(known?.model.deployments.map((deployment) => [deployment.id, deployment]));
  return (deployment) =>
    known?.deployments?.has(deployment) ? byId.get(qualifiedNameOf(deployment)) : undefined;
}

/**
 * The warnings of the deployments of a fleet, in their order: the new ones, and the earlier ones of known
 * deployments.
 */
export function mergeWarnings(
  deployments: readonly ModelDeployment[],
  remarks: readonly Diagnostic<ResourcePath>[],
  known: KnownDeployments | undefined,
): readonly Diagnostic<ResourcePath>[] {
  return known ? sortByDeployment(deployments, [...remarks, ...knownWarningsOf(known)]) : remarks;
}

function knownWarningsOf({ model, deployments }: KnownDeployments): readonly Diagnostic<ResourcePath>[] {
  const among: ReadonlySet<object> | undefined = deployments;
  return model.warnings.filter(({ at }) => among?.has(at.resource));
}

function sortByDeployment(
  deployments: readonly ModelDeployment[],
  remarks: readonly Diagnostic<ResourcePath>[],
): Diagnostic<ResourcePath>[] {
  if (remarks.length === 0) return [];
  const of = groupBy<object, Diagnostic<ResourcePath>>(remarks, ({ at }) => at.resource);
  return deployments.flatMap((deployment) => of.get(deployment) ?? []);
}
