import type { CostChanges } from '../cost/cost-changes';
import { type Sum, ZERO_SUM } from '../cost/sum';
import type { PlacedFleet } from '../plan/decision';
import { nameLostClusters } from '../scheduler/lost-clusters';
import { type CacheChange, diffCaches } from './cache-changes';
import { type CloudChange, diffCloudResources, findReplacedClusters } from './cloud-changes';
import { type CopiesChange, diffCopies } from './copies-changes';
import { compareFinalizedCosts, compareStateCosts, type FinalizedUse } from './cost-estimates';
import { createDecisiveEdits } from './decisive-edits';
import { type DeclarationChange, diffDeclarations } from './declaration-changes';
import { listDeclaredNodes } from './declared-nodes';
import { addOtherClusters, type DeploymentDiff, diffDeployments, type WithCauses } from './deployment-diff';
import { addDowntimes } from './downtime';
import { addExtraReplicas } from './extra-replicas';
import { addUnlowered } from './unlowered-replicas';
import type { FleetState } from './fleet-state';
import { compareIdleAccelerators, type IdleAccelerators } from './idle-accelerators';
import { createObjectCauseFinder } from './object-causes';
import { type CompareObjects, createObjectComparer, type ObjectChange } from './object-changes';
import { findDisruptions } from './pool-disruption';
import { diffPeers, type PeerChange } from './peer-changes';
import { diffPolicies, type PolicyChange } from './policy-changes';
import { findProtectedClusters, type ProtectedCluster } from './protected-clusters';
import { findNewReleases, type NewReleases } from './new-releases';
import { diffPrices, type PriceChange } from './price-changes';
import { type DrainedReplicas, listDrainedReplicas } from './drained-replicas';
import { findRaisedSurges, type RaisedSurge } from './raised-surges';
import type { DiffContext } from './replica-causes';
import { listFrozen } from './replica-changes';
import { findRolledReplicas } from './rolled-replicas';
import { diffRoutes, type RouteChanges } from './route-changes';
import { findScalingPaces, type ScalingPace } from './scaling-paces';
import { type ApplyMode, isOutage } from './serving-during-change';
import { findUnansweredModels, type UnansweredModel } from './unanswered-models';

/** What happens to a fleet from one state to another, as data. Every view of it shows this value. */
export interface FleetDiff {
  /** What it is compared with: a git revision, a folder, a file. */
  readonly against: string;

  /** What declarations say otherwise, by id. */
  readonly declarations: readonly DeclarationChange[];

  /** The rules of policy files that come, change and go, by name. Absent where none does. */
  readonly policies?: readonly PolicyChange[];

  /** The nodes whose price changes, by name. Absent where none does. */
  readonly prices?: readonly PriceChange[];
  /** What deployments reserve for rollouts since their surge is raised. Absent where none is. */
  readonly surges?: readonly RaisedSurge[];

  /** Deployments of which a replica changes, by id. */
  readonly deployments: readonly DeploymentDiff[];

  /** Deployments of which the bounds of copies or the signals of an autoscaler change, by id. */
  readonly copies: readonly CopiesChange[];

  /** How fast autoscalers add copies whose scaling is new or changed. Absent where no default keeps them apart. */
  readonly paces?: readonly ScalingPace[];

  /** What is staged and dropped, by cache and cluster. */
  readonly caches: readonly CacheChange[];

  /** What happens to how requests reach replicas. */
  readonly routes: RouteChanges;

  /** Pods and addresses that NetworkPolicies admit since the change, or no longer, by deployment. Absent where none differ. */
  readonly peers?: readonly PeerChange[];

  /** Requests that fail because engines no longer serve the model that they name, by service. Absent where none do. */
  readonly unanswered?: readonly UnansweredModel[];

  /** What happens to what is made for clusters, by cluster. */
  readonly cloud: readonly CloudChange[];

  /**
   * Node pools of clusters that exist already whose nodes are declared with another machine. People or other tools replace
   * these nodes. Absent where none is.
   */
  readonly declaredNodes?: readonly CloudChange[];

  /** Replicas that may restart as people drain nodes that are no longer declared, by deployment. Absent where none may. */
  readonly drainedReplicas?: readonly DrainedReplicas[];

  /** Clusters that cannot be deleted before an earlier change switches their protection off. Absent where none is. */
  readonly protectedClusters?: readonly ProtectedCluster[];

  /** The releases that clusters need since the change, by cluster. Absent where none is new. */
  readonly newReleases?: readonly NewReleases[];

  /** The clusters that are lost after the change: nothing happens there until they answer. Absent where none is. */
  readonly lostClusters?: readonly string[];

  /** The accelerators of nodes that run in any case which no replica takes, draining ones included, before and after. */
  readonly idleAccelerators: IdleAccelerators;

  /** What it costs before and after. Absent where the fleet has another currency. */
  readonly cost?: CostChanges;

  /**
   * What it costs once `lock --finalize` stops the old replicas that serve until then. Absent where there are none, or
   * they cost nothing more.
   */
  readonly finalizedCost?: CostChanges;

  /** What deployments cost once `lock --finalize` stops the old replicas that serve until then. Absent where there are none. */
  readonly finalizedUse?: FinalizedUse;

  /** What happens to the objects of clusters, by cluster. */
  readonly objects: readonly ObjectChangeWithCauses[];
}

/** A change of an object, and the declarations that it comes from. */
export type ObjectChangeWithCauses = ObjectChange & WithCauses;

/** How two states are compared. */
interface DiffOptions {
  /** Compares objects with the earlier state. Default: a comparer for this comparison alone. */
  readonly compareObjects?: CompareObjects;

  /** How the change is applied, for which remedies are found. Default: wave by wave. */
  readonly applied?: ApplyMode;
}

/**
 * Compares two states of a fleet: their declarations, and the resulting changes on clusters.
 *
 * @param planned the later declarations decided from the earlier lock, which has the reasons why replicas do not stay
 */
export function diffStates(
  before: FleetState,
  after: FleetState,
  planned: PlacedFleet,
  { compareObjects = createObjectComparer(before), applied = 'withWaves' }: DiffOptions = {},
): FleetDiff {
  const declarations = diffDeclarations(before, after);
  const pairs = compareObjects(after);
  const states = { before: before.decision, after: after.decision };
  const passage = { ...states, planned, rolled: findRolledReplicas(pairs), applied };
  const changed = new Map(declarations.map((change) => [change.id, change]));
  const { all: cloud, ...nodes } = diffNodes(before, after, changed);
  const disruptions = findDisruptions(cloud, passage);
  const decisiveOf = createDecisiveEdits(before, after);
  const happened = diffDeployments(passage, { changed, disruptions, cloud, decisiveOf });
  const deployments = happened.map(({ diff }) => diff);
  const context: DiffContext = { changed, replicas: happened.flatMap(({ events }) => events) };
  const caches = diffCaches(before, after, { ...context, replaced: findReplacedClusters(cloud) });
  const routes = diffRoutes(before, after, context);
  const clients = diffClients(declarations, states, { changed, routes });
  const causesOfObject = createObjectCauseFinder({ ...context, caches, routes });
  const timed = addDowntimes(deployments, passage, caches, nodes);
  const unlowered = addUnlowered(timed, { before: before.decision, planned });
  const withMore = addExtraReplicas(unlowered, { before, after, planned, changed, disruptions, cloud });
  return withoutFrozen(after.decision, {
    against: before.name,
    declarations,
    ...diffTerms(declarations, before, after),
    deployments: addOtherClusters(withMore, after.decision),
    ...diffScaling(declarations, passage, changed),
    caches,
    routes,
    ...clients,
    ...nodes,
    ...findClusterSteps(declarations, cloud, passage),
    ...compareIdle(before, after),
    ...diffCosts(before, after),
    objects: pairs.map((pair) => ({ ...pair.change, causes: causesOfObject(pair) })),
  });
}

/** Compares what no replica takes, with the clusters on which none can. */
function compareIdle(before: FleetState, after: FleetState): Pick<FleetDiff, 'lostClusters' | 'idleAccelerators'> {
  const lostClusters = nameLostClusters(after.decision.model);
  const idleAccelerators = compareIdleAccelerators(before, after, lostClusters);
  return { ...(lostClusters.length > 0 && { lostClusters }), idleAccelerators };
}

/** Compares what is made for clusters; with the nodes that people replace there, which do the same to replicas. */
function diffNodes(
  before: FleetState,
  after: FleetState,
  changed: Parameters<typeof diffCloudResources>[2],
): Pick<FleetDiff, 'cloud' | 'declaredNodes'> & { readonly all: FleetDiff['cloud'] } {
  const cloud = diffCloudResources(before, after, changed);
  const declaredNodes = listDeclaredNodes(before.decision.fleet, after.decision.fleet, changed);
  return { all: [...cloud, ...declaredNodes], cloud, ...(declaredNodes.length > 0 && { declaredNodes }) };
}

/** What clients get no answer to any more, and which are admitted. */
function diffClients(
  declarations: FleetDiff['declarations'],
  states: Readonly<Record<'before' | 'after', PlacedFleet>>,
  changes: Parameters<typeof findUnansweredModels>[1],
): Pick<FleetDiff, 'peers' | 'unanswered'> {
  const peers = diffPeers(declarations, states.before, states.after);
  const unanswered = findUnansweredModels(states, changes);
  return { ...(peers.length > 0 && { peers }), ...(unanswered.length > 0 && { unanswered }) };
}

function diffScaling(
  declarations: FleetDiff['declarations'],
  passage: Parameters<typeof diffCopies>[0],
  changed: Parameters<typeof diffCopies>[1],
): Pick<FleetDiff, 'copies' | 'paces'> {
  const copies = diffCopies(passage, changed);
  const paces = findScalingPaces(declarations, copies, passage.after);
  return { copies, ...(paces.length > 0 && { paces }) };
}

/** What comes first on clusters that stay or go, and what restarts as people remove nodes. */
function findClusterSteps(
  declarations: FleetDiff['declarations'],
  cloud: FleetDiff['cloud'],
  { before, after }: Pick<Parameters<typeof diffCopies>[0], 'before' | 'after'>,
): Pick<FleetDiff, 'protectedClusters' | 'newReleases' | 'drainedReplicas'> {
  const protectedClusters = findProtectedClusters(cloud, before.fleet);
  const newReleases = findNewReleases(declarations, before, after);
  const drainedReplicas = listDrainedReplicas(cloud, { before, after });
  return {
    ...(protectedClusters.length > 0 && { protectedClusters }),
    ...(newReleases.length > 0 && { newReleases }),
    ...(drainedReplicas.length > 0 && { drainedReplicas }),
  };
}

function diffCosts(before: FleetState, after: FleetState): Pick<FleetDiff, 'cost' | 'finalizedCost' | 'finalizedUse'> {
  if (before.cost.currency !== after.cost.currency) return {};
  return { cost: compareStateCosts(before, after), ...compareFinalizedCosts(before, after) };
}

/** What holds otherwise from now on, although nothing runs otherwise: rules, prices, and what rollouts reserve. */
function diffTerms(
  declarations: FleetDiff['declarations'],
  before: FleetState,
  after: FleetState,
): Pick<FleetDiff, 'policies' | 'prices' | 'surges'> {
  const [was, is] = [before.decision, after.decision];
  const policies = diffPolicies(was.fleet.policies, is.fleet.policies);
  const prices = before.cost.currency === after.cost.currency ? diffPrices(was.fleet, is.fleet) : [];
  const surges = findRaisedSurges(declarations, was, is);
  return {
    ...(policies.length > 0 && { policies }),
    ...(prices.length > 0 && { prices }),
    ...(surges.length > 0 && { surges }),
  };
}

/**
 * Leaves out what does not happen while replicas stay that cannot be rendered because of errors: routes and files stay
 * as they are, and the cost of what uses nodes is not known, but that of the nodes is.
 */
function withoutFrozen(after: PlacedFleet, all: FleetDiff): FleetDiff {
  const frozen = listFrozen(after);
  if (frozen.size === 0) return all;
  const { cost, finalizedCost: _, finalizedUse: __, unanswered: ___, paces = [], ...diff } = all;
  const kept = paces.filter(({ deployment }) => !frozen.has(deployment));
  const namespaces = new Set([...frozen].map((id) => id.split('/')[0]));
  return {
    ...diff,
    ...(areGone(after)
      ? cost && { cost }
      : {
          ...(cost && isUnchangedSum(cost.storage.delta) && { cost: withoutUse(cost) }),
          idleAccelerators: { before: diff.idleAccelerators.before, after: diff.idleAccelerators.before },
        }),
    copies: diff.copies.filter(({ deployment }) => !frozen.has(deployment)),
    ...(kept.length > 0 && { paces: kept }),
    caches: diff.caches.filter(({ action }) => action !== 'drop'),
    routes: { ...diff.routes, services: [], gateways: [] },
    objects: diff.objects.filter(
      ({ action, kind, name }) => action !== 'delete' && !(kind === 'Namespace' && namespaces.has(name)),
    ),
  };
}

/** Whether the replicas that cannot be rendered stop with their clusters: they use and cost nothing any more. */
function areGone({ fleet, held }: PlacedFleet): boolean {
  const clusters = new Set(fleet.clusters.map(({ metadata }) => metadata.name));
  return held.unknown.every(({ cluster }) => !clusters.has(cluster));
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
