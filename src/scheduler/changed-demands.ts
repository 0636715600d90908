import type { Taint, Toleration } from '../api/schema/taints-and-tolerations';
import { getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import { sortedBy } from '../base/order';
import { cel } from '../cel/lazy';
import type { NodeShape, RequestAlternative } from './compile/shapes';
import type { CompiledCluster, CompiledFleet, EngineDemand, Pool, ReplicaDemand } from './compiled-fleet';
import type { DeclaringRemedy } from './remedy';

/** A demand that tolerates further taints. */
export function tolerateTaints(demand: ReplicaDemand, taints: readonly Taint[]): ReplicaDemand {
  const added = taints.map(({ key, value }): Toleration => ({ key, operator: 'Equal', value }));
  return { ...demand, tolerations: [...demand.tolerations, ...added] };
}

/** The single form of a request. A request with alternatives has no single bound to change. */
export function onlyAlternativeOf({ members }: EngineDemand, request: string): RequestAlternative | undefined {
  const found = members.flatMap(({ pod }) => pod.requests).find(({ name }) => name === request);
  const [only, ...others] = found?.alternatives ?? [];
  return others.length === 0 ? only : undefined;
}

/** A selector with the bound that a device of a node meets. Nothing where no bound helps. */
export function relaxSelector(
  { selectors }: RequestAlternative,
  failing: number,
  device: string,
  { kinds }: NodeShape,
) {
  const kind = kinds.find(({ name }) => name === device);
  const selector = selectors[failing];
  if (!kind || !selector) return undefined;
  return getOrComputeWeak(RELAXED, selector, kind, () => cel().relaxSelector(selector, kind.prepared) ?? null);
}

/** Selectors with another bound, by kind of device. Null where no bound helps. Fleets have many pools of one kind. */
const RELAXED: WeakPairMap<
  RequestAlternative['selectors'][number],
  NodeShape['kinds'][number],
  ReturnType<ReturnType<typeof cel>['relaxSelector']> | null
> = new WeakMap();

/** A demand in which a request has another form. */
export function replaceAlternative(
  demand: ReplicaDemand,
  engine: EngineDemand,
  form: RequestAlternative,
  changed: RequestAlternative,
): ReplicaDemand {
  const members = engine.members.map((member) => ({
    ...member,
    pod: {
      ...member.pod,
      requests: member.pod.requests.map((request) =>
        request.alternatives.includes(form) ? { ...request, alternatives: [changed] } : request,
      ),
    },
  }));
  return { ...demand, engines: demand.engines.map((other) => (other === engine ? { ...engine, members } : other)) };
}

/** The most copies of an engine. */
export function mostCopiesOf({ members }: EngineDemand): number {
  const [member] = members;
  return member ? (member.pods - member.surge) / member.podsOfCopy : 0;
}

/** A demand in which an engine has fewer copies at most. An autoscaler keeps as few as before. */
export function limitCopies(demand: ReplicaDemand, engine: EngineDemand, most: number): ReplicaDemand {
  const members = engine.members.map(({ scaled = 0, ...member }) => {
    const pods = most * member.podsOfCopy + member.surge;
    const left = scaled - (member.pods - pods);
    return { ...member, pods, ...(left > 0 && { scaled: left }) };
  });
  return { ...demand, engines: demand.engines.map((one) => (one === engine ? { ...engine, members } : one)) };
}

/** A demand that reserves nothing for rollouts. */
export function withoutSurge(demand: ReplicaDemand): ReplicaDemand {
  const engines = demand.engines.map((engine) => ({
    ...engine,
    members: engine.members.map((member) => ({ ...member, pods: member.pods - member.surge, surge: 0 })),
  }));
  return { ...demand, engines };
}

/** The domain of a cluster whose label is to be declared. No other cluster is in it. */
const OWN_DOMAIN = '\0own';

/** What a remedy declares on a cluster. */
export type Declarations = Pick<DeclaringRemedy, 'storage' | 'label' | 'monitoring' | 'kedaHttpAddOn'>;

/** A cluster that declares what it lacks: storage, a label of its own, and what engines need to scale. */
export function completeCluster(
  cluster: CompiledCluster,
  { storage, label, monitoring, kedaHttpAddOn }: Declarations,
): CompiledCluster {
  return {
    ...cluster,
    offers: new Set([...cluster.offers, ...storage]),
    labels: { ...cluster.labels, ...(label !== undefined && { [label]: OWN_DOMAIN }) },
    load: {
      ...cluster.load,
      ...(monitoring && { metrics: true, series: true }),
      ...(kedaHttpAddOn && { kedaHttpAddOn }),
    },
  };
}

/** A cluster that packs the pods of a pool. */
export function packPool(cluster: CompiledCluster, name: string): CompiledCluster {
  const pools = cluster.pools.map((pool) => (pool.name === name ? { ...pool, packing: 'BinPack' as const } : pool));
  return { ...cluster, pools };
}

/** A fleet in which a cluster changes. */
export function changeCompiledCluster(
  model: CompiledFleet,
  name: string,
  change: (cluster: CompiledCluster) => CompiledCluster,
): CompiledFleet {
  return { ...model, clusters: model.clusters.map((one) => (one.name === name ? change(one) : one)) };
}

/** A cluster of which a pool has more nodes, or fewer if the number is below 0. */
export function addNodes(cluster: CompiledCluster, name: string, nodes: number): CompiledCluster {
  const pools = cluster.pools.map((pool) =>
    pool.name === name ? { ...pool, nodes: Math.max(0, pool.nodes + nodes) } : pool,
  );
  return { ...cluster, pools };
}

/** A cluster with a further pool of the class of another. */
export function addPool(cluster: CompiledCluster, like: Pool, nodes: number, name = `${like.name}-2`): CompiledCluster {
  const pools = [...cluster.pools, { ...like, name, nodes, lost: 0 }];
  return { ...cluster, pools: sortedBy(pools, (pool) => pool.name) };
}
