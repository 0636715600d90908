import {
  addNodes,
  addPool,
  changeCompiledCluster,
  completeCluster,
  limitCopies,
  onlyAlternativeOf,
  packPool,
  relaxSelector,
  replaceAlternative,
  tolerateTaints,
  withoutSurge,
} from './changed-demands';
import type { CompiledCluster, CompiledDeployment, CompiledFleet, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { createLayoutLookup } from './layout-on-pools';
import { type Placement, placementKeyOf } from './placement';
import { scheduleState } from './schedule';
import type { MoveRemedy, NodesAndMovesRemedy, OwnRemedy, Remedy, RemedyMove } from './remedy';

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
    onCluster(fleet, cluster, (one) => {
      const like = one.pools.find(({ name }) => name === pool);
      return newPool && like ? addPool(one, like, nodes) : addNodes(one, pool, nodes);
    }),
  packing: (fleet, { cluster, pool }) => onCluster(fleet, cluster, (one) => packPool(one, pool)),
  declare: (fleet, remedy) => onCluster(fleet, remedy.cluster, (one) => completeCluster(one, remedy)),
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
  copies: (fleet, { engine: name, to }) =>
    changeDemand(fleet, (demand) => {
      const engine = demand.engines.find((one) => one.name === name);
      return engine ? limitCopies(demand, engine, to) : demand;
    }),
  surge: (fleet) => changeDemand(fleet, withoutSurge),
  count: (fleet, { engine: name, request, to: count }) =>
    changeDemand(fleet, (demand) => {
      const engine = demand.engines.find((one) => one.name === name);
      const form = engine && onlyAlternativeOf(engine, request);
      return form ? replaceAlternative(demand, engine, form, { ...form, count }) : demand;
    }),
};

/** What a remedy changes, and what of the deployment is placed then. */
export interface PlacedWithRemedy {
  /** The fleet with the change. */
  readonly model: CompiledFleet;

  /** What the deployment asks for. */
  readonly demand: ReplicaDemand;

  /** Its further replicas. */
  readonly added: readonly Placement[];

  /** All lines, of which those of other deployments are as before. */
  readonly placements: readonly Placement[];
}

/** Places the missing replicas of a deployment once a remedy is applied. All other deployments stay as they are. */
export function placeWithRemedy(
  { deployment, ...fleet }: ChangingFleet,
  remedy: OwnRemedy,
  matcher: PodMatcher,
): PlacedWithRemedy {
  const change = CHANGES[remedy.kind] as Apply<typeof remedy.kind>;
  return placeMissing(change({ ...fleet, deployment }, remedy), fleet.placements, matcher);
}

/**
 * Places the missing replicas of a deployment once replicas have moved, and nodes that come with it are there. All other
 * deployments stay as they are.
 */
export function placeAfterMoves(
  { model: before, ...others }: ChangingFleet,
  remedy: MoveRemedy | NodesAndMovesRemedy,
  matcher: PodMatcher,
): PlacedAfterMoves {
  const { moves } = remedy;
  const fleet = { ...others, model: remedy.kind === 'move' ? before : enlarge(before, remedy) };
  const layoutOf = createLayoutLookup(fleet.model, matcher);
  const unmoved: MovedLines = { lines: fleet.placements, old: [] };
  const moved = moves.reduce((all, move) => moveLine(all, move, layoutOf), unmoved);
  const placed = placeMissing({ ...fleet, placements: moved.lines }, moved.lines, matcher);
  return { ...placed, moving: [...moved.lines, ...moved.old] };
}

/** What is placed after moves, and what runs before it: replicas that move serve at both places. */
interface PlacedAfterMoves extends PlacedWithRemedy {
  readonly moving: readonly Placement[];
}

/** A fleet with more nodes of a pool. */
export function enlarge(
  model: CompiledFleet,
  { cluster, pool, nodes }: Pick<NodesAndMovesRemedy, 'cluster' | 'pool' | 'nodes'>,
): CompiledFleet {
  return changeCompiledCluster(model, cluster, (one) => addNodes(one, pool, nodes));
}

interface MovedLines {
  readonly lines: readonly Placement[];

  /** Those that serve until they are finalized. */
  readonly old: readonly Placement[];
}

function moveLine(
  { lines, old }: MovedLines,
  { deployment, from, fromPools, ...move }: RemedyMove,
  layoutOf: (moved: Placement) => Placement,
): MovedLines {
  const own = lines.filter((one) => one.deployment === deployment);
  const line = own.find(({ cluster, pools, draining }) => {
    return !draining && cluster === from && Object.values(pools).every((pool) => fromPools.includes(pool));
  });
  if (!line) return { lines, old };
  const taken = new Set(own.filter(({ cluster }) => cluster === move.to).map(({ index }) => index));
  const index = Array.from({ length: taken.size + 1 }, (_, i) => i).find((i) => !taken.has(i)) ?? 0;
  const pools = Object.keys(line.pools).map((engine, i) => [engine, move.toPools[i] ?? move.toPools[0] ?? '']);
  const moved = layoutOf({ ...line, cluster: move.to, index, pools: Object.fromEntries(pools) as Placement['pools'] });
  return {
    lines: lines.map((one) => (one === line ? moved : one)),
    old: move.surgeFirst ? [...old, { ...line, draining: true }] : old,
  };
}

/** Places the missing replicas of a deployment. All other deployments stay as they are. */
export function placeMissing(
  { model, placements, deployment }: ChangingFleet,
  before: readonly Placement[],
  matcher: PodMatcher,
): PlacedWithRemedy {
  const { id, demand } = deployment;
  const deployments = model.deployments.map((one) => (one.id === id ? deployment : one));
  const paused = deployments.map((one) => (one.id === id ? one : { ...one, paused: true }));
  const state = scheduleState({ ...model, deployments: paused }, placements, matcher);
  // A replica in the place of one that drains has its index.
  const known = new Set(before.filter(({ draining }) => !draining).map(placementKeyOf));
  const own = state.staying(deployment).map(({ placement }) => placement);
  const added = own.filter((one) => !known.has(placementKeyOf(one)));
  return { model: { ...model, deployments }, demand, added, placements: state.placements() };
}

function onCluster(
  fleet: ChangingFleet,
  name: string,
  change: (cluster: CompiledCluster) => CompiledCluster,
): ChangingFleet {
  return { ...fleet, model: changeCompiledCluster(fleet.model, name, change) };
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
