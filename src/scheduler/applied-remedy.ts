import {
  addPool,
  completeCluster,
  onlyAlternativeOf,
  packPool,
  relaxSelector,
  replaceAlternative,
  tolerateTaints,
} from './changed-demands';
import type { CompiledCluster, CompiledDeployment, CompiledFleet, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { type Placement, placementKeyOf } from './placement';
import { scheduleState } from './schedule';
import type { MoveRemedy, Remedy } from './remedy';

type OwnRemedy = Exclude<Remedy, MoveRemedy>;

/** A fleet, and the deployment of it that a remedy is for. */
interface ChangingFleet {
  readonly model: CompiledFleet;
  readonly placements: readonly Placement[];
  readonly deployment: CompiledDeployment;
}

type Apply<K extends OwnRemedy['kind']> = (
  fleet: ChangingFleet,
  remedy: Extract<OwnRemedy, { kind: K }>,
) => ChangingFleet;

/** What a remedy changes. */
const CHANGES: { readonly [K in OwnRemedy['kind']]: Apply<K> } = {
  nodes: (fleet, { cluster, pool, nodes, newPool }) =>
    changeCluster(fleet, cluster, (one) => {
      const like = one.pools.find(({ name }) => name === pool);
      if (newPool && like) return addPool(one, like, nodes);
      return { ...one, pools: one.pools.map((own) => (own === like ? { ...own, nodes: own.nodes + nodes } : own)) };
    }),
  packing: (fleet, { cluster, pool }) => changeCluster(fleet, cluster, (one) => packPool(one, pool)),
  declare: (fleet, remedy) => changeCluster(fleet, remedy.cluster, (one) => completeCluster(one, remedy)),
  toleration: (fleet, { taints }) => changeDemand(fleet, (demand) => tolerateTaints(demand, taints)),
  limit: (fleet, { field, to }) => {
    const { placement } = fleet.deployment;
    return { ...fleet, deployment: { ...fleet.deployment, placement: { ...placement, [field]: to } } };
  },
  finalize: (fleet, { cluster }) => ({
    ...fleet,
    placements: fleet.placements.filter((line) => !line.draining || line.cluster !== cluster),
  }),
  bound: (fleet, remedy) => changeDemand(fleet, (demand) => relaxBound(fleet.model, demand, remedy)),
  count: (fleet, { engine: name, request, to: count }) =>
    changeDemand(fleet, (demand) => {
      const engine = demand.engines.find((one) => one.name === name);
      const form = engine && onlyAlternativeOf(engine, request);
      return form ? replaceAlternative(demand, engine, form, { ...form, count }) : demand;
    }),
};

/** What a deployment asks for, and its further replicas. */
interface PlacedWithRemedy {
  readonly demand: ReplicaDemand;
  readonly added: readonly Placement[];
}

/** Places the missing replicas of a deployment once a remedy is applied. All other deployments stay as they are. */
export function placeWithRemedy(
  { deployment, ...fleet }: ChangingFleet,
  remedy: OwnRemedy,
  matcher: PodMatcher,
): PlacedWithRemedy {
  const change = CHANGES[remedy.kind] as Apply<typeof remedy.kind>;
  const changed = change({ ...fleet, deployment }, remedy);
  const { id } = deployment;
  const deployments = changed.model.deployments.map((one) =>
    one.id === id ? changed.deployment : { ...one, paused: true },
  );
  const state = scheduleState({ ...changed.model, deployments }, changed.placements, matcher);
  // A replica in the place of one that drains has its index.
  const before = new Set(fleet.placements.filter(({ draining }) => !draining).map(placementKeyOf));
  const own = state.staying(changed.deployment).map(({ placement }) => placement);
  return { demand: changed.deployment.demand, added: own.filter((one) => !before.has(placementKeyOf(one))) };
}

function changeCluster(
  fleet: ChangingFleet,
  name: string,
  change: (cluster: CompiledCluster) => CompiledCluster,
): ChangingFleet {
  const clusters = fleet.model.clusters.map((one) => (one.name === name ? change(one) : one));
  return { ...fleet, model: { ...fleet.model, clusters } };
}

function changeDemand(fleet: ChangingFleet, change: (demand: ReplicaDemand) => ReplicaDemand): ChangingFleet {
  const { deployment } = fleet;
  return { ...fleet, deployment: { ...deployment, demand: change(deployment.demand) } };
}

function relaxBound(
  { clusters }: CompiledFleet,
  demand: ReplicaDemand,
  remedy: Extract<Remedy, { kind: 'bound' }>,
): ReplicaDemand {
  const engine = demand.engines.find(({ name }) => name === remedy.engine);
  const form = engine && onlyAlternativeOf(engine, remedy.request);
  const pools = clusters.find(({ name }) => name === remedy.cluster)?.pools ?? [];
  const node = pools.find(({ name }) => name === remedy.pool)?.node;
  if (!form || !node) return demand;
  for (const { name } of node.kinds) {
    const relaxed = relaxSelector(form, remedy.selector, name, node);
    if (relaxed?.to !== remedy.to) continue;
    const selectors = form.selectors.map((other, s) => (s === remedy.selector ? relaxed.compiled : other));
    return replaceAlternative(demand, engine, form, { ...form, selectors });
  }
  return demand;
}
