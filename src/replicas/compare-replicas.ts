import type { ModelDeployment } from '../api/model-deployment';
import { getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import { createCachedGroupBy } from '../base/order';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import { findSharedParts, type KnownFleet } from '../scheduler/compile/reuse-compiled';
import { isSamePlacement } from '../scheduler/placement';
import { groupByDeployment } from '../scheduler/placement-order';
import type { Placement } from '../scheduler/schedule-result';
import type { ComputedReplica } from './replica';

/** Another state of a fleet, with its replicas in the order of their placements. */
export interface ComputedState extends KnownFleet {
  readonly schedule: { readonly placements: readonly Placement[] };
  readonly replicas: readonly ComputedReplica[];
}

/** Returns the known replicas of a deployment for all its placements, or nothing if they are not known. */
export type UnchangedLookup = (lines: readonly Placement[]) => readonly ComputedReplica[] | undefined;

/**
 * Creates a lookup of replicas that another state of a fleet shares: those of common deployments whose placements
 * are the same in both states, on clusters that did not change.
 */
export function createUnchangedLookup(fleet: Fleet, known: ComputedState): UnchangedLookup {
  const common = findSharedParts(fleet, known.fleet);
  const deployments = indexDeploymentsById(fleet.deployments);
  const clusters: ReadonlySet<unknown> = new Set(fleet.clusters);
  const knownLines = groupByDeployment(known.schedule.placements);
  const replicasOf = groupReplicasByDeployment(known.replicas);
  return (placements) => {
    const id = placements[0]?.deployment ?? '';
    const deployment = deployments.get(id);
    if (!deployment || !common.deployments.has(deployment)) return undefined;
    const lines = knownLines.get(id) ?? [];
    const replicas = replicasOf.get(deployment) ?? [];
    const stays =
      placements.length === replicas.length &&
      areSamePlacements(placements, lines) &&
      (common.sameClusters || replicas.every(({ cluster }) => clusters.has(cluster)));
    return stays ? replicas : undefined;
  };
}

function areSamePlacements(a: readonly Placement[], b: readonly Placement[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((placement, i) => isSamePlacement(placement, b[i]));
}

/** A deployment, and all its replicas in one of two states. */
export type ChangedReplicas = readonly [ModelDeployment, readonly ComputedReplica[]];

/**
 * The deployments of a state whose replicas are not all shared with another state. A replica that was computed with
 * the other state as `known` is the same object in both. The result is cached for two states.
 */
export function findChangedReplicas(
  lines: readonly ComputedReplica[],
  others: readonly ComputedReplica[],
): readonly ChangedReplicas[] {
  return getOrComputeWeak(CHANGED, lines, others, () => {
    const known = groupReplicasByDeployment(others);
    return [...groupReplicasByDeployment(lines)].filter(([deployment, replicas]) => {
      const same = known.get(deployment);
      return replicas.length !== same?.length || !replicas.every((replica, i) => replica === same[i]);
    });
  });
}

const CHANGED: WeakPairMap<
  readonly ComputedReplica[],
  readonly ComputedReplica[],
  readonly ChangedReplicas[]
> = new WeakMap();

/** Groups replicas by the deployment that they run: those of earlier engines have their own. */
export const groupReplicasByDeployment = createCachedGroupBy(({ deployment }: ComputedReplica) => deployment);
