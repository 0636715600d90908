import type { Locate } from '../../api/kinds';
import type { PolicyLimits, PolicyRule } from '../../api/policy-file';
import { parseNamespace } from '../../api/resource';
import { errorAt, warningAt } from '../../base/diagnostic';
import type { Policy, PolicyDiagnostic } from '../../fleet/policy';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Placement } from '../../scheduler/placement';
import { listPlacedPods } from '../replica-usage';
import { type LimitViolation, LIMIT_CHECKS, type PolicyInput } from './limits';

interface DecidedFleet extends Omit<PolicyInput, 'devices'> {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
}

/** Finds the policy rules that a plan does not meet. */
export function checkPolicies({ model, matcher, ...input }: DecidedFleet, locate: Locate): PolicyDiagnostic[] {
  const { policies = [] } = input.fleet;
  if (policies.length === 0) return [];
  const checked = { ...input, devices: listReservedDevices(model, matcher, input.placements) };
  const limits = Object.keys(LIMIT_CHECKS) as (keyof PolicyLimits)[];
  return policies.flatMap((policy) =>
    limits.flatMap((field) => toDiagnostics(checkLimit(field, policy.rule, checked), policy, locate)),
  );
}

function toDiagnostics(
  breaches: readonly LimitViolation[],
  { rule, where }: Policy,
  locate: Locate,
): PolicyDiagnostic[] {
  return breaches.map(({ what, at, unsure, remedy }): PolicyDiagnostic => {
    const place = at ? locate(at.resource, at.path) : where;
    const warns = unsure || rule.effect === 'Warn';
    const change = remedy === undefined ? 'Change the fleet, or' : `${remedy}, or change`;
    const hint = `${change} rule '${rule.name}' at ${where}`;
    return {
      rule: rule.name,
      ...(warns ? warningAt('warned', place, what, hint) : errorAt('denied', place, what, hint)),
    };
  });
}

/** Whether a policy rule denies the plan. */
export function isDeniedByPolicy({ policies }: { readonly policies: readonly PolicyDiagnostic[] }): boolean {
  return policies.some(({ severity }) => severity === 'error');
}

function checkLimit<K extends keyof PolicyLimits>(field: K, rule: PolicyRule, input: PolicyInput): LimitViolation[] {
  const limit = rule[field];
  if (limit === undefined) return [];
  const breached = LIMIT_CHECKS[field] as (limit: PolicyRule[K], input: PolicyInput) => LimitViolation[];
  return breached(limit, input);
}

/** Lists the devices that replicas hold, without those for rollouts. Draining replicas count too. */
export function listReservedDevices(
  model: CompiledFleet,
  matcher: PodMatcher,
  placements: readonly Placement[],
): PolicyInput['devices'] {
  return listPlacedPods(model, placements, matcher).flatMap(({ placement, member, fit }) => {
    const namespace = parseNamespace(placement.deployment);
    return fit.claims.flatMap(({ forms: [form] }) =>
      form ? [{ namespace, deviceClass: form.claimedAs, count: form.count * (member.pods - member.surge) }] : [],
    );
  });
}
