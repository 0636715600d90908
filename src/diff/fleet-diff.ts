import { deploymentsById } from '../deployments-by-id';
import type { CostChanges } from '../cost/cost-changes';
import { costChangesOf } from '../cost/cost-changes-of';
import type { Placed } from '../plan/decide';
import { linesOf } from '../scheduler/lines';
import { affectedClusters } from './affected-clusters';
import { type CacheChange, cacheChanges } from './cache-changes';
import { type Cause, causesOf, causesOfPlacing, type Context, distinctCauses } from './causes';
import { type CloudChange, cloudChanges } from './cloud-changes';
import { type DeclarationChange, declarationChanges } from './declaration-changes';
import { objectCauses } from './object-causes';
import { type ObjectChange, objectChanges } from './object-changes';
import { type Passage, type ReplicaChange, replicaChanges } from './replica-changes';
import { rolledEngines } from './rolled-engines';
import { type RouteChanges, routeChanges } from './route-changes';
import { type Serving, servingDuring } from './serving';
import type { State } from './state';
import type { Told } from './told';

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
  const happened = deploymentDiffs(passage, changed);
  const told: Told = { changed, deployments: happened.map(({ told }) => told) };
  const caches = cacheChanges(before, after, told);
  const routes = routeChanges(before, after, told);
  const causesOfObject = objectCauses({ ...told, caches, routes });
  return {
    against: before.name,
    declarations,
    deployments: happened.map(({ diff }) => diff),
    caches,
    routes,
    cloud: cloudChanges(before, after, changed),
    ...(before.cost.currency === after.cost.currency && { cost: costChangesOf(before.cost, after.cost) }),
    objects: pairs.map((pair) => ({ ...pair.change, causes: causesOfObject(pair) })),
  };
}

/** What happens to a deployment, and what that tells of others. */
interface Happened {
  readonly diff: DeploymentDiff;
  readonly told: Told['deployments'][number];
}

function deploymentDiffs(passage: Passage, changed: Context['changed']): Happened[] {
  const { before, after } = passage;
  const [declared, earlier] = [after, before].map(({ fleet }) => deploymentsById(fleet.deployments));
  return [...replicaChanges(passage)].flatMap(([id, all]): Happened[] => {
    // As declared now; as it was, where it is gone.
    const deployment = declared?.get(id) ?? earlier?.get(id);
    const moving = all.filter(({ action }) => action !== 'keep');
    if (!deployment || moving.length === 0) return [];
    const context = { changed, fleet: after.fleet, deployment };
    const changes = chained(moving.map((change) => ({ ...change, causes: causesOf(change, context) })));
    const counts = { before: staying(before, id), after: staying(after, id) };
    const serving = servingDuring(deployment, all, counts);
    return [
      {
        diff: { deployment: id, changes, kept: all.length - moving.length, serving },
        told: { deployment: id, changes: changes.flatMap((change) => eventsOf(change, context)) },
      },
    ];
  });
}

/** A change of a replica by where it happens. What moves comes to one place and goes from another, each for its reasons. */
function eventsOf(change: CausedChange, context: Context): Told['deployments'][number]['changes'] {
  const { from, causes } = change;
  if (change.action !== 'move' || !from) return [change];
  const placing = causesOfPlacing(change, context);
  return [
    { ...change, causes: placing.length > 0 ? placing : causes },
    { ...from, causes },
  ];
}

const GOING: ReadonlySet<ReplicaChange['action']> = new Set(['move', 'leaving', 'remove']);

/** Where nothing else says why a replica is placed, it comes from what those of its deployment go for. */
function chained(changes: readonly CausedChange[]): CausedChange[] {
  const gone = changes.filter(({ action }) => GOING.has(action));
  const causes = distinctCauses(gone.flatMap((change) => change.causes));
  return changes.map((change) =>
    change.action === 'place' && change.causes.length === 0 ? { ...change, causes } : change,
  );
}

/** How many replicas of a deployment are not leaving. */
function staying({ schedule }: Placed, id: string): number {
  const lines = linesOf(schedule.placements).get(id) ?? [];
  return lines.filter(({ leaving }) => !leaving).length;
}
