import { clusterLabelsOf } from '../../api/cluster-labels';
import type { Engine } from '../../api/engine';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { findPoolPrices, poolKeyOf, type PoolPrices } from '../../cost/pool-prices';
import type { Fleet } from '../../fleet/fleet';
import type {
  CompiledCluster,
  CompiledDeployment,
  CompiledFleet,
  EngineDemand,
  MemberDemand,
  Pool,
  ReplicaDemand,
} from '../../scheduler/compiled-fleet';
import { DRAIN_TAINT } from '../../plan/drains';
import { changeCluster, resizePool } from '../../plan/changed-clusters';
import { addNodes, changeCompiledCluster } from '../../scheduler/changed-demands';
import type { Scenario, Step, StepOf } from './scenario';

/** Applies each kind of step to a simulated fleet. */
const STEP_EFFECTS: {
  readonly [K in Step['kind']]: (simulated: SimulatedFleet, step: StepOf<K>) => SimulatedFleet;
} = {
  price: (simulated, { cluster, pool, perHour }) => {
    const { currency } = simulated.fleet.hardware.prices;
    const price = { perHour, currency, origin: 'Scenario' as const, source: 'the scenario', discounts: [] };
    const changed = editCluster(simulated, cluster, {
      declared: (spec) => spec,
      compiled: (target) => editPool(target, pool, (one) => ({ ...one, price: perHour })),
    });
    return { ...changed, prices: new Map([...simulated.prices, [poolKeyOf(cluster, pool), price]]) };
  },
  'add-nodes': (simulated, { cluster, pool, nodes }) =>
    editCluster(simulated, cluster, {
      declared: (spec) => ({
        ...spec,
        nodePools: spec.nodePools.map((one) => (one.name === pool ? resizePool(one, nodes) : one)),
      }),
      compiled: (target) => addNodes(target, pool, nodes),
    }),
  scale: (simulated, { deployment, replicas }) => ({
    ...simulated,
    fleet: {
      ...simulated.fleet,
      deployments: simulated.fleet.deployments.map((one) =>
        qualifiedNameOf(one) === deployment ? { ...one, spec: { ...one.spec, replicas } } : one,
      ),
    },
    model: {
      ...simulated.model,
      deployments: simulated.model.deployments.map((one) => (one.id === deployment ? { ...one, replicas } : one)),
    },
  }),
  'scale-engine': (simulated, { deployment, engine, copies }) => ({
    ...simulated,
    fleet: {
      ...simulated.fleet,
      deployments: simulated.fleet.deployments.map((one) =>
        qualifiedNameOf(one) === deployment ? withCopies(one, engine, copies) : one,
      ),
    },
    model: {
      ...simulated.model,
      deployments: simulated.model.deployments.map((one) =>
        one.id === deployment ? withCompiledCopies(one, engine, copies) : one,
      ),
    },
  }),
  'remove-pool': (simulated, { cluster, pool }) =>
    editCluster(simulated, cluster, {
      declared: (spec) => ({ ...spec, nodePools: spec.nodePools.filter(({ name }) => name !== pool) }),
      compiled: (target) => ({ ...target, pools: target.pools.filter(({ name }) => name !== pool) }),
    }),
  drain: (simulated, { cluster }) =>
    editCluster(simulated, cluster, {
      declared: (spec) => ({ ...spec, taints: [...spec.taints, DRAIN_TAINT] }),
      compiled: (target) => ({ ...target, taints: [...target.taints, DRAIN_TAINT] }),
    }),
  lose: (simulated, { cluster }) => removeClusters(simulated, new Set([cluster])),
  'lose-domain': (simulated, { label, value }) => {
    const lost = simulated.fleet.clusters.filter((cluster) => clusterLabelsOf(cluster)[label] === value);
    return removeClusters(simulated, new Set(lost.map(({ metadata }) => metadata.name)));
  },
};

function withCopies(deployment: ModelDeployment, name: string, copies: number): ModelDeployment {
  const { spec } = deployment;
  const engines = spec.template.spec.engines.map((one): Engine => {
    if (one.name !== name) return one;
    const { scaling: _, ...fixed } = one;
    return { ...fixed, copies };
  });
  return {
    ...deployment,
    spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, engines } } },
  };
}

function withCompiledCopies(deployment: CompiledDeployment, name: string, copies: number): CompiledDeployment {
  const scale = (demand: ReplicaDemand): ReplicaDemand => ({
    ...demand,
    engines: demand.engines.map((one) => (one.name === name ? scaleEngine(one, copies) : one)),
  });
  const variants = deployment.variants?.map((one) => ({ ...one, demand: scale(one.demand) }));
  return { ...deployment, demand: variants?.[0]?.demand ?? scale(deployment.demand), ...(variants && { variants }) };
}

/** An engine with a fixed number of copies, which needs no metrics to scale. */
function scaleEngine(declared: EngineDemand, copies: number): EngineDemand {
  const { load: _, ...engine } = declared;
  return { ...engine, members: engine.members.map((member) => scaleMember(member, copies)) };
}

function scaleMember(declared: MemberDemand, copies: number): MemberDemand {
  const { scaled: _, ...member } = declared;
  return { ...member, pods: copies * member.podsOfCopy + member.surge };
}

/** Applies all steps of a scenario. Their order does not matter: nodes are added before others are removed. */
export function applyScenario(simulated: SimulatedFleet, { steps }: Scenario): SimulatedFleet {
  return steps.toSorted((a, b) => addedBy(b) - addedBy(a)).reduce(applyStep, simulated);
}

function addedBy(step: Step): number {
  return step.kind === 'add-nodes' ? step.nodes : 0;
}

function applyStep<K extends Step['kind']>(simulated: SimulatedFleet, step: StepOf<K>): SimulatedFleet {
  const apply = STEP_EFFECTS[step.kind as K] as (simulated: SimulatedFleet, step: StepOf<K>) => SimulatedFleet;
  return apply(simulated, step);
}

/**
 * A fleet as declared and as compiled for the scheduler. Steps change both, so that selectors are compiled and matched
 * only once for all scenarios.
 */
export interface SimulatedFleet {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly prices: PoolPrices;
}

export function toSimulatedFleet({ fleet, model }: Pick<SimulatedFleet, 'fleet' | 'model'>): SimulatedFleet {
  return { fleet, model, prices: findPoolPrices(fleet) };
}

function removeClusters({ fleet, model, prices }: SimulatedFleet, lost: ReadonlySet<string>): SimulatedFleet {
  return {
    fleet: { ...fleet, clusters: fleet.clusters.filter(({ metadata }) => !lost.has(metadata.name)) },
    model: { ...model, clusters: model.clusters.filter(({ name }) => !lost.has(name)) },
    prices,
  };
}

/** A change of one cluster: of the declared resource and of the compiled form. */
interface ClusterEdit {
  readonly declared: (spec: InferenceCluster['spec']) => InferenceCluster['spec'];
  readonly compiled: (cluster: CompiledCluster) => CompiledCluster;
}

function editCluster(simulated: SimulatedFleet, name: string, { declared, compiled }: ClusterEdit): SimulatedFleet {
  const { fleet, model } = simulated;
  return {
    ...simulated,
    fleet: changeCluster(fleet, name, (one) => ({ ...one, spec: declared(one.spec) })),
    model: changeCompiledCluster(model, name, compiled),
  };
}

function editPool(cluster: CompiledCluster, name: string, change: (pool: Pool) => Pool): CompiledCluster {
  return { ...cluster, pools: cluster.pools.map((pool) => (pool.name === name ? change(pool) : pool)) };
}
