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

/** Tells the replicas of a deployment by all its placements, or nothing where they are not known. */
export type UnchangedLookup = (own: readonly Placement[]) => readonly ComputedReplica[] | undefined;

/**
 * The replicas that are known: those of deployments that another state has in common with a fleet, where all of one
 * stand in both alike, on clusters that did not change.
 */
export function createUnchangedLookup(fleet: Fleet, known: ComputedState): UnchangedLookup {
  const common = findSharedParts(fleet, known.fleet);
  const deployments = indexDeploymentsById(fleet.deployments);
  const clusters: ReadonlySet<unknown> = new Set(fleet.clusters);
  const theirs = groupByDeployment(known.schedule.placements);
  const replicasOf = groupReplicasByDeployment(known.replicas);
  return (own) => {
    const id = own[0]?.deployment ?? '';
    const deployment = deployments.get(id);
    if (!deployment || !common.deployments.has(deployment)) return undefined;
    const lines = theirs.get(id) ?? [];
    const replicas = replicasOf.get(deployment) ?? [];
    const stays =
      own.length === replicas.length &&
      areSamePlacements(own, lines) &&
      (common.sameClusters || replicas.every(({ cluster }) => clusters.has(cluster)));
    return stays ? replicas : undefined;
  };
}

function areSamePlacements(own: readonly Placement[], lines: readonly Placement[]): boolean {
  if (own === lines) return true;
  return own.length === lines.length && own.every((placement, p) => isSamePlacement(placement, lines[p]));
}

/** A deployment, and all its replicas in one of two states. */
export type ChangedReplicas = readonly [ModelDeployment, readonly ComputedReplica[]];

/**
 * The deployments of a state of which another does not have the very same replicas: a replica that was decided beside
 * the other is the same object where both have it. Found once for two states, however many ask.
 */
export function findChangedReplicas(
  own: readonly ComputedReplica[],
  others: readonly ComputedReplica[],
): readonly ChangedReplicas[] {
  return getOrComputeWeak(CHANGED, own, others, () => {
    const theirs = groupReplicasByDeployment(others);
    return [...groupReplicasByDeployment(own)].filter(([deployment, replicas]) => {
      const same = theirs.get(deployment);
      return replicas.length !== same?.length || !replicas.every((one, i) => one === same[i]);
    });
  });
}

const CHANGED: WeakPairMap<
  readonly ComputedReplica[],
  readonly ComputedReplica[],
  readonly ChangedReplicas[]
> = new WeakMap();

/** The replicas of each deployment as it runs: those of earlier engines apart. */
export const groupReplicasByDeployment = createCachedGroupBy(({ deployment }: ComputedReplica) => deployment);
