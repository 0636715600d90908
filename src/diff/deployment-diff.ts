import { sortUnique } from '../base/order';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { isUnreachable } from '../plan/reachability-notes';
import type { ReplicaChange, ReplicaLocation } from '../plan/replica-moves';
import { hasLocalClients, listRoutedDeployments } from '../routing/routed-deployments';
import { findOtherClusters, type OtherClusters } from '../scheduler/explain-deployment';
import { groupByDeployment } from '../scheduler/placement';
import { listUnreplaced } from '../scheduler/unreplaced-replicas';
import type { CloudChange } from './cloud-changes';
import { createAcceleratorCounter } from './copies-changes';
import type { createDecisiveEdits } from './decisive-edits';
import type { CachedStart, Downtime } from './downtime';
import type { ExtraReplicas } from './extra-replicas';
import { findLostNodes } from './lost-nodes';
import {
  type AdapterChange,
  answeringImageOf,
  findModelChange,
  listAdapterChanges,
  loadedModelOf,
  type ModelChange,
} from './model-changes';
import { addDisruption, type Disruptions } from './pool-disruption';
import {
  type Cause,
  type CauseContext,
  type ChangesById,
  dedupeCauses,
  findPlacementCauses,
  findReplicaCauses,
  REMOVING_ACTIONS,
  type ReplicaEvent,
} from './replica-causes';
import { diffReplicas, listFrozen, type StateTransition } from './replica-changes';
import { createRoomAdder, type RolloutRoom } from './rollout-room';
import type { UnloweredReplicas } from './unlowered-replicas';
import { countServing, restartsWithNodes, type ServingDuringChange } from './serving-during-change';

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

    /** Those that draining replicas keep after the change, until they are finalized. Absent if there are none. */
    readonly draining?: number;

    /** Those that draining replicas keep until their replacements fit: finalizing frees none of them. Absent if there are none. */
    readonly unreplaced?: number;
  };
  readonly serving: ServingDuringChange;

  /** How long each replica that stops is down, in minutes. Absent: none stops, or that is not known. */
  readonly downtime?: Downtime;

  /** How long the first replicas of a deployment take to serve, in minutes. Absent: it had some, or that is not known. */
  readonly start?: Downtime;

  /** The startup budget that replicas that stop had before. Absent: none stops, or it does not follow from a cache. */
  readonly cachedStart?: CachedStart;

  /** The room for what would keep its replicas serving. Absent: enough of them serve, or more room would not help. */
  readonly room?: RolloutRoom;

  /** Further replicas of an earlier change that keep enough serving. Absent: enough serve, or none are found that do. */
  readonly extra?: ExtraReplicas;

  /** The number of replicas of before, with which enough serve. Absent: it is not lowered, or that is not enough. */
  readonly unlowered?: UnloweredReplicas;

  /** The model that its engines load, where another one takes its place. */
  readonly model?: ModelChange;

  /** The model that the engines of a new deployment load. Absent: it is not new, or the model is not known. */
  readonly loads?: string;

  /** The image of the engine of a new deployment that answers requests. Absent: it is not new. */
  readonly runs?: string;

  /** The adapters that keep their names and get other files. Absent: there are none. */
  readonly adapters?: readonly AdapterChange[];

  /** Whether it is no longer declared, and no client could reach its replicas: no service selected it. Absent: no. */
  readonly unreachable?: true;

  /**
   * Where replicas move, what keeps them from the clusters that they neither leave nor come to. Only for the first
   * deployments, and not for fleets of many clusters, of which `fleetwright explain` says it.
   */
  readonly elsewhere?: OtherClusters;
}

/** The declarations that a change comes from. */
export interface WithCauses {
  /** Empty where it follows from what happens to others. */
  readonly causes: readonly Cause[];
}

/** A change of a replica, and the declarations that it comes from. */
export type ReplicaChangeWithCauses = ReplicaChange &
  WithCauses & {
    /** Whether it gets nodes of another class than the replica that it replaces. Absent: the same, or it replaces none. */
    readonly otherNodes?: true;
  };

/** The changes of a deployment, and its replica changes as input for finding other causes. */
export interface DeploymentEvents {
  readonly diff: DeploymentDiff;
  readonly events: readonly ReplicaEvent[];
}

/** What decides why replicas of deployments change. */
export interface ChangeContext {
  readonly changed: ChangesById;
  readonly disruptions: Disruptions;
  readonly cloud: readonly CloudChange[];
  readonly decisiveOf: ReturnType<typeof createDecisiveEdits>;
}

/** Compares the replicas of deployments, by id, with why they change. */
export function diffDeployments(passage: StateTransition, given: ChangeContext): DeploymentEvents[] {
  const { changed, disruptions, cloud, decisiveOf } = given;
  const { before, after } = passage;
  const frozen = listFrozen(after);
  const [declared, earlier] = [after, before].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  const countAccelerators = createAcceleratorCounts(passage, frozen);
  const compareNodes = createNodeComparison(passage);
  const modelsOf = createModelComparison(passage);
  const isLocal = createLocalCheck(before);
  const replicaChanges = diffReplicas(passage, disruptions.clusters);
  const lost = findLostNodes(cloud, replicaChanges, passage);
  const found = [...replicaChanges].flatMap(([id, compared]) => {
    // The current declaration, or the former one where the deployment is deleted.
    const deployment = declared?.get(id) ?? earlier?.get(id);
    if (!deployment) return [];
    const disrupted = compared.map((one) => addDisruption(one, disruptions.find(deployment, one) ?? lost.get(one)));
    const replicas = disrupted.map(({ change }) => change);
    const moving = disrupted.filter(({ change }) => change.action !== 'keep');
    if (moving.length === 0) return [];
    const context = { changed, fleet: after.fleet, deployment };
    const select = decisiveOf(earlier?.get(id) ?? deployment);
    const caused = inheritCauses(
      moving.map(({ change, causes }) => {
        const own = restartsWithNodes(change) ? [] : findReplicaCauses(change, context);
        const decisive = dedupeCauses([...select(change, own), ...causes]);
        return { change: { ...change, ...compareNodes(change) }, decisive, all: dedupeCauses([...own, ...causes]) };
      }),
    );
    const changes = caused.map(({ change, decisive }) => ({ ...change, causes: decisive }));
    const last = frozen.has(id) ? before : after;
    const counts = { before: countStaying(before, id), after: countStaying(last, id) };
    const serving = countServing(deployment, replicas, counts, isLocal(id));
    const accelerators = countAccelerators(id);
    const models = frozen.has(id) ? {} : modelsOf(id, changed.get(`ModelDeployment ${id}`)?.renamed);
    const diff = { deployment: id, changes, kept: replicas.length - moving.length, accelerators, serving, ...models };
    // Objects of a replica that restarts change by its other edits too.
    const events = caused.flatMap(({ change, all: causes }) => locationEventsOf({ ...change, causes }, context));
    return [{ diff, deployment, events: events.map((event) => ({ ...event, deployment: id })) }];
  });
  const diffs = createRoomAdder(passage)(found);
  return found.flatMap(({ events }, i) => (diffs[i] ? [{ diff: diffs[i], events }] : []));
}

/** Creates a function that tells whether clients of a deployment reach only the replicas of their own cluster. */
function createLocalCheck({ fleet, routing }: PlacedFleet): (id: string) => boolean {
  const [declared, routed] = [indexDeploymentsById(fleet.deployments), listRoutedDeployments(routing)];
  return (id) => {
    const deployment = declared.get(id);
    return deployment !== undefined && hasLocalClients(deployment, routed);
  };
}

/** The most deployments and clusters for which it is found what keeps moved replicas from others. */
const MAX_EXPLAINED = { deployments: 20, clusters: 40 };

/** Adds what keeps moved replicas from the clusters that they neither leave nor come to. */
export function addOtherClusters(
  deployments: readonly DeploymentDiff[],
  after: PlacedFleet,
): readonly DeploymentDiff[] {
  if (after.model.clusters.length > MAX_EXPLAINED.clusters) return deployments;
  const moved = deployments.flatMap(({ deployment, changes }) => {
    const to = changes.flatMap(({ action, cluster }) => (action === 'move' ? [cluster] : []));
    return to.length > 0 ? [[deployment, sortUnique(to)] as const] : [];
  });
  const found = findOtherClusters(after, new Map(moved.slice(0, MAX_EXPLAINED.deployments)));
  return deployments.map((diff) => {
    const others = found.get(diff.deployment);
    if (!others) return diff;
    const concerned = new Set(diff.changes.flatMap(({ cluster, from }) => [cluster, from?.cluster]));
    const rejections = others.rejections.filter(({ cluster }) => !concerned.has(cluster));
    const open = others.open.filter((cluster) => !concerned.has(cluster));
    return rejections.length + open.length === 0 ? diff : { ...diff, elsewhere: { ...others, rejections, open } };
  });
}

/**
 * Creates a function that compares the models of a deployment, which may have had another ID, and tells whether no client
 * could reach one that goes.
 */
function createModelComparison({ before, after }: StateTransition) {
  const [earlier, declared] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  return (
    id: string,
    renamed?: string,
  ): Pick<DeploymentDiff, 'model' | 'loads' | 'runs' | 'adapters' | 'unreachable'> => {
    const was = { deployment: earlier?.get(renamed?.split(' ')[1] ?? id), fleet: before.fleet };
    const is = { deployment: declared?.get(id), fleet: after.fleet };
    const [model, adapters] = [findModelChange(was, is), listAdapterChanges(was, is)];
    const added = was.deployment ? undefined : is.deployment;
    const loads = added && loadedModelOf(is);
    const isUnused = was.deployment && !is.deployment && isUnreachable(was.deployment, before.fleet);
    return {
      ...(model && { model }),
      ...(loads !== undefined && { loads }),
      ...(added && { runs: answeringImageOf(added) }),
      ...(adapters.length > 0 && { adapters }),
      ...(isUnused && { unreachable: true }),
    };
  };
}

/** Creates a function that counts the accelerators of a deployment, of which frozen ones keep theirs. */
function createAcceleratorCounts({ before, after }: StateTransition, frozen: ReadonlySet<string>) {
  const [countBefore, countAfter] = [createAcceleratorCounter(before), createAcceleratorCounter(after)];
  const kept = new Set(listUnreplaced(after.schedule));
  const countDraining = createAcceleratorCounter(after, (one) => one.draining === true && !kept.has(one));
  const countUnreplaced = createAcceleratorCounter(after, (one) => kept.has(one));
  return (id: string): DeploymentDiff['accelerators'] => {
    const [draining, unreplaced] = frozen.has(id) ? [0, 0] : [countDraining(id), countUnreplaced(id)];
    return {
      before: countBefore(id),
      after: frozen.has(id) ? countBefore(id) : countAfter(id),
      ...(draining > 0 && { draining }),
      ...(unreplaced > 0 && { unreplaced }),
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
    { ...from, action, causes },
  ];
}

/** A change of a replica, with the edits that decide it and all that can be its cause. */
interface CausedChange {
  readonly change: Omit<ReplicaChangeWithCauses, 'causes'>;
  readonly decisive: readonly Cause[];
  readonly all: readonly Cause[];
}

/** Adds causes to placed replicas that have none: the causes for which other replicas of their deployment go away. */
function inheritCauses(changes: readonly CausedChange[]): readonly CausedChange[] {
  const gone = changes.filter(({ change }) => REMOVING_ACTIONS.has(change.action));
  const of = (key: 'decisive' | 'all'): Cause[] => dedupeCauses(gone.flatMap((one) => one[key]));
  const inherited = { decisive: of('decisive'), all: of('all') };
  return changes.map((one) => (one.change.action === 'place' && one.all.length === 0 ? { ...one, ...inherited } : one));
}

/** The number of replicas of a deployment that are not draining. */
function countStaying({ schedule }: PlacedFleet, id: string): number {
  const lines = groupByDeployment(schedule.placements).get(id) ?? [];
  return lines.filter(({ draining }) => !draining).length;
}
