import type { PlacementPolicy } from '../api/placement';
import type { CompiledCluster, CompiledDeployment, CompiledFleet, ReplicaDemand } from './compiled-fleet';
import { rejectNew } from './filters';
import { haveSamePools, type Placement, placementKeyOf, variantsOf } from './placement';
import { spreadsByRoom } from './place-replicas';
import type { EvictionReason, PlacementOrigin, Schedule } from './schedule-result';
import { rankOf } from './scoring';

/** Why a replica is on its cluster. */
export type PlacementReason =
  /** The lock has it there. `drains`: why it leaves, where it is draining. */
  { readonly kind: 'locked'; readonly drains?: EvictionReason } | { readonly kind: PlacementOrigin } | PolicyReason;

/** The policy of the deployment chose the cluster. */
export interface PolicyReason {
  readonly kind: 'policy';
  readonly policy: PlacementPolicy;
  readonly ties: 'room' | 'name';

  /** The failure domain of the cluster. Absent if the deployment names no domains. */
  readonly domain?: { readonly key: string; readonly value: string };

  /** With `Preferred`: the first selector of the list that the cluster matches, from 1, and how many there are. */
  readonly preferred?: { readonly selector: number | null; readonly of: number };

  /** No ingress gateway reaches the cluster. Of equal clusters, those that one reaches come first. */
  readonly unreached?: true;

  /** The opposite: an ingress gateway reaches the cluster, and does not reach others. */
  readonly reached?: true;
}

/** What the reasons for placements follow from. */
export interface PlacedModel {
  readonly model: CompiledFleet;
  readonly schedule: Schedule;

  /** The placements of the lock before this run. */
  readonly given: readonly Placement[];
}

const NO_DEMANDS: ReadonlySet<ReplicaDemand> = new Set();

/** Creates a function that says why a replica of a deployment is on its cluster. */
export function createReasonLookup(
  { model, schedule, given }: PlacedModel,
  deployment: CompiledDeployment,
): (placement: Placement) => PlacementReason {
  const own = given.filter((line) => line.deployment === deployment.id);
  const locked = new Map(own.map((line) => [placementKeyOf(line), line]));
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  return (placement) => {
    const key = placementKeyOf(placement);
    const line = locked.get(key);
    if (line && placement.draining) {
      const drains = findDrainReason(placement, { deployment, cluster: clusters.get(placement.cluster), schedule });
      return { kind: 'locked', ...(drains && { drains }) };
    }
    if (line && isSamePlace(placement, line)) return { kind: 'locked' };
    const origin = schedule.origins?.get(key);
    if (origin) return { kind: origin };
    const ties = spreadsByRoom(schedule.filledInOrder ?? NO_DEMANDS, deployment) ? 'room' : 'name';
    return policyReasonOf(deployment, clusters.get(placement.cluster), ties);
  };
}

interface DrainedPlace {
  readonly deployment: CompiledDeployment;
  readonly cluster: CompiledCluster | undefined;
  readonly schedule: Schedule;
}

/** Finds why a replica drains: by this run, or by what is declared, where it was draining before. */
function findDrainReason(
  placement: Placement,
  { deployment, cluster, schedule }: DrainedPlace,
): EvictionReason | undefined {
  const key = placementKeyOf(placement);
  const eviction = schedule.evictions.find((one) => placementKeyOf(one.placement) === key);
  if (eviction) return eviction.reason;
  const own = variantsOf(deployment).find(({ shape }) => shape === placement.shape);
  if (!own) return { kind: 'shape' };
  const reason = cluster && rejectNew(own.demand, cluster);
  return reason && { kind: 'rejected', rejection: { cluster: cluster.name, reason } };
}

/** Whether two placements of one replica differ at most in whether it drains. */
function isSamePlace(a: Placement, b: Placement): boolean {
  return a.shape === b.shape && haveSamePools(a.pools, b.pools);
}

function policyReasonOf(
  { placement: { policy, domainKey, preferred }, avoids }: CompiledDeployment,
  cluster: CompiledCluster | undefined,
  ties: PolicyReason['ties'],
): PolicyReason {
  const labels = cluster?.labels ?? {};
  const rank = rankOf(labels, preferred);
  const value = domainKey === undefined ? undefined : labels[domainKey];
  return {
    kind: 'policy',
    policy,
    ties,
    ...(domainKey !== undefined && value !== undefined && { domain: { key: domainKey, value } }),
    ...(policy === 'Preferred' && {
      preferred: { selector: rank < preferred.length ? rank + 1 : null, of: preferred.length },
    }),
    ...(cluster && avoids && (avoids.has(cluster.name) ? { unreached: true as const } : { reached: true as const })),
  };
}
