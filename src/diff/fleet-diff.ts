import { deploymentsById } from '../deployments-by-id';
import type { CostChanges } from '../cost/cost-changes';
import { costChangesOf } from '../cost/cost-changes-of';
import type { Placed } from '../plan/decide';
import { linesOf } from '../scheduler/lines';
import { affectedClusters } from './affected-clusters';
import { type CacheChange, cacheChanges } from './cache-changes';
import { type Cause, causesOf, distinctCauses } from './causes';
import { type CloudChange, cloudChanges } from './cloud-changes';
import { type DeclarationChange, declarationChanges } from './declaration-changes';
import { objectCauses } from './object-causes';
import { type ObjectChange, objectChanges } from './object-changes';
import { type ReplicaChange, replicaChanges } from './replica-changes';
import { rolledEngines } from './rolled-engines';
import { type RouteChanges, routeChanges } from './route-changes';
import { type Counts, type Serving, servingDuring } from './serving';
import type { State } from './state';

/** What happens to a fleet from one state to another, as data. Every view of it shows this value. */
export interface FleetDiff {
  /** What it is compared with: a git revision, a folder, a file. */
  readonly against: string;

  /** What declarations say otherwise, by id. */
  readonly declarations: readonly DeclarationChange[];

  /** Deployments of which a replica changes, by id. */
  readonly deployments: readonly DeploymentDiff[];

  /** What is staged and dropped, by cache and cluster. */
  readonly caches: readonly CacheChange[];

  /** What happens to how requests reach replicas. */
  readonly routes: RouteChanges;

  /** What happens to what is made for clusters, by cluster. */
  readonly cloud: readonly CloudChange[];

  /** What it costs now and then. Absent where the fleet has another currency. */
  readonly cost?: CostChanges;

  /** What happens to the objects of clusters, by cluster. */
  readonly objects: readonly CausedObject[];
}

/** What happens to the replicas of one deployment. */
export interface DeploymentDiff {
  /** `namespace/name`. */
  readonly deployment: string;

  /** Those that change, by cluster and index. */
  readonly changes: readonly CausedChange[];

  /** Replicas to which nothing happens. */
  readonly kept: number;
  readonly serving: Serving;
}

/** A change of a replica, and the declarations that it comes from. */
export interface CausedChange extends ReplicaChange {
  /** Empty where it follows from what happens to others. */
  readonly causes: readonly Cause[];
}

/** A change of an object, and the declarations that it comes from. */
export interface CausedObject extends ObjectChange {
  /** Empty where it follows from what happens to others. */
  readonly causes: readonly Cause[];
}

/**
 * Compares two states of a fleet: what its declarations say otherwise, and what follows from that on its clusters.
 *
 * @param planned the later declarations decided from the earlier lock, which knows why replicas do not stay
 */
export function diffStates(before: State, after: State, planned: Placed): FleetDiff {
  const declarations = declarationChanges(before, after);
  const pairs = objectChanges(before, after, affectedClusters(before, after));
  const passage = { before: before.decision, after: after.decision, planned, rolled: rolledEngines(pairs) };
  const changed = new Map(declarations.map((change) => [change.id, change]));
  const [declared, earlier] = [after, before].map(({ decision }) =>
    deploymentsById(decision.fleet.deployments),
  );
  const countsOf = (id: string): Counts => ({ before: staying(before, id), after: staying(after, id) });
  const deployments = [...replicaChanges(passage)].flatMap(([id, changes]): DeploymentDiff[] => {
    // As declared now; as it was, where it is gone.
    const deployment = declared?.get(id) ?? earlier?.get(id);
    const moving = changes.filter(({ action }) => action !== 'keep');
    if (!deployment || moving.length === 0) return [];
    const context = { changed, fleet: after.decision.fleet, deployment };
    const caused = chained(moving.map((change) => ({ ...change, causes: causesOf(change, context) })));
    const kept = changes.length - moving.length;
    return [
      { deployment: id, changes: caused, kept, serving: servingDuring(deployment, changes, countsOf(id)) },
    ];
  });
  const caches = cacheChanges(before, after, { changed, deployments });
  const routes = routeChanges(before, after, { changed, deployments });
  const causesOfObject = objectCauses({ changed, deployments, caches, routes });
  return {
    against: before.name,
    declarations,
    deployments,
    caches,
    routes,
    cloud: cloudChanges(before, after, changed),
    ...(before.cost.currency === after.cost.currency && { cost: costChangesOf(before.cost, after.cost) }),
    objects: pairs.map((pair) => ({ ...pair.change, causes: causesOfObject(pair) })),
  };
}

/** Where nothing else says why a replica is placed, it takes the place of those of its deployment that go. */
function chained(changes: readonly CausedChange[]): CausedChange[] {
  const gone = changes.filter(({ action }) => action === 'remove' || action === 'leaving');
  const causes = distinctCauses(gone.flatMap((change) => change.causes));
  return changes.map((change) =>
    change.action === 'place' && change.causes.length === 0 ? { ...change, causes } : change,
  );
}

/** How many replicas of a deployment are not leaving. */
function staying({ decision }: State, id: string): number {
  const lines = linesOf(decision.schedule.placements).get(id) ?? [];
  return lines.filter(({ leaving }) => !leaving).length;
}
