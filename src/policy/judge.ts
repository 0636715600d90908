import type { Locate } from '../api/locate';
import type { Limits, PolicyRule } from '../api/policy-file';
import { namespaceIn } from '../api/resource';
import { demandOf } from '../scheduler/demand-of';
import type { Matcher } from '../scheduler/matcher';
import type { Model } from '../scheduler/model';
import { poolOf } from '../scheduler/pool-of';
import type { Placement } from '../scheduler/types';
import { type Breach, type Judged, LIMITS } from './limits';
import type { Policy, PolicyFinding } from './policy';

/** Every rule that a plan does not meet, in the order of the file. */
export function judge(policies: readonly Policy[], judged: Judged, locate: Locate): PolicyFinding[] {
  return policies.flatMap(({ rule, where }) =>
    breachesOf(rule, judged).map(({ what, at, unsure }): PolicyFinding => {
      const place = at ? locate(at.resource, at.path) : where;
      return { rule: rule.name, effect: unsure ? 'Warn' : rule.effect, where: place, what };
    }),
  );
}

function breachesOf(rule: PolicyRule, judged: Judged): Breach[] {
  return (Object.keys(LIMITS) as (keyof Limits)[]).flatMap((field) => breaches(field, rule, judged));
}

function breaches<K extends keyof Limits>(field: K, rule: PolicyRule, judged: Judged): Breach[] {
  const limit = rule[field];
  if (limit === undefined) return [];
  const breached = LIMITS[field] as (limit: PolicyRule[K], judged: Judged) => Breach[];
  return breached(limit, judged);
}

/** Devices that replicas hold, without those that rollouts need. Leaving replicas hold theirs too. */
export function devicesHeld(
  model: Model,
  matcher: Matcher,
  placements: readonly Placement[],
): Judged['devices'] {
  const workloads = new Map(model.workloads.map((one) => [one.id, one]));
  const sites = new Map(model.sites.map((site) => [site.name, site]));
  return placements.flatMap((placement) => {
    const workload = workloads.get(placement.deployment);
    const engines = (workload && demandOf(workload, placement)?.engines) ?? [];
    const site = sites.get(placement.cluster);
    return engines.flatMap(({ name, members }) => {
      const pool = site && poolOf(site, placement, name);
      return members.flatMap(({ pod, pods, surge }) => {
        const fit = pool && matcher.fit(pod, pool.node);
        if (!fit || 'misfit' in fit) return [];
        const namespace = namespaceIn(placement.deployment);
        return fit.claims.flatMap(({ forms: [form] }) =>
          form ? [{ namespace, deviceClass: form.claimedAs, count: form.count * (pods - surge) }] : [],
        );
      });
    });
  });
}
