import type { Locate } from '../../api/kinds';
import type { PolicyLimits, PolicyRule } from '../../api/policy-file';
import { parseNamespace } from '../../api/resource';
import { errorAt, warningAt } from '../../base/diagnostic';
import type { Cost } from '../../cost/cost';
import { assumePoolPrices, findPoolPrices, type PoolPrices, withAssumedPrices } from '../../cost/pool-prices';
import type { FewerReplicas, Policy, PolicyDiagnostic } from '../../fleet/policy';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { isLost, nameLostClusters } from '../../scheduler/lost-clusters';
import { type Placement, placementKeyOf } from '../../scheduler/placement';
import { formatRuleEdits } from '../remedy-messages';
import { computeCostOfPlacements } from '../plan-cost';
import { createUsageLookup, listPlacedPods } from '../replica-usage';
import { findFewerReplicas } from './fewer-replicas';
import { findLargestUsers } from './largest-users';
import { type LimitViolation, LIMIT_CHECKS, type PolicyInput } from './limits';
import { advisePlacement } from './placement-advice';

interface DecidedFleet extends Omit<PolicyInput, 'devices'> {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;

  /** Prices in place of those of the fleet. */
  readonly prices?: PoolPrices;

  /** Replicas before the change. A rule denies no use of devices or money that was at least as high with them. */
  readonly former?: readonly Placement[];

  /** The lock, for what fewer new replicas use. Default: that is not tried. */
  readonly previous?: { readonly placements: readonly Placement[] };
}

/** Finds the policy rules that a plan does not meet. */
export function checkPolicies({ former, ...decided }: DecidedFleet, locate: Locate): PolicyDiagnostic[] {
  const { policies = [] } = decided.fleet;
  if (policies.length === 0) return [];
  const checked = toPolicyInput(decided);
  const before = former && toPolicyInput({ ...decided, placements: former, cost: costOf(decided, former) });
  const isEmergency = decided.model.clusters.some(isLost);
  const limits = Object.keys(LIMIT_CHECKS) as (keyof PolicyLimits)[];
  return policies.flatMap((policy) =>
    limits.flatMap((field) => {
      const found = checkLimit(field, policy.rule, checked);
      const earlier = before && found.length > 0 ? checkLimit(field, policy.rule, before) : [];
      const breaches = found.map((one): LimitViolation => {
        return isLowered(one, earlier) ? { ...one, what: `${one.what}; it does not rise`, onlyWarns: true } : one;
      });
      const yields = isEmergency && YIELD_TO_LOSSES.has(field);
      const judged = yields ? breaches.map((one) => ({ ...one, onlyWarns: true as const })) : breaches;
      const isDenied = judged.some((one) => denies(one, { field, rule: policy.rule, isEmergency }));
      const fewer = isDenied ? findFewer(field, policy.rule, decided) : [];
      const advice = advisePlacement(field, policy.rule);
      return toDiagnostics(judged, policy, { locate, advice }).map((one, i) => {
        if (fewer.length > 0) return { ...one, fewer };
        const { excess } = judged[i] ?? {};
        const users =
          excess === undefined
            ? undefined
            : findLargestUsers({ field, rule: policy.rule, excess }, checked, decided.previous);
        return { ...one, ...users };
      });
    }),
  );
}

/** The replicas to leave out of what is new, of a limit on what replicas use. */
function findFewer(
  field: keyof PolicyLimits,
  rule: PolicyRule,
  { previous, ...decided }: Omit<DecidedFleet, 'former'>,
): FewerReplicas[] {
  const { deviceQuota, budget } = rule;
  // The nodes of the fleet cost as much with fewer replicas.
  const limit = field === 'deviceQuota' ? deviceQuota : field === 'budget' && budget?.namespace ? budget : undefined;
  if (!previous || !limit) return [];
  return findFewerReplicas({ ...decided, previous }, limit.namespace, (placements) => {
    const cost = field === 'budget' ? costOf(decided, placements) : decided.cost;
    return checkLimit(field, rule, toPolicyInput({ ...decided, placements, cost })).length === 0;
  });
}

/** Whether a breach of a limit denies a plan. */
export function denies(
  { onlyWarns }: Pick<LimitViolation, 'onlyWarns'>,
  {
    field,
    rule,
    isEmergency,
  }: { readonly field: keyof PolicyLimits; readonly rule: PolicyRule; readonly isEmergency: boolean },
): boolean {
  return !onlyWarns && rule.effect === 'Deny' && !(isEmergency && YIELD_TO_LOSSES.has(field));
}

/** Limits that the loss of a cluster breaks by itself. They only warn while a cluster is lost. */
const YIELD_TO_LOSSES: ReadonlySet<keyof PolicyLimits> = new Set(['failureDomains', 'moves']);

/** Whether the use of devices or money was at least as high before. */
function isLowered({ use }: LimitViolation, before: readonly LimitViolation[]): boolean {
  return use !== undefined && before.some((one) => one.use !== undefined && one.use >= use);
}

/** What the rules are checked against: what runs, with its devices and its cost. */
export function toPolicyInput({ model, matcher, ...input }: DecidedFleet): PolicyInput {
  const devices = listReservedDevices(model, matcher, input.placements);
  const running = listRunning(model, input.placements);
  const decided = { model, matcher, ...input };
  const cost = running.length === input.placements.length ? input.cost : costOf(decided, running);
  const estimate = cost.total.most.unknown > 0 ? estimateCost(decided, running) : undefined;
  return { ...input, devices, cost, ...(estimate && { estimate }) };
}

/** Undefined where no rule is about money, or no price is known elsewhere. */
function estimateCost(decided: DecidedFleet, running: readonly Placement[]): Cost | undefined {
  const { fleet, prices = findPoolPrices(fleet) } = decided;
  if (!(fleet.policies ?? []).some(({ rule }) => rule.budget)) return undefined;
  const assumed = assumePoolPrices(fleet);
  return assumed.size === 0 ? undefined : costOf({ ...decided, prices: withAssumedPrices(prices, assumed) }, running);
}

function costOf({ fleet, model, matcher, prices }: DecidedFleet, placements: readonly Placement[]): Cost {
  return computeCostOfPlacements(fleet, placements, createUsageLookup(model, matcher), prices);
}

/** The placements without those on lost clusters: these do not run. */
export function listRunning({ clusters }: CompiledFleet, placements: readonly Placement[]): readonly Placement[] {
  const lost = new Set(nameLostClusters({ clusters }));
  return lost.size === 0 ? placements : placements.filter(({ cluster }) => !lost.has(cluster));
}

function toDiagnostics(
  breaches: readonly LimitViolation[],
  { rule, where }: Policy,
  { locate, advice }: { readonly locate: Locate; readonly advice: string | undefined },
): PolicyDiagnostic[] {
  return breaches.map(({ what, at, onlyWarns, unsure, remedy = advice, allow }): PolicyDiagnostic => {
    const place = at ? locate(at.resource, at.path) : where;
    const warns = onlyWarns || rule.effect === 'Warn';
    const change = remedy === undefined ? 'Change the fleet, or' : `${remedy}, or change`;
    const hint =
      allow && 'to' in allow
        ? `${remedy ?? 'Change the fleet'}, or ${formatRuleEdits([{ rule: rule.name, where, allow }])}`
        : `${change} rule '${rule.name}' at ${where}`;
    return {
      rule: rule.name,
      ...(advice !== undefined && { advice }),
      ...(unsure !== undefined && { unsure }),
      ...(warns ? warningAt('warned', place, what, hint) : errorAt('denied', place, what, hint)),
    };
  });
}

/** Whether a policy rule denies the plan. */
export function isDeniedByPolicy({ policies }: { readonly policies: readonly PolicyDiagnostic[] }): boolean {
  return policies.some(({ severity }) => severity === 'error');
}

/** Finds what of a plan does not meet a limit of a rule. */
export function checkLimit<K extends keyof PolicyLimits>(
  field: K,
  rule: PolicyRule,
  input: PolicyInput,
): LimitViolation[] {
  const limit = rule[field];
  if (limit === undefined) return [];
  const breached = LIMIT_CHECKS[field] as (limit: PolicyRule[K], input: PolicyInput) => LimitViolation[];
  return breached(limit, input);
}

/**
 * Lists the devices that replicas hold, without those for rollouts. Draining replicas count too, except on lost
 * clusters.
 */
export function listReservedDevices(
  model: CompiledFleet,
  matcher: PodMatcher,
  placements: readonly Placement[],
): PolicyInput['devices'] {
  return listPlacedPods(model, listRunning(model, placements), matcher).flatMap(({ placement, member, fit }) => {
    const { deployment } = placement;
    const of = { namespace: parseNamespace(deployment), deployment, replica: placementKeyOf(placement) };
    const draining = placement.draining && { draining: placement.draining };
    const { pods, surge, scaled = 0 } = member;
    return fit.claims.flatMap(({ forms: [form] }) => {
      if (!form) return [];
      const held = { ...of, deviceClass: form.claimedAs, ...draining };
      const further = scaled > 0 ? [{ ...held, count: form.count * scaled, scaled: true as const }] : [];
      return [{ ...held, count: form.count * (pods - surge - scaled) }, ...further];
    });
  });
}
