import type { PlacementPolicy } from '../api/placement';
import type { CompiledDeployment, CompiledFleet } from './compiled-fleet';
import { isSamePlacement, type Placement, placementKeyOf } from './placement';
import type { Schedule } from './schedule-result';
import { rankOf, SCORING_POLICIES } from './scoring';

/** Why a replica is on its cluster. */
export type PlacementReason =
  /** The lock has it there, and the place is still valid. */
  | { readonly kind: 'locked' }
  /** A search arranged new replicas so that more of them have a place. */
  | { readonly kind: 'arranged' }
  | PolicyReason;

/** The policy of the deployment chose the cluster. */
interface PolicyReason {
  readonly kind: 'policy';
  readonly policy: PlacementPolicy;
  readonly ties: 'room' | 'name';

  /** The failure domain of the cluster. Absent if the deployment names no domains. */
  readonly domain?: { readonly key: string; readonly value: string };

  /** With `Preferred`: the first selector of the list that the cluster matches, from 1, and how many there are. */
  readonly preferred?: { readonly selector: number | null; readonly of: number };

  /** No ingress gateway reaches the cluster, and no other one had room. */
  readonly unreached?: true;
}

/** What the reasons for placements follow from. */
export interface PlacedModel {
  readonly model: CompiledFleet;
  readonly schedule: Pick<Schedule, 'placements' | 'arranged'>;

  /** The placements of the lock before this run. */
  readonly given: readonly Placement[];
}

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
    if (line && (placement.draining || isSamePlacement(placement, line))) return { kind: 'locked' };
    if (schedule.arranged?.has(key)) return { kind: 'arranged' };
    return policyReasonOf(deployment, placement.cluster, clusters.get(placement.cluster)?.labels ?? {});
  };
}

function policyReasonOf(
  { placement: { policy, domainKey, preferred }, variants, avoids }: CompiledDeployment,
  cluster: string,
  labels: Readonly<Record<string, string>>,
): PolicyReason {
  const rank = rankOf(labels, preferred);
  const value = domainKey === undefined ? undefined : labels[domainKey];
  return {
    kind: 'policy',
    policy,
    ties: variants === undefined ? SCORING_POLICIES[policy].ties : 'name',
    ...(domainKey !== undefined && value !== undefined && { domain: { key: domainKey, value } }),
    ...(policy === 'Preferred' && {
      preferred: { selector: rank < preferred.length ? rank + 1 : null, of: preferred.length },
    }),
    ...(avoids?.has(cluster) && { unreached: true as const }),
  };
}
