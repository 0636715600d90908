import { sortUnique } from '../base/order';
import type { CostChanges } from '../cost/cost-changes';
import { type Sum, ZERO_SUM } from '../cost/sum';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import type { ReplicaChange, ReplicaLocation } from '../plan/replica-moves';
import { findOtherClusters, type OtherClusters } from '../scheduler/explain-deployment';
import { groupByDeployment } from '../scheduler/placement';
import { findAffectedClusters } from './affected-clusters';
import { type CacheChange, diffCaches } from './cache-changes';
import { type CloudChange, diffCloudResources, findReplacedClusters } from './cloud-changes';
import { type CopiesChange, createAcceleratorCounter, diffCopies } from './copies-changes';
import { compareStateCosts } from './cost-estimates';
import { createDecisiveEdits, type SelectDecisive } from './decisive-edits';
import { type DeclarationChange, diffDeclarations } from './declaration-changes';
import type { FleetState } from './fleet-state';
import { createObjectCauseFinder } from './object-causes';
import { diffObjects, type ObjectChange } from './object-changes';
import { addDisruption, type Disruptions, findDisruptions } from './pool-disruption';
import {
  type Cause,
  type CauseContext,
  type ChangesById,
  dedupeCauses,
  type DiffContext,
  findPlacementCauses,
  findReplicaCauses,
  type ReplicaEvent,
} from './replica-causes';
import { diffReplicas, findRolledReplicas, listFrozen, type StateTransition } from './replica-changes';
import { countIdleAccelerators } from './idle-accelerators';
import { createRoomAdder, type RolloutRoom } from './rollout-room';
import { type AdapterChange, findModelChange, listAdapterChanges, type ModelChange } from './model-changes';
import { diffRoutes, type RouteChanges } from './route-changes';
import {
  type ApplyMode,
  countServing,
  isOutage,
  restartsWithNodes,
  type ServingDuringChange,
} from './serving-during-change';

/** What happens to a fleet from one state to another, as data. Every view of it shows this value. */
export interface FleetDiff {
  /** What it is compared with: a git revision, a folder, a file. */
  readonly against: string;

  /** What declarations say otherwise, by id. */
  readonly declarations: readonly DeclarationChange[];

  /** Deployments of which a replica changes, by id. */
  readonly deployments: readonly DeploymentDiff[];

  /** Deployments of which the bounds of copies or the signals of an autoscaler change, by id. */
  readonly copies: readonly CopiesChange[];

  /** What is staged and dropped, by cache and cluster. */
  readonly caches: readonly CacheChange[];

  /** What happens to how requests reach replicas. */
  readonly routes: RouteChanges;

  /** What happens to what is made for clusters, by cluster. */
  readonly cloud: readonly CloudChange[];

  /** The accelerators of nodes that always run which no replica takes, draining ones included, before and after. */
  readonly idleAccelerators: { readonly before: number; readonly after: number };

  /** What it costs now and then. Absent where the fleet has another currency. */
  readonly cost?: CostChanges;

  /** What happens to the objects of clusters, by cluster. */
  readonly objects: readonly ObjectChangeWithCauses[];
}

/** What happens to the replicas of one deployment. */
export interface DeploymentDiff {
  /** `namespace/name`. */
  readonly deployment: string;

  /** Those that change, by cluster and index. */
  readonly changes: readonly ReplicaChangeWithCauses[];

  /** Replicas to which nothing happens. */
  readonly kept: number;

  /** The accelerators of all replicas that are not draining, before and after. */
  readonly accelerators: {
    readonly before: number;
    readonly after: number;

    /** Those that draining replicas keep after the change, until they are finalized. Absent if none is draining. */
    readonly draining?: number;
  };
  readonly serving: ServingDuringChange;

  /** The room for what would keep its replicas serving. Absent: enough of them serve, or more room would not help. */
  readonly room?: RolloutRoom;

  /** The model that its engines load, where another one takes its place. */
  readonly model?: ModelChange;

  /** The adapters that keep their names and get other files. Absent: there are none. */
  readonly adapters?: readonly AdapterChange[];

  /**
   * Where replicas move, what keeps them from the clusters that they neither leave nor come to. Only for the first
   * deployments, and not for fleets of many clusters, of which `fleetwright explain` says it.
   */
  readonly elsewhere?: OtherClusters;
}

/** The declarations that a change comes from. */
interface WithCauses {
  /** Empty where it follows from what happens to others. */
  readonly causes: readonly Cause[];
}

/** A change of a replica, and the declarations that it comes from. */
export type ReplicaChangeWithCauses = ReplicaChange &
  WithCauses & {
    /** Whether it gets nodes of another class than the replica that it replaces. Absent: the same, or it replaces none. */
    readonly otherNodes?: true;
  };

/** A change of an object, and the declarations that it comes from. */
export type ObjectChangeWithCauses = ObjectChange & WithCauses;

/**
 * Compares two states of a fleet: their declarations, and the resulting changes on clusters.
 *
 * @param planned the later declarations decided from the earlier lock, which has the reasons why replicas do not stay
 */
export function diffStates(before: FleetState, after: FleetState, planned: PlacedFleet): FleetDiff {
  const declarations = diffDeclarations(before, after);
  const pairs = diffObjects(before, after, findAffectedClusters(before, after));
  const passage = { before: before.decision, after: after.decision, planned, rolled: findRolledReplicas(pairs) };
  const changed = new Map(declarations.map((change) => [change.id, change]));
  const cloud = diffCloudResources(before, after, changed);
  const disruptions = findDisruptions(cloud, after.decision.held.misplaced);
  const happened = diffDeployments(passage, { changed, disruptions, decisiveOf: createDecisiveEdits(before, after) });
  const context: DiffContext = { changed, replicas: happened.flatMap(({ events }) => events) };
  const caches = diffCaches(before, after, { ...context, replaced: findReplacedClusters(cloud) });
  const routes = diffRoutes(before, after, context);
  const causesOfObject = createObjectCauseFinder({ ...context, caches, routes });
  const isComparable = before.cost.currency === after.cost.currency;
  return withoutFrozen(after.decision, {
    against: before.name,
    declarations,
    deployments: addOtherClusters(
      happened.map(({ diff }) => diff),
      after.decision,
    ),
    copies: diffCopies(passage, changed),
    caches,
    routes,
    cloud,
    idleAccelerators: { before: countIdleAccelerators(before), after: countIdleAccelerators(after) },
    ...(isComparable && { cost: compareStateCosts(before, after) }),
    objects: pairs.map((pair) => ({ ...pair.change, causes: causesOfObject(pair) })),
  });
}

/**
 * Leaves out what does not happen while replicas stay that cannot be rendered because of errors: routes and files stay
 * as they are, and the cost of what uses nodes is not known, but that of the nodes is.
 */
function withoutFrozen(after: PlacedFleet, { cost, ...diff }: FleetDiff): FleetDiff {
  const frozen = listFrozen(after);
  if (frozen.size === 0) return { ...diff, ...(cost && { cost }) };
  const namespaces = new Set([...frozen].map((id) => id.split('/')[0]));
  return {
    ...diff,
    ...(cost && isUnchangedSum(cost.storage.delta) && { cost: withoutUse(cost) }),
    idleAccelerators: { ...diff.idleAccelerators, after: diff.idleAccelerators.before },
    copies: diff.copies.filter(({ deployment }) => !frozen.has(deployment)),
    caches: diff.caches.filter(({ action }) => action !== 'drop'),
    routes: { ...diff.routes, services: [], gateways: [] },
    objects: diff.objects.filter(
      ({ action, kind, name }) => action !== 'delete' && !(kind === 'Namespace' && namespaces.has(name)),
    ),
  };
}

function isUnchangedSum({ perHour, unknown }: Sum): boolean {
  return perHour === 0 && unknown === 0;
}

/** The changes of what is bought, without what uses it. */
function withoutUse({ idle, estimate, ...cost }: CostChanges): CostChanges {
  return {
    ...cost,
    ...(estimate && { estimate: { ...estimate, changes: withoutUse(estimate.changes) } }),
    idle: { before: idle.before, after: idle.before, delta: ZERO_SUM },
    namespaces: [],
    deployments: [],
  };
}

/** How many replicas take the place of another, also where it is: what a plan calls moves. */
export function countReplacedReplicas({ deployments }: FleetDiff): number {
  return deployments.flatMap(({ changes }) => changes.filter(({ from }) => from)).length;
}

/** Deployments that would be without any replica. */
export function findOutages({ deployments }: FleetDiff, applied: ApplyMode): DeploymentDiff[] {
  return deployments.filter(({ serving }) => isOutage(serving, applied));
}

/** The changes of a deployment, and its replica changes as input for finding other causes. */
interface DeploymentEvents {
  readonly diff: DeploymentDiff;
  readonly events: readonly ReplicaEvent[];
}

/** What decides why replicas of deployments change. */
interface ChangeContext {
  readonly changed: ChangesById;
  readonly disruptions: Disruptions;
  readonly decisiveOf: ReturnType<typeof createDecisiveEdits>;
}

function diffDeployments(passage: StateTransition, given: ChangeContext): DeploymentEvents[] {
  const { changed, disruptions, decisiveOf } = given;
  const { before, after } = passage;
  const frozen = listFrozen(after);
  const [declared, earlier] = [after, before].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  const countAccelerators = createAcceleratorCounts(passage, frozen);
  const compareNodes = createNodeComparison(passage);
  const modelsOf = createModelComparison(passage);
  const found = [...diffReplicas(passage, disruptions.clusters)].flatMap(([id, compared]) => {
    // The current declaration, or the former one where the deployment is deleted.
    const deployment = declared?.get(id) ?? earlier?.get(id);
    if (!deployment) return [];
    const disrupted = compared.map((change) => addDisruption(change, disruptions.find(deployment, change)));
    const all = disrupted.map(({ change }) => change);
    const moving = disrupted.filter(({ change }) => change.action !== 'keep');
    if (moving.length === 0) return [];
    const context = { changed, fleet: after.fleet, deployment };
    const withCauses = (select: SelectDecisive): ReplicaChangeWithCauses[] =>
      inheritCauses(
        moving.map(({ change, causes }) => {
          const own = restartsWithNodes(change) ? [] : select(change, findReplicaCauses(change, context));
          return { ...change, ...compareNodes(change), causes: dedupeCauses([...own, ...causes]) };
        }),
      );
    const changes = withCauses(decisiveOf(earlier?.get(id) ?? deployment));
    const last = frozen.has(id) ? before : after;
    const counts = { before: countStaying(before, id), after: countStaying(last, id) };
    const serving = countServing(deployment, all, counts);
    const accelerators = countAccelerators(id);
    const models = frozen.has(id) ? {} : modelsOf(id, changed.get(`ModelDeployment ${id}`)?.renamed);
    const kept = all.length - moving.length;
    const diff = { deployment: id, changes, kept, accelerators, serving, ...models };
    // Objects of a replica that restarts change by its other edits too.
    const events = withCauses((_, all) => all).flatMap((change) => locationEventsOf(change, context));
    return [{ diff, deployment, events: events.map((event) => ({ ...event, deployment: id })) }];
  });
  const diffs = createRoomAdder(passage)(found);
  return found.flatMap(({ events }, i) => (diffs[i] ? [{ diff: diffs[i], events }] : []));
}

/** The most deployments and clusters for which it is found what keeps moved replicas from others. */
const MAX_EXPLAINED = { deployments: 20, clusters: 40 };

function addOtherClusters(deployments: readonly DeploymentDiff[], after: PlacedFleet): readonly DeploymentDiff[] {
  if (after.model.clusters.length > MAX_EXPLAINED.clusters) return deployments;
  const moved = deployments.filter(({ changes }) => changes.some(({ action }) => action === 'move'));
  const ids = new Set(moved.slice(0, MAX_EXPLAINED.deployments).map(({ deployment }) => deployment));
  const found = findOtherClusters(after, ids);
  return deployments.map((diff) => {
    const others = found.get(diff.deployment);
    if (!others) return diff;
    const concerned = new Set(diff.changes.flatMap(({ cluster, from }) => [cluster, from?.cluster]));
    const rejections = others.rejections.filter(({ cluster }) => !concerned.has(cluster));
    const open = others.open.filter((cluster) => !concerned.has(cluster));
    return rejections.length + open.length === 0 ? diff : { ...diff, elsewhere: { ...others, rejections, open } };
  });
}

/** Creates a function that compares the models of a deployment, which may have had another ID. */
function createModelComparison({ before, after }: StateTransition) {
  const [earlier, declared] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  return (id: string, renamed?: string): Pick<DeploymentDiff, 'model' | 'adapters'> => {
    const was = { deployment: earlier?.get(renamed?.split(' ')[1] ?? id), fleet: before.fleet };
    const is = { deployment: declared?.get(id), fleet: after.fleet };
    const [model, adapters] = [findModelChange(was, is), listAdapterChanges(was, is)];
    return { ...(model && { model }), ...(adapters.length > 0 && { adapters }) };
  };
}

/** Creates a function that counts the accelerators of a deployment, of which frozen ones keep theirs. */
function createAcceleratorCounts({ before, after }: StateTransition, frozen: ReadonlySet<string>) {
  const [countBefore, countAfter] = [createAcceleratorCounter(before), createAcceleratorCounter(after)];
  const countDraining = createAcceleratorCounter(after, true);
  return (id: string): DeploymentDiff['accelerators'] => {
    const draining = frozen.has(id) ? 0 : countDraining(id);
    return {
      before: countBefore(id),
      after: frozen.has(id) ? countBefore(id) : countAfter(id),
      ...(draining > 0 && { draining }),
    };
  };
}

/** Creates a function that tells whether a replica gets nodes of another class than the one that it replaces. */
function createNodeComparison({ before, after }: StateTransition) {
  const [classesBefore, classesAfter] = [createClassLookup(before), createClassLookup(after)];
  return (change: ReplicaChange): Pick<ReplicaChangeWithCauses, 'otherNodes'> => {
    const isSame = !change.from || classesBefore(change.from) === classesAfter(change);
    return isSame ? {} : { otherNodes: true };
  };
}

/** Creates a function that names the classes of the nodes at a location: a text that is the same for the same classes. */
function createClassLookup({ fleet }: PlacedFleet): (location: ReplicaLocation) => string {
  const poolsOf = new Map(fleet.clusters.map(({ metadata, spec }) => [metadata.name, spec.nodePools]));
  return ({ cluster, pools }) => {
    const used = new Set(Object.values(pools));
    const declared = (poolsOf.get(cluster) ?? []).filter(({ name }) => used.has(name));
    return sortUnique(declared.map(({ className }) => className)).join(' ');
  };
}

/** Splits a move into events at its new and at its former location, each with its causes. */
function locationEventsOf(
  change: ReplicaChangeWithCauses,
  context: CauseContext,
): readonly Omit<ReplicaEvent, 'deployment'>[] {
  const { action, from, causes } = change;
  if (action !== 'move' || !from) return [change];
  const placing = findPlacementCauses(change, context);
  return [
    { ...change, causes: placing.length > 0 ? placing : causes },
    { ...from, causes },
  ];
}

const REMOVING_ACTIONS: ReadonlySet<ReplicaChange['action']> = new Set(['move', 'draining', 'remove']);

/** Adds causes to placed replicas that have none: the causes for which other replicas of their deployment go away. */
function inheritCauses(changes: readonly ReplicaChangeWithCauses[]): ReplicaChangeWithCauses[] {
  const gone = changes.filter(({ action }) => REMOVING_ACTIONS.has(action));
  const causes = dedupeCauses(gone.flatMap((change) => change.causes));
  return changes.map((change) =>
    change.action === 'place' && change.causes.length === 0 ? { ...change, causes } : change,
  );
}

/** The number of replicas of a deployment that are not draining. */
function countStaying({ schedule }: PlacedFleet, id: string): number {
  const lines = groupByDeployment(schedule.placements).get(id) ?? [];
  return lines.filter(({ draining }) => !draining).length;
}
