import { clusterLabelsOf } from '../../api/cluster-labels';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import { qualifiedNameOf } from '../../api/resource';
import { findPoolPrices, poolKeyOf, type PoolPrices } from '../../cost/pool-prices';
import type { Fleet } from '../../fleet/fleet';
import type { CompiledCluster, CompiledFleet, Pool } from '../../scheduler/compiled-fleet';
import type { Scenario, Step, StepOf } from './scenario';

/** The taint of a cluster that is drained: replicas that tolerate everything stay, as they would. */
export const DRAIN_TAINT = { key: 'fleetwright.dev/drain', value: '', effect: 'NoExecute' } as const;

/** What each kind of step does to a fleet. */
const STEP_EFFECTS: {
  readonly [K in Step['kind']]: (world: SimulatedFleet, step: StepOf<K>) => SimulatedFleet;
} = {
  price: (world, { cluster, pool, perHour }) => {
    const { currency } = world.fleet.hardware.prices;
    const price = { perHour, currency, origin: 'Scenario' as const, source: 'the scenario', discounts: [] };
    const changed = editCluster(world, cluster, {
      declared: (spec) => spec,
      compiled: (site) => editPool(site, pool, (one) => ({ ...one, price: perHour })),
    });
    return { ...changed, prices: new Map([...world.prices, [poolKeyOf(cluster, pool), price]]) };
  },
  'add-nodes': (world, { cluster, pool, nodes }) =>
    editCluster(world, cluster, {
      declared: (spec) => ({
        ...spec,
        nodePools: spec.nodePools.map((one) => (one.name === pool ? enlargePool(one, nodes) : one)),
      }),
      compiled: (site) => editPool(site, pool, (one) => ({ ...one, nodes: one.nodes + nodes })),
    }),
  scale: (world, { deployment, replicas }) => ({
    ...world,
    fleet: {
      ...world.fleet,
      deployments: world.fleet.deployments.map((one) =>
        qualifiedNameOf(one) === deployment ? { ...one, spec: { ...one.spec, replicas } } : one,
      ),
    },
    model: {
      ...world.model,
      deployments: world.model.deployments.map((one) => (one.id === deployment ? { ...one, replicas } : one)),
    },
  }),
  'remove-pool': (world, { cluster, pool }) =>
    editCluster(world, cluster, {
      declared: (spec) => ({ ...spec, nodePools: spec.nodePools.filter(({ name }) => name !== pool) }),
      compiled: (site) => ({ ...site, pools: site.pools.filter(({ name }) => name !== pool) }),
    }),
  drain: (world, { cluster }) =>
    editCluster(world, cluster, {
      declared: (spec) => ({ ...spec, taints: [...spec.taints, DRAIN_TAINT] }),
      compiled: (site) => ({ ...site, taints: [...site.taints, DRAIN_TAINT] }),
    }),
  lose: (world, { cluster }) => removeClusters(world, new Set([cluster])),
  'lose-domain': (world, { label, value }) => {
    const gone = world.fleet.clusters.filter((cluster) => clusterLabelsOf(cluster)[label] === value);
    return removeClusters(world, new Set(gone.map(({ metadata }) => metadata.name)));
  },
};

/** A fleet after all steps of a scenario. Their order does not matter: what one takes away, another cannot add to. */
export function applyScenario(world: SimulatedFleet, { steps }: Scenario): SimulatedFleet {
  return steps.reduce(applyStep, world);
}

function applyStep<K extends Step['kind']>(world: SimulatedFleet, step: StepOf<K>): SimulatedFleet {
  const apply = STEP_EFFECTS[step.kind as K] as (world: SimulatedFleet, step: StepOf<K>) => SimulatedFleet;
  return apply(world, step);
}

/** More nodes are bought where the size is fixed; where an autoscaler decides, it may make more. */
function enlargePool(pool: NodePool, nodes: number): NodePool {
  if (pool.maxNodeCount === undefined) return { ...pool, nodeCount: pool.nodeCount + nodes };
  return { ...pool, maxNodeCount: pool.maxNodeCount + nodes };
}

/**
 * A fleet as declared and as the scheduler sees it, changed together: selectors are compiled and matched once for all
 * that may happen to it.
 */
export interface SimulatedFleet {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly prices: PoolPrices;
}

/** A fleet as it is. */
export function toSimulatedFleet({ fleet, model }: Pick<SimulatedFleet, 'fleet' | 'model'>): SimulatedFleet {
  return { fleet, model, prices: findPoolPrices(fleet) };
}

/** Without some clusters. */
export function removeClusters(
  { fleet, model, prices }: SimulatedFleet,
  gone: ReadonlySet<string>,
): SimulatedFleet {
  return {
    fleet: { ...fleet, clusters: fleet.clusters.filter(({ metadata }) => !gone.has(metadata.name)) },
    model: { ...model, clusters: model.clusters.filter(({ name }) => !gone.has(name)) },
    prices,
  };
}

/** How one cluster changes, on both sides. */
export interface ClusterEdit {
  readonly declared: (spec: InferenceCluster['spec']) => InferenceCluster['spec'];
  readonly compiled: (site: CompiledCluster) => CompiledCluster;
}

/** With one cluster changed. */
export function editCluster(
  world: SimulatedFleet,
  name: string,
  { declared, compiled }: ClusterEdit,
): SimulatedFleet {
  const { fleet, model } = world;
  return {
    ...world,
    fleet: {
      ...fleet,
      clusters: fleet.clusters.map((one) =>
        one.metadata.name === name ? { ...one, spec: declared(one.spec) } : one,
      ),
    },
    model: { ...model, clusters: model.clusters.map((site) => (site.name === name ? compiled(site) : site)) },
  };
}

/** A site with one of its pools changed. */
export function editPool(site: CompiledCluster, name: string, change: (pool: Pool) => Pool): CompiledCluster {
  return { ...site, pools: site.pools.map((pool) => (pool.name === name ? change(pool) : pool)) };
}
