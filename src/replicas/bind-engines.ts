import type { Engine, EngineMember } from '../api/engine';
import type { InferenceCluster } from '../api/inference-cluster';
import { getOrCompute } from '../base/memoize';
import { formatResourceAmount, type ResourceName } from '../scheduler/compile/resource-requests';
import type { EngineDemand, Pool } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { countClaimedDevices, type PodFit } from '../scheduler/devices/pod-fit';
import { fillsNode } from '../scheduler/packing/pod-footprint';
import type { ComputedEngine, ComputedMember } from './replica';

/**
 * Binds an engine to a pool of a cluster. Returns a list with one item, because most replicas have only one engine.
 * Nothing if the engine does not fit on the pool, or if the cluster does not declare it.
 */
export type EngineBinder = (pool: Pool, cluster: InferenceCluster) => readonly ComputedEngine[] | undefined;

/**
 * Creates binders of engines. Engines with equal demands on equal nodes share their members, and on one pool they
 * are one object.
 */
export function createEngineBinders(matcher: PodMatcher): (engine: Engine, demand: EngineDemand) => EngineBinder {
  const known = new Map<Engine, Map<EngineDemand, EngineBinder>>();
  return (engine, demand) => getOrCompute(known, engine, demand, () => createEngineBinder(engine, demand, matcher));
}

function createEngineBinder(engine: Engine, demand: EngineDemand, matcher: PodMatcher): EngineBinder {
  const onNodes = new Map<Pool['node'], readonly ComputedMember[] | null>();
  const onPools = new Map<Pool, readonly ComputedEngine[]>();
  return (pool, cluster) => {
    const known = onPools.get(pool);
    if (known) return known;
    let members = onNodes.get(pool.node);
    if (members === undefined) onNodes.set(pool.node, (members = bindDevices(engine, demand, pool.node, matcher)));
    const declared = cluster.spec.nodePools.find(({ name }) => name === pool.name);
    if (!members || !declared) return undefined;
    const engines = [{ engine, pool: declared, members }];
    onPools.set(pool, engines);
    return engines;
  };
}

/** Binds the devices of a node to the members of an engine. Nothing if one of them does not fit on the node. */
function bindDevices(
  engine: Engine,
  demand: EngineDemand,
  node: Pool['node'],
  matcher: PodMatcher,
): readonly ComputedMember[] | null {
  const members: ComputedMember[] = [];
  for (const member of engine.members) {
    const pod = demand.members.find(({ role }) => role === member.role)?.pod;
    const fit = pod && matcher.fit(pod, node);
    if (!fit || 'misfit' in fit) return null;
    members.push(bindMember(member, fit, node));
  }
  return members;
}

function bindMember(member: EngineMember, fit: PodFit, node: Pool['node']): ComputedMember {
  const { floored, footprint } = fit;
  const takesNode = fillsNode(footprint, node.counts);
  const computed = { member, requests: requestsOf(member, fit), floored, takesNode };
  if (node.dra) return { ...computed, claims: fit.claims };
  return { ...computed, claims: [], extended: countClaimedDevices(fit) };
}

/** The requests and limits of the user unchanged; otherwise the requests that the plan is based on. */
function requestsOf({ template }: EngineMember, { engineResources }: PodFit): Record<string, string> {
  const [container] = template.spec.containers;
  const counted = Object.entries(engineResources) as [ResourceName, number][];
  const shares = counted.map(([name, amount]) => [name, formatResourceAmount(name, amount)]);
  return { ...Object.fromEntries(shares), ...container.resources.limits, ...container.resources.requests };
}
