import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import type { ReplicaLocation, ReplicaChange } from '../plan/replica-moves';
import { CONTROL_PLANE_KINDS } from '../provision/cloud-resources';
import { placementKeyOf } from '../scheduler/placement';
import { type Cause, dedupeCauses } from './replica-causes';
import { type CloudChange, isShrunk, lostZonesOf } from './cloud-changes';
import { hasSingleCopy } from './running-copies';

/** What happens to the nodes of a pool, and because of which declarations. */
export interface PoolDisruption {
  readonly nodes: NonNullable<ReplicaChange['nodes']>;

  /** The cloud chooses which nodes go, and that of the replica may stay. */
  readonly mayStay?: true;
  readonly ifDrained?: NonNullable<ReplicaChange['ifDrained']>;

  /** The new nodes do not have what the replica asks for. */
  readonly misplaced?: true;
  readonly causes: readonly Cause[];
}

/** Returns what happens to the nodes that a replica of a deployment has before a change. Undefined: nothing. */
type FindDisruption = (deployment: ModelDeployment, change: ReplicaChange) => PoolDisruption | undefined;

/** Resources without which no node of a cluster exists. */
const CLUSTER_KINDS: ReadonlySet<string> = new Set([
  ...CONTROL_PLANE_KINDS,
  'Network',
  'Subnetwork',
  'Vpc',
  'ResourceGroup',
  'VirtualNetwork',
]);

const GOING: ReadonlySet<CloudChange['action']> = new Set(['replace', 'delete']);

/** @internal */
interface ChangedPlacements {
  readonly before: Pick<PlacedFleet, 'fleet'>;
  readonly after: Pick<PlacedFleet, 'held'>;
}

/** What changes of cloud resources do to the nodes of replicas. */
export interface Disruptions {
  /** The clusters of which nodes go or are recreated, or of which pools get fewer nodes. */
  readonly clusters: ReadonlySet<string>;
  readonly find: FindDisruption;
}

/** @internal */
export function findDisruptions(cloud: readonly CloudChange[], { before, after }: ChangedPlacements): Disruptions {
  const former = indexDeploymentsById(before.fleet.deployments);
  const unfit = new Set(after.held.misplaced?.map(placementKeyOf));
  const byCluster = groupBy(cloud.filter(isDisruptive), ({ cluster }) => cluster);
  const find: FindDisruption = (deployment, change) => {
    const place = formerPlaceOf(change);
    const found = place ? (byCluster.get(place.cluster) ?? []) : [];
    const concerned = found.filter(({ machine, name }) => machine === undefined || enginesOn(name, place).length > 0);
    const going = concerned.filter(losesNodes);
    const id = qualifiedNameOf(deployment);
    const changed = { was: former.get(id), is: deployment };
    const rolled = concerned.filter(({ name }) => hasSingleCopy(changed, enginesOn(name, place)));
    const isUnfit = unfit.has(placementKeyOf({ ...change, deployment: id }));
    const decisive = going.length > 0 ? going : isUnfit ? concerned : rolled;
    if (decisive.length === 0) return undefined;
    const causes = dedupeCauses(decisive.flatMap((one) => one.causes));
    if (isUnfit) return { nodes: 'replace', misplaced: true, causes };
    return { nodes: going.length > 0 ? 'replace' : 'roll', causes };
  };
  return { clusters: new Set([...byCluster.keys(), ...cloud.filter(isShrunk).map(({ cluster }) => cluster)]), find };
}

/** Whether nodes go before others exist, or are recreated. */
export function isDisruptive(change: CloudChange): boolean {
  if (change.machine === undefined) return CLUSTER_KINDS.has(change.kind) && GOING.has(change.action);
  return losesNodes(change) || change.action === 'roll';
}

/** Whether nodes are deleted before others exist. The zone of a replica is not known, so each may be in a lost zone. */
function losesNodes(change: CloudChange): boolean {
  return GOING.has(change.action) || lostZonesOf(change).length > 0;
}

/** Where a replica serves until the change. Undefined for one that did not serve, or that is not needed any more. */
function formerPlaceOf(change: ReplicaChange): ReplicaLocation | undefined {
  if (change.action === 'place' || change.action === 'remove') return undefined;
  return change.from ?? change;
}

/** The engines of a replica that are on a pool. */
export function enginesOn(pool: string, place: Pick<ReplicaLocation, 'pools'> | undefined): string[] {
  return Object.entries(place?.pools ?? {}).flatMap(([engine, name]) => (name === pool ? [engine] : []));
}

/** Whether a replica has no place once the change is applied: its pool is removed, or the new nodes do not match. */
export function losesItsPlace(change: ReplicaChange & { readonly causes: readonly Cause[] }): boolean {
  return change.misplaced === true || losesItsPool(change);
}

/** Whether a replica has no place once the change is applied: its pool or cluster is removed, and it gets no other one. */
export function losesItsPool({
  action: staying,
  nodes,
  cluster,
  pools,
  causes,
}: ReplicaChange & { readonly causes: readonly Cause[] }): boolean {
  return (
    nodes === 'replace' &&
    staying === 'roll' &&
    causes.some(({ id, action, field }) => {
      if (id === `InferenceCluster ${cluster}` && action === 'removed') return true;
      const isRemoved = field !== undefined && field.after === undefined;
      const ofPools = Object.values(pools).map((pool) => `spec.nodePools[${pool}]`);
      return id.startsWith('InferenceCluster ') && isRemoved && ofPools.includes(field.field);
    })
  );
}

/** A change of a replica, with what happens to its nodes and the causes of that. */
interface DisruptedChange {
  readonly change: ReplicaChange;
  readonly causes: readonly Cause[];
}

/** Adds what happens to its nodes to a change of a replica. A replica that stays on such nodes restarts. */
export function addDisruption(change: ReplicaChange, disruption: PoolDisruption | undefined): DisruptedChange {
  if (!disruption) return { change, causes: [] };
  const { causes, ...nodes } = disruption;
  const staying = change.action === 'keep' ? ({ action: 'roll', down: true } as const) : {};
  return { change: { ...change, ...staying, ...nodes }, causes };
}
