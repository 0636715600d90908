import { labelsOf } from '../api/cluster-labels';
import type { NodePool } from '../api/node-pool';
import { qualifiedName } from '../api/resource';
import { poolKey } from '../cost/pool-prices';
import type { Scenario, Step, StepOf } from './scenario';
import { type World, withCluster, withoutClusters, withPool } from './world';

/** The taint of a cluster that is drained: replicas that tolerate everything stay, as they would. */
export const DRAIN_TAINT = { key: 'fleetwright.dev/drain', value: '', effect: 'NoExecute' } as const;

/** What each kind of step does to a fleet. */
const STEPS: { readonly [K in Step['kind']]: (world: World, step: StepOf<K>) => World } = {
  price: (world, { cluster, pool, perHour }) => {
    const { currency } = world.fleet.hardware.prices;
    const price = { perHour, currency, origin: 'Scenario' as const, source: 'the scenario', discounts: [] };
    const changed = withCluster(world, cluster, {
      declared: (spec) => spec,
      compiled: (site) => withPool(site, pool, (one) => ({ ...one, price: perHour })),
    });
    return { ...changed, prices: new Map([...world.prices, [poolKey(cluster, pool), price]]) };
  },
  'add-nodes': (world, { cluster, pool, nodes }) =>
    withCluster(world, cluster, {
      declared: (spec) => ({
        ...spec,
        nodePools: spec.nodePools.map((one) => (one.name === pool ? larger(one, nodes) : one)),
      }),
      compiled: (site) => withPool(site, pool, (one) => ({ ...one, nodes: one.nodes + nodes })),
    }),
  scale: (world, { deployment, replicas }) => ({
    ...world,
    fleet: {
      ...world.fleet,
      deployments: world.fleet.deployments.map((one) =>
        qualifiedName(one) === deployment ? { ...one, spec: { ...one.spec, replicas } } : one,
      ),
    },
    model: {
      ...world.model,
      workloads: world.model.workloads.map((one) => (one.id === deployment ? { ...one, replicas } : one)),
    },
  }),
  'remove-pool': (world, { cluster, pool }) =>
    withCluster(world, cluster, {
      declared: (spec) => ({ ...spec, nodePools: spec.nodePools.filter(({ name }) => name !== pool) }),
      compiled: (site) => ({ ...site, pools: site.pools.filter(({ name }) => name !== pool) }),
    }),
  drain: (world, { cluster }) =>
    withCluster(world, cluster, {
      declared: (spec) => ({ ...spec, taints: [...spec.taints, DRAIN_TAINT] }),
      compiled: (site) => ({ ...site, taints: [...site.taints, DRAIN_TAINT] }),
    }),
  lose: (world, { cluster }) => withoutClusters(world, new Set([cluster])),
  'lose-domain': (world, { label, value }) => {
    const gone = world.fleet.clusters.filter((cluster) => labelsOf(cluster)[label] === value);
    return withoutClusters(world, new Set(gone.map(({ metadata }) => metadata.name)));
  },
};

/** A fleet after all steps of a scenario. Their order does not matter: what one takes away, another cannot add to. */
export function applyScenario(world: World, { steps }: Scenario): World {
  return steps.reduce(applyStep, world);
}

function applyStep<K extends Step['kind']>(world: World, step: StepOf<K>): World {
  const apply = STEPS[step.kind as K] as (world: World, step: StepOf<K>) => World;
  return apply(world, step);
}

/** More nodes are bought where the size is fixed; where an autoscaler decides, it may make more. */
function larger(pool: NodePool, nodes: number): NodePool {
  if (pool.maxNodeCount === undefined) return { ...pool, nodeCount: pool.nodeCount + nodes };
  return { ...pool, maxNodeCount: pool.maxNodeCount + nodes };
}
