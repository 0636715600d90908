import { createCachedGroupBy } from '../base/order';
import { type CompiledCluster, type CompiledDeployment, type CompiledFleet, indexDeployments } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { Ledger } from './ledger';
import { groupByDeployment, type Placement, sortPlacements } from './placement';
import { assignedOf, findRetained, type RetainedPlacements } from './retained-replicas';

/** Which placements of a lock can stay on their clusters, regardless of what is wanted there. */
export interface RetainedLock {
  readonly clusters: ReadonlyMap<string, CompiledCluster>;

  /** By the ID of the deployment, without deployments that have no line. Those in `changed` replace those in `base`. */
  readonly base: ReadonlyMap<string, RetainedPlacements>;
  readonly changed: ReadonlyMap<string, RetainedPlacements>;

  /** The IDs of the deployments of which not every line stays unchanged, or not as many stay as are wanted. */
  readonly unsettled: ReadonlySet<string>;

  /** The pods of all placements that can stay. */
  readonly ledger: Ledger;
}

const NOTHING: RetainedLock = {
  clusters: new Map(),
  base: new Map(),
  changed: new Map(),
  unsettled: new Set(),
  ledger: new Ledger(),
};

/**
 * Decides which placements of a lock can stay on their clusters.
 *
 * @param known the result for the same lock and deployments, and for other clusters. What is on clusters that are the
 *   same is not decided again. Default: nothing
 */
export function retainLock(
  model: Pick<CompiledFleet, 'clusters' | 'deployments'>,
  previous: readonly Placement[],
  matcher: PodMatcher,
  known = NOTHING,
): RetainedLock {
  const lock = sortPlacements(previous);
  const lines = groupByDeployment(lock);
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  const changed = findChanged(known.clusters, clusters);
  const ledger = new Ledger();
  ledger.addAll(known.ledger, changed);
  const added = new Set([...changed].filter((name) => clusters.has(name)));
  const retained = new Map(known.changed);
  const unsettled = new Set(known.unsettled);
  const affected = known === NOTHING ? model.deployments : listDeploymentsOn(changed, lock, model.deployments);
  for (const deployment of affected) {
    const { id } = deployment;
    const own = lines.get(id);
    const earlier = retainedOf(known, id);
    const kept = own && findRetained(deployment, own, { clusters, matcher }, earlier && { ...earlier, changed });
    if (kept) retained.set(id, kept);
    if (isSettled(deployment, kept)) unsettled.delete(id);
    else unsettled.add(id);
    if (kept && added.size > 0) chargeOn(ledger, kept, added);
  }
  const layers =
    known === NOTHING ? { base: retained, changed: known.changed } : { base: known.base, changed: retained };
  return { clusters, ...layers, unsettled, ledger };
}

/** Charges what stays of a deployment on some clusters. */
function chargeOn(ledger: Ledger, { outcomes }: RetainedPlacements, clusters: ReadonlySet<string>): void {
  for (const outcome of outcomes) {
    const replica = assignedOf(outcome);
    if (replica && clusters.has(replica.placement.cluster)) ledger.add(replica.assignment.charges);
  }
}

/** The same in one layer, for a result from which many others follow: each of them copies what is in `changed`. */
export function asKnown({ base, changed, ...retained }: RetainedLock): RetainedLock {
  return { ...retained, base: changed.size > 0 ? new Map([...base, ...changed]) : base, changed: NOTHING.changed };
}

/** What stays of the lines of a deployment. Undefined if it has none. */
export function retainedOf({ base, changed }: RetainedLock, deployment: string): RetainedPlacements | undefined {
  return changed.get(deployment) ?? base.get(deployment);
}

function isSettled({ replicas }: CompiledDeployment, retained: RetainedPlacements | undefined): boolean {
  if (!retained) return replicas === 0;
  return retained.lines !== undefined && retained.draining.length === 0 && retained.staying.length === replicas;
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

/** The deployments with a placement on some clusters. */
function listDeploymentsOn(
  clusters: ReadonlySet<string>,
  lock: readonly Placement[],
  deployments: readonly CompiledDeployment[],
): CompiledDeployment[] {
  const byCluster = groupByCluster(lock);
  const byId = indexDeployments(deployments);
  const ids = new Set([...clusters].flatMap((name) => byCluster.get(name) ?? []).map(({ deployment }) => deployment));
  return [...ids].flatMap((id) => byId.get(id) ?? []);
}
