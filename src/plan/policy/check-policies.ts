import type { Locate } from '../../api/kinds';
import type { PolicyLimits, PolicyRule } from '../../api/policy-file';
import { parseNamespace } from '../../api/resource';
import { errorAt, warningAt } from '../../base/diagnostic';
import type { Policy, PolicyDiagnostic } from '../../fleet/policy';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { demandOf, poolOf } from '../../scheduler/placement';
import type { Placement } from '../../scheduler/schedule-result';
import { type Breach, LIMIT_CHECKS, type PolicyInput } from './limits';

/** What was decided, as far as rules look at it. */
interface DecidedFleet extends Omit<PolicyInput, 'devices'> {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
}

/** The rules of a fleet that a plan does not meet. */
export function checkPolicies(
  { model, matcher, ...judged }: DecidedFleet,
  locate: Locate,
): PolicyDiagnostic[] {
  const { policies = [] } = judged.fleet;
  if (policies.length === 0) return [];
  const devices = listReservedDevices(model, matcher, judged.placements);
  return evaluatePolicies(policies, { ...judged, devices }, locate);
}

/** Whether a rule says no. */
export function isDeniedByPolicy({ policies }: { readonly policies: readonly PolicyDiagnostic[] }): boolean {
  return policies.some(({ severity }) => severity === 'error');
}

/** Every rule that a plan does not meet, in the order of the file. */
export function evaluatePolicies(
  policies: readonly Policy[],
  judged: PolicyInput,
  locate: Locate,
): PolicyDiagnostic[] {
  return policies.flatMap(({ rule, where }) =>
    findBreaches(rule, judged).map(({ what, at, unsure }): PolicyDiagnostic => {
      const place = at ? locate(at.resource, at.path) : where;
      const found =
        unsure || rule.effect === 'Warn' ? warningAt('warned', place, what) : errorAt('denied', place, what);
      return { rule: rule.name, ...found };
    }),
  );
}

function findBreaches(rule: PolicyRule, judged: PolicyInput): Breach[] {
  return (Object.keys(LIMIT_CHECKS) as (keyof PolicyLimits)[]).flatMap((field) =>
    checkLimit(field, rule, judged),
  );
}

function checkLimit<K extends keyof PolicyLimits>(field: K, rule: PolicyRule, judged: PolicyInput): Breach[] {
  const limit = rule[field];
  if (limit === undefined) return [];
  const breached = LIMIT_CHECKS[field] as (limit: PolicyRule[K], judged: PolicyInput) => Breach[];
  return breached(limit, judged);
}

/** Devices that replicas hold, without those that rollouts need. Leaving replicas hold theirs too. */
export function listReservedDevices(
  model: CompiledFleet,
  matcher: PodMatcher,
  placements: readonly Placement[],
): PolicyInput['devices'] {
  const workloads = new Map(model.deployments.map((one) => [one.id, one]));
  const sites = new Map(model.clusters.map((site) => [site.name, site]));
  return placements.flatMap((placement) => {
    const workload = workloads.get(placement.deployment);
    const engines = (workload && demandOf(workload, placement)?.engines) ?? [];
    const site = sites.get(placement.cluster);
    return engines.flatMap(({ name, members }) => {
      const pool = site && poolOf(site, placement, name);
      return members.flatMap(({ pod, pods, surge }) => {
        const fit = pool && matcher.fit(pod, pool.node);
        if (!fit || 'misfit' in fit) return [];
        const namespace = parseNamespace(placement.deployment);
        return fit.claims.flatMap(({ forms: [form] }) =>
          form ? [{ namespace, deviceClass: form.claimedAs, count: form.count * (pods - surge) }] : [],
        );
      });
    });
  });
}
