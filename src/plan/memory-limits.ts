import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { getOrCompute } from '../base/memoize';
import type { Fleet } from '../fleet/fleet';
import type { NodeShape } from '../scheduler/compile/shapes';
import type {
  CompiledDeployment,
  CompiledFleet,
  DemandVariant,
  EngineDemand,
  MemoryMisfit,
  ReplicaDemand,
} from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { memoryBookOf } from './engine-memory';
import { createProblemLookup, type ProblemsByNode } from './engine-memory-findings';
import { nodesOf } from './warnings/device-request-uses';

/**
 * Keeps engines off the kinds of nodes where they are certain not to start, because their model does not fit the GPUs.
 * Demands of engines that start on all nodes that they match stay as they are. Deployments of the alias group are not
 * limited: their replicas go where other tools place them.
 */
export function limitByMemory(model: CompiledFleet, fleet: Fleet, matcher: PodMatcher): CompiledFleet {
  const limit = createDemandLimiter(model, fleet, matcher);
  const declared = new Map(fleet.deployments.map((one) => [qualifiedNameOf(one), one]));
  const deployments = model.deployments.map((one): CompiledDeployment => {
    const deployment = declared.get(one.id);
    if (deployment?.group !== 'fleetwright.dev') return one;
    const expanded = fleet.expansions?.get(one.id)?.variants ?? [];
    const variants = one.variants?.map((variant, v): DemandVariant => {
      const demand = limit(expanded[v]?.deployment ?? deployment, variant.demand);
      return demand === variant.demand ? variant : { ...variant, demand };
    });
    const demand = variants?.[0]?.demand ?? limit(deployment, one.demand);
    const changes = demand !== one.demand || variants?.some((variant, v) => variant !== one.variants?.[v]);
    return changes ? { ...one, demand, ...(variants && { variants }) } : one;
  });
  return { ...model, deployments };
}

/** Creates a function that limits a demand. Equal limits of a demand are one object, as clusters are tried once for each. */
function createDemandLimiter(
  { clusters }: CompiledFleet,
  fleet: Fleet,
  matcher: PodMatcher,
): (deployment: ModelDeployment, demand: ReplicaDemand) => ReplicaDemand {
  const nodes = nodesOf(clusters);
  const problemsOf = createProblemLookup(memoryBookOf(fleet, matcher), nodes);
  const known = new Map<ReplicaDemand, Map<string, ReplicaDemand>>();
  return (deployment, demand) => {
    const { engines } = deployment.spec.template.spec;
    const limits = demand.engines.map((one) => {
      const engine = engines.find(({ name }) => name === one.name);
      const { problems = NONE } = engine ? problemsOf({ deployment, engine, demand: one }) : {};
      return problems.size === 0 ? [] : listMisfits(problems);
    });
    if (limits.every(({ length }) => length === 0)) return demand;
    const key = JSON.stringify(limits.map((all) => all.map(([node, misfit]) => [nodes.indexOf(node), misfit])));
    return getOrCompute(known, demand, key, () => ({
      ...demand,
      engines: demand.engines.map((one, e) => withLimits(one, limits[e] ?? [])),
    }));
  };
}

const NONE: ProblemsByNode = new Map();

function listMisfits(problems: ProblemsByNode): [NodeShape, MemoryMisfit][] {
  return [...problems].flatMap(([node, [finding]]): [NodeShape, MemoryMisfit][] => {
    if (!finding?.certain) return [];
    const { about, what, hint } = finding;
    return [[node, { misfit: 'memory', about, what, hint }]];
  });
}

function withLimits(engine: EngineDemand, limits: readonly [NodeShape, MemoryMisfit][]): EngineDemand {
  return limits.length === 0 ? engine : { ...engine, unserved: new Map(limits) };
}
