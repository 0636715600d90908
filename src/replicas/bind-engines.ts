import type { Engine, EngineMember } from '../api/engine';
import type { NodePool } from '../api/node-pool';
import { getOrCompute } from '../base/memoize';
import { formatResource, type ResourceName } from '../scheduler/compile/resource-requests';
import type { EngineDemand, Pool } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { PodFit } from '../scheduler/devices/pod-fit';
import { fillsNode } from '../scheduler/packing/pod-footprint';
import type { ComputedEngine, ComputedMember } from './replica';

/** A pool as declared, and what the scheduler makes of its nodes. */
export interface PoolAndNode {
  readonly pool: NodePool;
  readonly node: Pool['node'];
}

/**
 * Tells what an engine is on a pool: alone in a list, since most replicas have no other. Nothing where it does not fit
 * there.
 */
export type EngineBinder = (place: PoolAndNode) => readonly ComputedEngine[] | undefined;

/**
 * Tells what engines are on pools. Those that ask for the same of equal nodes have equal members, and on one pool they
 * are one object.
 */
export function createEngineBinders(
  matcher: PodMatcher,
): (engine: Engine, demand: EngineDemand) => EngineBinder {
  const known = new Map<Engine, Map<EngineDemand, EngineBinder>>();
  return (engine, demand) =>
    getOrCompute(known, engine, demand, () => createEngineBinder(engine, demand, matcher));
}

function createEngineBinder(engine: Engine, demand: EngineDemand, matcher: PodMatcher): EngineBinder {
  const onNodes = new Map<Pool['node'], readonly ComputedMember[] | null>();
  const onPools = new Map<PoolAndNode, readonly ComputedEngine[]>();
  return (place) => {
    const known = onPools.get(place);
    if (known) return known;
    const { pool, node } = place;
    let members = onNodes.get(node);
    if (members === undefined) onNodes.set(node, (members = bindDevices({ engine, demand, node }, matcher)));
    if (!members) return undefined;
    const engines = [{ engine, pool, members }];
    onPools.set(place, engines);
    return engines;
  };
}

/** What the members of an engine get of a node; nothing where one of them does not fit there. */
export function bindDevices(
  { engine, demand, node }: { engine: Engine; demand: EngineDemand; node: Pool['node'] },
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
  const computed = {
    member,
    requests: requestsOf(member, fit),
    takesNode: fillsNode(fit.footprint, node.counts),
  };
  if (node.dra) return { ...computed, claims: fit.claims };
  return { ...computed, claims: [], extended: extendedResourcesOf(fit) };
}

/** What a device plugin hands out to a pod: its requests, added up by resource. */
function extendedResourcesOf({ claims }: PodFit): Record<string, number> {
  const devices: Record<string, number> = {};
  for (const { claimedAs, count } of claims.flatMap(({ forms }) => forms.slice(0, 1))) {
    devices[claimedAs] = (devices[claimedAs] ?? 0) + count;
  }
  return devices;
}

/** What the user wrote, as written; where that is silent, what the plan counted with. */
function requestsOf({ template }: EngineMember, { own }: PodFit): Record<string, string> {
  const [container] = template.spec.containers;
  const counted = Object.entries(own) as [ResourceName, number][];
  const shares = counted.map(([name, amount]) => [name, formatResource(name, amount)]);
  return { ...Object.fromEntries(shares), ...container.resources.limits, ...container.resources.requests };
}
