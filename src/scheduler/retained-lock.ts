import { createCachedGroupBy } from '../base/order';
import type { CompiledCluster, CompiledFleet } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { Ledger } from './ledger';
import { groupByDeployment, type Placement, sortPlacements } from './placement';
import { assignedOf, findRetained, type RetainedPlacements } from './retained-replicas';

/** Which placements of a lock can stay on their clusters, regardless of what is wanted there. */
export interface RetainedLock {
  readonly clusters: ReadonlyMap<string, CompiledCluster>;

  /** In the order of the deployments of the fleet. Undefined for a deployment that has no line. */
  readonly deployments: readonly (RetainedPlacements | undefined)[];

  /** The pods of all placements that can stay. */
  readonly ledger: Ledger;
}

/**
 * Decides which placements of a lock can stay on their clusters.
 *
 * @param known the result for the same lock and deployments, and for other clusters. What is on clusters that are the
 *   same is not decided again.
 */
export function retainLock(
  model: Pick<CompiledFleet, 'clusters' | 'deployments'>,
  previous: readonly Placement[],
  matcher: PodMatcher,
  known?: RetainedLock,
): RetainedLock {
  const lock = sortPlacements(previous);
  const lines = groupByDeployment(lock);
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  const changed = findChanged(known?.clusters ?? new Map(), clusters);
  const affected = known ? listDeploymentsOn(changed, lock) : lines;
  const ledger = new Ledger();
  if (known) ledger.addAll(known.ledger, changed);
  const deployments = model.deployments.map((deployment, i) => {
    const earlier = known?.deployments[i];
    const own = affected.has(deployment.id) ? lines.get(deployment.id) : undefined;
    if (!own) return earlier;
    const retained = findRetained(deployment, own, { clusters, matcher }, earlier && { ...earlier, changed });
    for (const outcome of retained.outcomes) {
      const replica = assignedOf(outcome);
      if (replica && changed.has(replica.placement.cluster)) ledger.add(replica.assignment.charges);
    }
    return retained;
  });
  return { clusters, deployments, ledger };
}

/** The names of the clusters that are gone, new, or not the same. */
function findChanged(
  before: ReadonlyMap<string, CompiledCluster>,
  after: ReadonlyMap<string, CompiledCluster>,
): Set<string> {
  const names = [...before.keys(), ...after.keys()];
  return new Set(names.filter((name) => before.get(name) !== after.get(name)));
}

const groupByCluster = createCachedGroupBy(({ cluster }: Placement) => cluster);

/** The IDs of the deployments with a placement on some clusters. */
function listDeploymentsOn(clusters: ReadonlySet<string>, lock: readonly Placement[]): Set<string> {
  const byCluster = groupByCluster(lock);
  return new Set([...clusters].flatMap((name) => byCluster.get(name) ?? []).map(({ deployment }) => deployment));
}
