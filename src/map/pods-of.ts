import { demandOf } from '../scheduler/demand-of';
import type { Matcher } from '../scheduler/matcher';
import type { Engine, Member, Pool, Site, Workload } from '../scheduler/model';
import { poolOf } from '../scheduler/pool-of';
import type { Need } from '../scheduler/need';
import type { Placement } from '../scheduler/types';

/** Pods of a replica on one pool that are alike. */
export interface Pods {
  readonly pool: string;
  readonly engine: string;
  readonly role: string;
  readonly pods: number;

  /** Whether they are there during a rollout only. */
  readonly surge: boolean;
  readonly need: Need;
  readonly share: number;
}

/** The pods of a placed replica; none where nobody knows any more what it is made of. */
export function podsOf(
  placement: Placement,
  site: Site,
  workload: Workload | undefined,
  matcher: Matcher,
): Pods[] {
  const demand = workload && demandOf(workload, placement);
  return (demand?.engines ?? []).flatMap((engine) => {
    const pool = poolOf(site, placement, engine.name);
    return pool ? engine.members.flatMap((member) => podsOfMember(engine, member, pool, matcher)) : [];
  });
}

function podsOfMember({ name: engine }: Engine, member: Member, pool: Pool, matcher: Matcher): Pods[] {
  const { role, pods, surge, pod } = member;
  const fit = matcher.fit(pod, pool.node);
  // A member that takes nothing of the node is no part of what is promised.
  if ('misfit' in fit || fit.need.length === 0) return [];
  const { need, share } = fit;
  const alike = { pool: pool.name, engine, role, need, share };
  return [
    { ...alike, pods: pods - surge, surge: false },
    ...(surge > 0 ? [{ ...alike, pods: surge, surge: true }] : []),
  ];
}
