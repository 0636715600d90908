import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { poolKeyOf } from '../cost/pool-prices';
import type { PlacedFleet } from '../plan/decision';
import { locationKeyOf, type ReplicaChange } from '../plan/replica-moves';
import type { CompiledDeployment } from '../scheduler/compiled-fleet';
import { groupByDeployment, type Placement, variantsOf } from '../scheduler/placement';
import type { WantedPods } from '../scheduler/room-in-place';
import type { ApplyMode } from './serving-during-change';
import { listSurgingPods } from './surging-replicas';

/** The states of a change: `planned` is the later one, decided from the lock of the earlier one. */
export type ChangeStates = Readonly<Record<'before' | 'after' | 'planned', PlacedFleet>>;

/** The states of a change, and how it is applied. */
export interface AppliedStates extends ChangeStates {
  /** Default: wave by wave. */
  readonly applied?: ApplyMode;
}

/** The pods that would keep replicas serving. */
export interface WantedRoom {
  /** `surge`: of a surge. `both`: of the old engines next to the new ones, which have another shape. */
  readonly for: 'surge' | 'both';
  readonly pods: readonly WantedPods[];

  /** The deployment with a surge, if the pods are for one. */
  readonly surging?: CompiledDeployment;
}

/** The states of a change, and its deployments as if each had a surge, by `namespace/name`. */
interface WantingStates extends Omit<ChangeStates, 'planned'> {
  readonly surging: () => ReadonlyMap<string, CompiledDeployment>;
}

/** What would keep the replicas serving that stop in place. Undefined: none does, or they need nodes of their own. */
export function findWantedPods(
  deployment: ModelDeployment,
  changes: readonly ReplicaChange[],
  { before, after, surging: surgingOf }: WantingStates,
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
  const surging = surge === 0 ? surgingOf().get(id) : undefined;
  return surging && { for: 'surge', pods: listSurgingPods(now, surging), surging };
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

/** Lists the replicas that lose their places on the pools of others, at these places. */
export type ListLostReplicas = (others: readonly WantedPods[]) => readonly WantedPods[];

/**
 * Creates a function that lists replicas that lose their places. Where that is not accepted, they get nodes too, so that the
 * room that is left today is not free for a surge.
 */
export function createLostLister({ planned }: Pick<ChangeStates, 'planned'>): ListLostReplicas {
  const { schedule, model, fleet } = planned;
  const accepting = new Set(fleet.deployments.filter(({ spec }) => spec.allowPartial).map(qualifiedNameOf));
  const short = new Set(schedule.shortfalls.map(({ deployment }) => deployment));
  const compiled = new Map(model.deployments.map((one) => [one.id, one]));
  const lost = schedule.evictions.flatMap(({ placement, reason }): WantedPods[] => {
    const { deployment: id } = placement;
    if (reason.kind !== 'rejected' || placement.draining || !short.has(id) || accepting.has(id)) return [];
    const deployment = compiled.get(id);
    const variant = deployment && variantsOf(deployment).find(({ shape }) => shape === placement.shape);
    return variant ? [{ placement, demand: variant.demand, instead: false }] : [];
  });
  return (others) => {
    if (lost.length === 0) return lost;
    const pools = new Set(others.flatMap(listPools));
    return lost.filter((one) => listPools(one).some((pool) => pools.has(pool)));
  };
}

/** The pools that pods are on: `cluster/pool`. */
export function listPools({ placement: { cluster, pools } }: WantedPods): string[] {
  return Object.values(pools).map((pool) => poolKeyOf(cluster, pool));
}
