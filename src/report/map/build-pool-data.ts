import { formatUnitPrice } from '../../base/money';
import { groupBy } from '../../base/order';
import type { PoolCost } from '../../cost/cost';
import type {
  CompiledCluster,
  CompiledDeployment,
  EngineDemand,
  MemberDemand,
  Pool,
} from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { isWholeDevice } from '../../scheduler/compile/shapes';
import { countRoom } from '../../scheduler/packing/packings';
import { footprintKeyOf } from '../../scheduler/packing/pod-footprint';
import type { PodLoad } from '../../scheduler/packing/worst-case';
import { demandOf, type Placement, poolOf } from '../../scheduler/placement';
import { type ArrangedPod, arrangePods, type OwnedPods, type ReplicaPods } from './arrange-pods';
import { type GroupData, NODE_KINDS, type NodeKind, type PodData, type PoolData, type PoolFactsData } from './map-data';
import type { ReferenceTables } from './reference-tables';

interface DeclaredPool {
  readonly cost: PoolCost;
  readonly currency: string;

  /** The resources of each node that other workloads use, as text. */
  readonly reserved: readonly string[];
}

export function buildPoolData(
  pool: Pool,
  owned: readonly OwnedPods[],
  declared: DeclaredPool,
  tables: ReferenceTables,
): PoolData {
  const facts = factsOf(pool, declared, tables);
  const { nodes, undrawn } = arrangePods(pool, owned);
  return {
    facts: tables.pools.of(facts),
    taken: Number(
      nodes
        .flat()
        .reduce((sum, { takes }) => sum + devicesIn(pool, takes), 0)
        .toFixed(2),
    ),
    groups: groupNodes(nodes, createNodeKindLookup(pool, facts.always, countUnusedNodes(pool, owned)), tables),
    ...(undrawn > 0 && { undrawn }),
  };
}

function factsOf(pool: Pool, declared: DeclaredPool, tables: ReferenceTables): PoolFactsData {
  const { cost, currency, reserved } = declared;
  return {
    name: tables.text(pool.name),
    className: tables.text(cost.className),
    shape: tables.shape(pool.node),
    packing: tables.text(pool.packing),
    nodes: pool.nodes,
    always: cost.autoscaled ? cost.nodes.least : pool.nodes,
    devices: pool.nodes * devicesIn(pool, pool.node.counts),
    price: tables.text(formatPrice(cost, currency)),
    ...(cost.price && { sources: cost.most.sources ?? [] }),
    ...(reserved.length > 0 && { reserved: tables.text(reserved.join(', ')) }),
  };
}

/** `$88.49`, or where else a price is known: `unknown (us-central1: $88.49)`. */
function formatPrice({ price, elsewhere }: PoolCost, currency: string): string {
  if (price) return formatUnitPrice(price.perHour, currency);
  const [nearest] = elsewhere?.prices ?? [];
  return nearest ? `unknown (${nearest.region}: ${formatUnitPrice(nearest.perHour, currency)})` : 'unknown';
}

function loadsOf(owned: readonly OwnedPods[]): PodLoad[] {
  return [...groupBy(owned, ({ footprint }) => footprintKeyOf(footprint)).values()].flatMap((group) => {
    const pods = group.reduce((sum, { pods }) => sum + pods, 0);
    return group.slice(0, 1).map(({ footprint }) => ({ footprint, pods }));
  });
}

/** Counts the nodes that have room for a pod of their own, however the cluster arranges the placed pods. */
function countUnusedNodes({ packing, node, nodes, lost }: Pool, owned: readonly OwnedPods[]): number {
  return countRoom({ packing, amounts: node.counts, nodes: nodes - lost }, loadsOf(owned), 'node');
}

function devicesIn({ node }: Pool, amounts: readonly number[]): number {
  return amounts.reduce((sum, amount, kind) => sum + (isWholeDevice(node, kind) ? amount : 0), 0);
}

/**
 * Creates a lookup of the kind of each node. Nodes are filled in this order: nodes that always run, autoscaled nodes,
 * and nodes that a snapshot shows as lost. An empty node that always runs is shared if the cluster may put placed pods on it.
 */
function createNodeKindLookup({ nodes, lost }: Pool, always: number, unused: number) {
  return (node: number, isEmpty: boolean): NodeKind => {
    if (node >= nodes - lost) return 'lost';
    if (node >= always) return 'autoscaled';
    return isEmpty && node < nodes - lost - unused ? 'shared' : 'always';
  };
}

function groupNodes(
  nodes: readonly (readonly ArrangedPod[])[],
  kindOf: ReturnType<typeof createNodeKindLookup>,
  tables: ReferenceTables,
): GroupData[] {
  const keyed = nodes.map((arranged, node) => {
    const sorted = arranged.toSorted((a, b) => a.owner.deployment - b.owner.deployment);
    const pods = sorted.map(({ owner, takes }) => tables.pods.of(toPodData(owner, takes, tables)));
    const kind = NODE_KINDS.indexOf(kindOf(node, arranged.length === 0));
    const owners = sorted.map(({ owner }) => `${owner.deployment} ${owner.mark}`);
    return { key: `${kind} ${pods.join()} ${owners.join()}`, kind, pods, arranged: sorted };
  });
  return [...groupBy(keyed, ({ key }) => key).values()].flatMap((group) => {
    const replicas = group.flatMap(({ arranged }) => arranged.map(({ owner }) => owner.replica));
    return group.slice(0, 1).map(({ kind, pods }): GroupData => [group.length, kind, pods, replicas]);
  });
}

function toPodData({ engine, role, surge, phase }: OwnedPods, takes: PodData[2], { text }: ReferenceTables): PodData {
  const pod = [text(engine), text(role), takes, surge ? 1 : 0] as const;
  return phase > 0 ? [...pod, phase] : pod;
}

/** A deployment whose pods are arranged. */
export interface ArrangedDeployment {
  /** Absent if the deployment no longer exists. */
  readonly compiled: CompiledDeployment | undefined;

  /** Returns the index in `PHASES` of an engine. */
  readonly phaseOf: (engine: string) => number;
}

/** Returns the pods of a placed replica, or none if its deployment or pool no longer exists. */
export function replicaPodsOf(
  placement: Placement,
  cluster: CompiledCluster,
  { compiled, phaseOf }: ArrangedDeployment,
  matcher: PodMatcher,
): ReplicaPods[] {
  const demand = compiled && demandOf(compiled, placement);
  return (demand?.engines ?? []).flatMap((engine) => {
    const pool = poolOf(cluster, placement, engine.name);
    const phase = phaseOf(engine.name);
    const pods = pool ? engine.members.flatMap((member) => podsOfMember(engine, member, pool, matcher)) : [];
    return pods.map((one) => ({ ...one, phase }));
  });
}

function podsOfMember(
  { name: engine }: EngineDemand,
  member: MemberDemand,
  pool: Pool,
  matcher: PodMatcher,
): Omit<ReplicaPods, 'phase'>[] {
  const { role, pods, surge, pod } = member;
  const fit = matcher.fit(pod, pool.node);
  // A member that takes nothing from the node does not count towards the guaranteed pods.
  if ('misfit' in fit || fit.footprint.length === 0) return [];
  const { footprint, share } = fit;
  const memberPods = { pool: pool.name, engine, role, footprint, share };
  return [
    { ...memberPods, pods: pods - surge, surge: false },
    ...(surge > 0 ? [{ ...memberPods, pods: surge, surge: true }] : []),
  ];
}
