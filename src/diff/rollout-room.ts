import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { findPoolPrices, poolKeyOf } from '../cost/pool-prices';
import { HOURS_PER_MONTH } from '../cost/sum';
import type { Fleet } from '../fleet/fleet';
import type { ModelExpansion, ModelVariant } from '../fleet/models/model-layouts';
import type { PlacedFleet } from '../plan/decision';
import { locationKeyOf, type ReplicaChange } from '../plan/replica-moves';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import type { CompiledDeployment, ReplicaDemand } from '../scheduler/compiled-fleet';
import { groupByDeployment, type Placement, variantsOf } from '../scheduler/placement';
import { findRoomInPlace, type MissingNodes, type RoomInPlace, type WantedPods } from '../scheduler/room-in-place';
import type { ServingDuringChange } from './serving-during-change';

/** Whether there is room for what would keep replicas serving that a change stops in place. */
export interface RolloutRoom {
  /** `surge`: for `rollout.surge: 1`. `both`: for the old engines next to the new ones, which have another shape. */
  readonly for: 'surge' | 'both';

  /** The nodes that pools lack. Empty: there is room. */
  readonly missing: readonly MissingRoom[];
}

/** Nodes that a pool lacks. */
export interface MissingRoom {
  /** `cluster/pool`. */
  readonly pool: string;
  readonly nodes: number;

  /** What these nodes cost. Absent: no price is known. */
  readonly cost?: { readonly perMonth: number; readonly currency: string };
}

/** The replicas of a deployment during a change. */
interface ChangingReplicas {
  readonly changes: readonly ReplicaChange[];
  readonly serving: ServingDuringChange;
}

/** Adds to the changes of a deployment which room they lack. */
export type AddRoom = <T extends ChangingReplicas>(diff: T, deployment: ModelDeployment) => T & HasRoom;

interface HasRoom {
  readonly room?: RolloutRoom;
}

/** Creates a function that adds the room that is lacking: what a surge needs, and what draining replicas keep. */
export function createRoomAdder({ before, after, planned }: Transition): AddRoom {
  const [roomAfter, roomOfPlan] = [lazyRoomOf(after), lazyRoomOf(planned)];
  const compiled = new Map(planned.model.deployments.map((one) => [one.id, one]));
  return (diff, deployment) => {
    const changes = diff.changes.map((change) => {
      const demand = crossesClusters(change) ? compiled.get(qualifiedNameOf(deployment))?.demand : undefined;
      const isHeld = demand && change.from && roomOfPlan().isHeldByDraining(change.from.cluster, demand);
      return isHeld ? { ...change, crowdedOut: true as const } : change;
    });
    const { minAvailable = 0 } = deployment.spec;
    const { withWaves, perCluster, atOnce: _, ...counts } = diff.serving;
    const isShort = counts.before > 0 && Math.min(withWaves, perCluster) < Math.max(1, minAvailable);
    const wanted = isShort ? findWantedPods(deployment, diff.changes, { before, after }) : undefined;
    const missing = wanted && roomAfter().findMissingNodes(wanted.pods);
    const room = missing && { for: wanted.for, missing: priceMissing(missing, after.fleet) };
    return { ...diff, changes, ...(room && { room }) };
  };
}

/** Most changes need no room. */
function lazyRoomOf({ model, matcher, schedule }: PlacedFleet): () => RoomInPlace {
  let room: RoomInPlace | undefined;
  return () => (room ??= findRoomInPlace(model, matcher, schedule.placements));
}

type Transition = Readonly<Record<'before' | 'after' | 'planned', PlacedFleet>>;

/** Whether a replica goes to another cluster although its own could run its new engines. */
function crossesClusters({ action, from, cluster, reason }: ReplicaChange): boolean {
  return action === 'move' && from !== undefined && from.cluster !== cluster && reason?.kind === 'shape';
}

interface WantedRoom extends Pick<RolloutRoom, 'for'> {
  readonly pods: readonly WantedPods[];
}

/** What would keep the replicas serving that stop in place. Undefined: none does, or they need nodes of their own. */
function findWantedPods(
  deployment: ModelDeployment,
  changes: readonly ReplicaChange[],
  { before, after }: Omit<Transition, 'planned'>,
): WantedRoom | undefined {
  const id = qualifiedNameOf(deployment);
  const stopped = changes.filter(({ action, down, nodes }) => action === 'roll' && down && nodes === undefined);
  const { strategy, surge } = deployment.spec.rollout;
  if (stopped.length === 0 || strategy === 'Recreate') return undefined;
  const [old, all] = [before, after].map(({ schedule }) => groupByDeployment(schedule.placements).get(id) ?? []);
  const now = (all ?? []).filter(({ draining }) => !draining);
  const reshaped = stopped.filter(({ reason }) => reason?.kind === 'shape');
  if (reshaped.length > 0) {
    const former = before.model.deployments.find((one) => one.id === id);
    const pods = listFormerPods(reshaped, { old: old ?? [], now }, former);
    return pods && { for: 'both', pods };
  }
  const pods = surge === 0 ? listSurgingPods(now, withSurge(deployment), after.fleet) : undefined;
  return pods && { for: 'surge', pods };
}

function priceMissing(missing: readonly MissingNodes[], fleet: Fleet): MissingRoom[] {
  const prices = missing.length > 0 ? findPoolPrices(fleet) : undefined;
  return missing.map(({ cluster, pool: name, nodes }) => {
    const pool = poolKeyOf(cluster, name);
    const price = prices?.get(pool);
    const perMonth = nodes * (price?.perHour ?? 0) * HOURS_PER_MONTH;
    return { pool, nodes, ...(price && { cost: { perMonth, currency: price.currency } }) };
  });
}

/** The engines that replicas ran before, next to those that they run now. Undefined: their former engines are not known. */
function listFormerPods(
  changes: readonly ReplicaChange[],
  { old, now }: { readonly old: readonly Placement[]; readonly now: readonly Placement[] },
  former: CompiledDeployment | undefined,
): WantedPods[] | undefined {
  const [before, after] = [old, now].map((all) => new Map(all.map((one) => [locationKeyOf(one), one])));
  const wanted = changes.flatMap((change): WantedPods[] => {
    const [was, placement] = [before?.get(locationKeyOf(change)), after?.get(locationKeyOf(change))];
    const variant = was && former && variantsOf(former).find(({ shape }) => shape === was.shape);
    return variant && placement ? [{ placement, demand: variant.demand, instead: false }] : [];
  });
  return wanted.length === changes.length ? wanted : undefined;
}

/** All replicas of a deployment with a surge, which a plan reserves for each of them. */
function listSurgingPods(now: readonly Placement[], surging: ModelDeployment, fleet: Fleet): WantedPods[] | undefined {
  const id = qualifiedNameOf(surging);
  const expansion = fleet.expansions?.get(id);
  const expansions = new Map(expansion ? [[id, withSurgingVariants(expansion)]] : []);
  const { former: _, ...others } = fleet;
  const [compiled] = compileDeployments({ ...others, deployments: [surging], expansions }, () => '').deployments;
  if (!compiled) return undefined;
  const variants = variantsOf(compiled);
  const demandOf = ({ shape }: Placement): ReplicaDemand | undefined =>
    (variants.find((one) => one.shape === shape) ?? variants[0])?.demand;
  return now.flatMap((placement) => {
    const demand = demandOf(placement);
    return demand ? [{ placement, demand, instead: true }] : [];
  });
}

function withSurgingVariants({ variants: [first, ...others], ...expansion }: ModelExpansion): ModelExpansion {
  return { ...expansion, variants: [withSurgingReplicas(first), ...others.map(withSurgingReplicas)] };
}

function withSurgingReplicas(variant: ModelVariant): ModelVariant {
  return { ...variant, deployment: withSurge(variant.deployment) };
}

function withSurge(deployment: ModelDeployment): ModelDeployment {
  const { spec } = deployment;
  return { ...deployment, spec: { ...spec, rollout: { ...spec.rollout, surge: 1 } } };
}
