import { getOrCompute } from '../base/memoize';
import { compareText } from '../base/order';
import type { NodeResource } from './compile/shapes';
import type {
  CompiledCluster,
  CompiledDeployment,
  DemandVariant,
  EngineDemand,
  Pool,
  ReplicaDemand,
} from './compiled-fleet';
import { findDeclaringRemedies } from './declaring-remedies';
import { listNewRejections, rejectNew } from './filters';
import { fitEngine, listAssignments } from './fit-replica';
import type { Charge, Ledger } from './ledger';
import { findInPlaceRemedies } from './in-place-remedies';
import { fitsPacked, listShortPools } from './missing-nodes';
import { footprintKeyOf } from './packing/pod-footprint';
import { variantsOf } from './placement';
import { previousRevisionsOf } from './preemption';
import { findLimitRemedy, findRemedies } from './remedies';
import type { Remedy } from './remedy';
import { fitsOn } from './remedy-proposal';
import type { EndangeredReplicas, FurtherReason, Reason, Rejection, ShortResource } from './reason';
import type { Shortfall } from './schedule-result';
import type { SchedulingState } from './scheduling-state';
import { findSurgeRemedies } from './surge-remedies';
import { hasLimits, TopologySpread } from './topology-spread';
import { listReserves } from './yield-surges';

type UnschedulableReasons = Required<Pick<Shortfall, 'rejections' | 'remedies' | 'alternatives'>>;

/** Finds the reasons against every cluster, once for all deployments with the same demand. */
export class RejectionFinder {
  readonly #known = new Map<ReplicaDemand, UnschedulableReasons>();
  #replicasByFootprint: ReplicasByFootprint | undefined;
  #unreserved: Ledger | undefined;

  constructor(private readonly state: SchedulingState) {}

  of(deployment: CompiledDeployment): UnschedulableReasons {
    const { rejections, remedies, alternatives } = this.#ofDeployment(deployment);
    const declared = findDeclaringRemedies(deployment, rejections, this.state);
    const inPlace = findInPlaceRemedies(deployment, this.state, remedies);
    const unreserved = findSurgeRemedies(deployment, rejections, this.state);
    return {
      rejections: this.#withOwnUse(deployment, rejections),
      remedies: [...declared, ...inPlace, ...unreserved, ...remedies],
      alternatives,
    };
  }

  /** Adds what replicas of the deployment with earlier engines take of the pools that are short. */
  #withOwnUse(deployment: CompiledDeployment, rejections: readonly Rejection[]): readonly Rejection[] {
    const { ledger, clusters } = this.state;
    const former = previousRevisionsOf(this.state, deployment);
    if (former.length === 0) return rejections;
    const rest = ledger.without(former.flatMap(({ assignment }) => assignment.charges));
    return rejections.map((rejection) => {
      const { cluster, reason } = rejection;
      const pool = clusters.get(cluster)?.pools.find(({ name }) => name === rejection.pool);
      if (!pool || reason.filter !== 'capacity') return rejection;
      const own = reason.inUse - rest.deviceUse(pool).inUse;
      return own > 0 ? { ...rejection, reason: { ...reason, own } } : rejection;
    });
  }

  #ofDeployment(deployment: CompiledDeployment): UnschedulableReasons {
    if (!hasLimits(deployment)) return this.#ofVariants(variantsOf(deployment));
    const spread = new TopologySpread(deployment, this.state.clustersOf(deployment));
    const limited = this.#limitedBy(spread);
    const reasons = this.#ofVariants(variantsOf(deployment));
    const closed = new Set(limited.map(({ cluster }) => cluster));
    const others = reasons.rejections.filter(({ cluster }) => !closed.has(cluster));
    const explained = limited.map((one) => {
      const without = reasons.rejections.filter(({ cluster }) => cluster === one.cluster);
      const pools = this.#hasRoom(deployment, one.cluster) ? [] : without;
      return withFurther(one, [], this.#solve(nearestOf(pools), deployment.demand));
    });
    const rejections = [...others, ...explained].sort((a, b) => compareText(a.cluster, b.cluster));
    const limits = findLimitRemedy(deployment, limited, this.state);
    const open = others.filter(({ cluster: name }) => {
      const cluster = this.state.clusters.get(name);
      return cluster && spread.findLimit(cluster) === undefined;
    });
    const { remedies, alternatives } =
      open.length === reasons.rejections.length ? reasons : findRemedies(deployment.demand, open, this.state);
    return { rejections, remedies: [...remedies, ...limits], alternatives };
  }

  /**
   * The reason against the cluster, or against one of its pools, that comes closest to taking one more replica. No
   * remedy is tried. Undefined without clusters.
   *
   * @param clusters those that are meant. Default: all
   */
  findNearest(deployment: CompiledDeployment, clusters = this.state.model.clusters): Rejection | undefined {
    const limits = hasLimits(deployment)
      ? this.#limitedBy(new TopologySpread(deployment, this.state.clustersOf(deployment)))
      : [];
    const meant = new Set(clusters.map(({ name }) => name));
    const limit = limits.find(({ cluster }) => meant.has(cluster) && this.#hasRoom(deployment, cluster));
    if (limit) return limit;
    const demands = variantsOf(deployment).map(({ demand }) => demand);
    const all = demands.flatMap((demand) => clusters.flatMap((one) => this.#ofCluster(demand, one)));
    return all.reduce<Rejection | undefined>(
      (best, one) => (best === undefined || nearnessOf(one) > nearnessOf(best) ? one : best),
      undefined,
    );
  }

  #limitedBy(spread: TopologySpread): (Rejection & { readonly reason: { readonly filter: 'spread' } })[] {
    return this.state.model.clusters.flatMap((cluster) => {
      const reason = rejectNew(spread.deployment.demand, cluster) ? undefined : spread.findLimit(cluster);
      return reason ? [{ cluster: cluster.name, reason }] : [];
    });
  }

  /** Whether a cluster takes one more replica, whatever the limits of placement. */
  #hasRoom(deployment: CompiledDeployment, name: string): boolean {
    const cluster = this.state.clusters.get(name);
    return cluster !== undefined && variantsOf(deployment).some(({ demand }) => fitsOn(cluster, demand, this.state));
  }

  /** Of several layouts, the reason of the first that a pool is for. */
  #ofVariants(variants: readonly DemandVariant[]): UnschedulableReasons {
    const [first, ...others] = variants.map(({ demand }) => this.#ofDemand(demand));
    if (!first) throw new Error('bug: a deployment without a layout');
    if (others.length === 0) return first;
    const byPlace = new Map<string, Rejection>();
    for (const rejection of [first, ...others].flatMap(({ rejections }) => rejections)) {
      const key = `${rejection.cluster} ${rejection.pool ?? ''}`;
      const known = byPlace.get(key);
      if (!known || isOfOtherClass(known)) byPlace.set(key, rejection);
    }
    const remedies = [first, ...others].flatMap((one) => one.remedies);
    const kinds = new Map(remedies.toReversed().map((remedy) => [remedy.kind, remedy]));
    const isFirst = (one: Remedy): boolean => kinds.get(one.kind) === one;
    const further = [first, ...others].flatMap((one) => one.alternatives);
    return {
      rejections: [...byPlace.values()],
      remedies: remedies.filter(isFirst),
      alternatives: [...remedies.filter((one) => !isFirst(one)), ...further],
    };
  }

  #ofDemand(demand: ReplicaDemand): UnschedulableReasons {
    const known = this.#known.get(demand);
    if (known) return known;
    const rejections = this.state.model.clusters.flatMap((cluster) => this.#ofCluster(demand, cluster));
    const reasons = { rejections, ...findRemedies(demand, rejections, this.state) };
    this.#known.set(demand, reasons);
    return reasons;
  }

  /** The reason against a cluster, or one reason against each pool for the first engine that has no pool. */
  #ofCluster(demand: ReplicaDemand, cluster: CompiledCluster): Rejection[] {
    const [reason, ...further] = listNewRejections(demand, cluster);
    if (reason) {
      const rejection = { cluster: cluster.name, reason };
      if (isLeftOut(reason)) return [rejection];
      const nearest = nearestOf(this.#ofPools(demand, cluster) ?? []);
      return [withFurther(rejection, further, this.#solve(nearest, demand))];
    }
    const against = this.#ofPools(demand, cluster);
    if (against) return against;
    const shortages = listAssignments(demand, cluster, this.state.matcher).map(({ charges }) =>
      this.state.ledger.findQuotaShortage(charges),
    );
    const [shortage] = shortages;
    if (shortage && !shortages.includes(undefined)) {
      return [{ cluster: cluster.name, reason: { filter: 'quota', ...shortage } }];
    }
    const engines = demand.engines.map(({ name }) => name);
    return [{ cluster: cluster.name, reason: { filter: 'together', engines } }];
  }

  /** Adds to the reason against a pool which nodes of it, and whether its packing, would be enough. */
  #solve(nearest: Rejection | undefined, demand: ReplicaDemand): FurtherReason | undefined {
    if (!nearest) return undefined;
    const { cluster: name, pool, reason } = nearest;
    const further = { ...(pool !== undefined && { pool }), reason };
    const cluster = this.state.clusters.get(name);
    const short = cluster?.pools.find((one) => one.name === pool);
    if (!cluster || !short || reason.filter !== 'capacity') return further;
    const { matcher, ledger } = this.state;
    const { nodes } = listShortPools({ demand, cluster, matcher, ledger }).find((one) => one.pool === short) ?? {};
    const packing = fitsPacked({ demand, cluster, matcher, ledger }, short) && { packing: true as const };
    return { ...further, ...(nodes !== undefined && { nodes }), ...packing };
  }

  /** One reason against each pool for the first engine that has no pool. Undefined: each engine has one. */
  #ofPools(demand: ReplicaDemand, cluster: CompiledCluster): Rejection[] | undefined {
    for (const engine of demand.engines) {
      const against = cluster.pools.map((pool) => this.#ofPool({ engine, of: demand }, pool, cluster));
      if (against.length > 0 && against.every((rejection) => rejection !== undefined)) return against;
    }
    return undefined;
  }

  #ofPool({ engine, of }: DemandedEngine, pool: Pool, cluster: CompiledCluster): Rejection | undefined {
    const at = { cluster: cluster.name, pool: pool.name };
    const fit = fitEngine(engine, pool, cluster, this.state.matcher);
    if ('misfit' in fit) return { ...at, reason: { filter: 'devices', engine: engine.name, ...fit } };
    if (this.state.ledger.fits(fit.charges)) return undefined;
    const quota = this.state.ledger.findQuotaShortage(fit.charges);
    if (quota && this.state.ledger.missingNodes(pool, fit.charges) === 0) {
      return { ...at, reason: { filter: 'quota', ...quota } };
    }
    const shortage = computeShortage(this.state.ledger, fit.charges);
    const endangers = shortage.packs ? this.#findEndangered(pool, fit.charges) : undefined;
    const reserved = this.#countReserved(pool);
    const { layout } = engine;
    const asking = {
      ...(reserved > 0 && { reserved }),
      ...(layout !== undefined && { layout }),
      ...(of.engines.length > 1 && { several: true as const }),
    };
    return { ...at, reason: { ...shortage, ...asking, ...(endangers && { endangers }) } };
  }

  /** The devices of a pool that replicas reserve for rollouts. */
  #countReserved(pool: Pool): number {
    const { ledger } = this.state;
    this.#unreserved ??= ledger.without(listReserves(this.state));
    return ledger.deviceUse(pool).inUse - this.#unreserved.deviceUse(pool).inUse;
  }

  #findEndangered(pool: Pool, charges: readonly Charge[]): EndangeredReplicas | undefined {
    const footprint = this.state.ledger.findEndangered(pool, charges);
    if (!footprint) return undefined;
    this.#replicasByFootprint ??= indexByFootprint(this.state);
    return this.#replicasByFootprint.get(pool)?.get(footprintKeyOf(footprint));
  }
}

/** An engine of a replica. */
interface DemandedEngine {
  readonly engine: EngineDemand;
  readonly of: ReplicaDemand;
}

/** Whether a deployment or an operator leaves out a cluster, so that what else it lacks does not matter. */
function isLeftOut(reason: Reason): boolean {
  return LEAVING_OUT.has(reason.filter) || (reason.filter === 'taint' && reason.taint.effect === 'NoExecute');
}

const LEAVING_OUT: ReadonlySet<Reason['filter']> = new Set(['selector', 'paused', 'pools']);

/** The filters in the order in which a cluster passes them: the later one fails, the closer it comes. */
const FARTHEST_FIRST: readonly Reason['filter'][] = [
  'pools',
  'paused',
  'selector',
  'backend',
  'devices',
  'cache',
  'monitoring',
  'taint',
  'together',
  'capacity',
  'quota',
  'spread',
];

/** Of two pools without enough devices, the one that has some which match comes closer. */
function nearnessOf(rejection: Rejection): number {
  return FARTHEST_FIRST.indexOf(rejection.reason.filter) + (hasMatch(rejection) ? 0.5 : 0);
}

/** Of the reasons against the pools of a cluster, the one that only lacks room, else one whose devices match, else the first. */
function nearestOf(pools: readonly Rejection[]): Rejection | undefined {
  return pools.find(({ reason }) => reason.filter === 'capacity') ?? pools.find(hasMatch) ?? pools[0];
}

/** Whether a pool has devices that a request selects, which are too few or too small. */
function hasMatch({ reason }: Rejection): boolean {
  return reason.filter === 'devices' && reason.misfit !== 'no-match' && reason.misfit !== 'selector-error';
}

/** Adds what else keeps a replica from a cluster. */
function withFurther(
  { cluster, reason }: Rejection,
  further: readonly Reason[],
  nearest: FurtherReason | undefined,
): Rejection {
  const also = [...further.map((one) => ({ reason: one })), ...(nearest ? [nearest] : [])];
  return { cluster, reason, ...(also.length > 0 && { also }) };
}

/** The first deployment, by name, with pods of each footprint on each pool. */
type ReplicasByFootprint = ReadonlyMap<Pool, ReadonlyMap<string, EndangeredReplicas>>;

function indexByFootprint(state: SchedulingState): ReplicasByFootprint {
  const index = new Map<Pool, Map<string, EndangeredReplicas>>();
  for (const deployment of state.model.deployments.toSorted((a, b) => compareText(a.id, b.id))) {
    for (const { assignment } of [...state.staying(deployment), ...state.draining(deployment)]) {
      for (const { pool, footprint, perPod } of assignment.charges) {
        getOrCompute(index, pool, footprintKeyOf(footprint), () => ({ deployment: deployment.id, perPod }));
      }
    }
  }
  return index;
}

function isOfOtherClass({ reason }: Rejection): boolean {
  return reason.filter === 'devices' && reason.misfit === 'other-class';
}

/**
 * The figures of a capacity rejection: the demand of the charges of one engine on one pool, and the room left. If
 * the members of an engine differ, the figures are those of the member with the most devices for each pod.
 */
export function computeShortage(ledger: Ledger, charges: readonly Charge[]): Reason & { filter: 'capacity' } {
  const [largest] = [...charges].sort((a, b) => countDevicesPerPod(b) - countDevicesPerPod(a));
  if (!largest) throw new Error('bug: a shortage without charges');
  const { pool, footprint, engine, perPod } = largest;
  const key = footprintKeyOf(footprint);
  const same = charges.filter((charge) => charge.pool === pool && footprintKeyOf(charge.footprint) === key);
  const resources = findShortResources(ledger, charges, largest);
  const lost = ledger.lost(pool);
  const scaled = same.reduce((pods, charge) => pods + (charge.scaled ?? 0), 0);
  return {
    filter: 'capacity',
    engine,
    pods: same.reduce((pods, charge) => pods + charge.pods, 0),
    surge: same.reduce((pods, charge) => pods + charge.surge, 0),
    ...(scaled > 0 && { scaled }),
    perPod,
    ...(resources.length > 0 && { resources }),
    room: ledger.room(pool, footprint),
    nodes: ledger.nodes(pool),
    ...ledger.deviceUse(pool),
    ...(lost > 0 && { lost }),
    missingNodes: ledger.missingNodes(pool, charges),
    packs: ledger.fitsBinPacked(pool, charges),
    ...(pool.closed && { closed: true as const }),
  };
}

/** CPU or memory, if the charges would fit without it. Otherwise devices are short. */
function findShortResources(ledger: Ledger, charges: readonly Charge[], { pool, footprint }: Charge): ShortResource[] {
  const { resources } = pool.node;
  const enough = (without: readonly NodeResource[]): boolean => {
    const kinds = without.map(({ kind }) => kind);
    return ledger.missingNodes(pool, charges, kinds) === 0;
  };
  const alone = resources.filter((resource) => enough([resource]));
  const short = alone.length === 0 && enough(resources) ? resources : alone;
  return short.map(({ name, kind }) => ({ resource: name, perPod: amountPerPod(footprint, kind) }));
}

function amountPerPod(footprint: Charge['footprint'], kind: number): number {
  return footprint === 'node' ? 0 : (footprint.find(({ kinds }) => kinds.includes(kind))?.count ?? 0);
}

function countDevicesPerPod({ perPod }: Charge): number {
  return Object.values(perPod).reduce((sum, count) => sum + count, 0);
}
