import type { Engine, Member } from '../api/engine';
import { quantityOf } from '../scheduler/amounts';
import type { Fit } from '../scheduler/fit-on-node';
import type { Matcher } from '../scheduler/matcher';
import type { Engine as EngineDemand, Pool } from '../scheduler/model';
import type { ResourceName } from '../scheduler/shapes';
import { takesNode } from '../scheduler/takes-node';
import type { ComputedMember } from './replica';

/** What the members of an engine get of a node; nothing where one of them does not fit there. */
export function bindDevices(
  { engine, demand, node }: { engine: Engine; demand: EngineDemand; node: Pool['node'] },
  matcher: Matcher,
): readonly ComputedMember[] | null {
  const members: ComputedMember[] = [];
  for (const member of engine.members) {
    const pod = demand.members.find(({ role }) => role === member.role)?.pod;
    const fit = pod && matcher.fit(pod, node);
    if (!fit || 'misfit' in fit) return null;
    members.push(computedMember(member, fit, node));
  }
  return members;
}

function computedMember(member: Member, fit: Fit, node: Pool['node']): ComputedMember {
  const computed = {
    member,
    requests: requestsOf(member, fit),
    takesNode: takesNode(fit.need, node.counts),
  };
  if (node.dra) return { ...computed, claims: fit.claims };
  return { ...computed, claims: [], extended: extendedOf(fit) };
}

/** What a device plugin hands out to a pod: its requests, added up by resource. */
function extendedOf({ claims }: Fit): Record<string, number> {
  const devices: Record<string, number> = {};
  for (const { claimedAs, count } of claims.flatMap(({ forms }) => forms.slice(0, 1))) {
    devices[claimedAs] = (devices[claimedAs] ?? 0) + count;
  }
  return devices;
}

/** What the user wrote, as written; where that is silent, what the plan counted with. */
function requestsOf({ template }: Member, { own }: Fit): Record<string, string> {
  const [container] = template.spec.containers;
  const counted = Object.entries(own) as [ResourceName, number][];
  const shares = counted.map(([name, amount]) => [name, quantityOf(name, amount)]);
  return { ...Object.fromEntries(shares), ...container.resources.limits, ...container.resources.requests };
}
