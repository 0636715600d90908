import type { Locate } from '../../api/kinds';
import type { PolicyLimits, PolicyRule } from '../../api/policy-file';
import { parseNamespace } from '../../api/resource';
import type { Problem } from '../../base/errors';
import { joinNames } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import type { Policy, PolicyFinding } from '../../fleet/policy';
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
export function checkPolicies({ model, matcher, ...judged }: DecidedFleet, locate: Locate): PolicyFinding[] {
  const { policies = [] } = judged.fleet;
  if (policies.length === 0) return [];
  const devices = listReservedDevices(model, matcher, judged.placements);
  return evaluatePolicies(policies, { ...judged, devices }, locate);
}

/** A finding as a line. */
export function formatPolicyFinding({ rule, effect, where, what }: PolicyFinding): string {
  return `${EFFECT_WORDS[effect]} by ${rule}: ${where}: ${what}.`;
}

/** A finding as a problem at its place, with the name of the rule. */
export function toPolicyProblem({ rule, effect, where, what }: PolicyFinding): Problem {
  return { code: EFFECT_WORDS[effect], where, what: `${EFFECT_WORDS[effect]} by ${rule}: ${what}` };
}

const EFFECT_WORDS: Readonly<Record<PolicyFinding['effect'], string>> = { Deny: 'denied', Warn: 'warned' };

/** `Policies: 1 of 2 met; denied by digests.` Nothing where a fleet has no rules. */
export function formatPolicyVerdict(
  { policies: rules = [] }: Fleet,
  findings: readonly PolicyFinding[],
): string[] {
  if (rules.length === 0) return [];
  const named = (effect: PolicyFinding['effect']): Set<string> =>
    new Set(findings.filter((finding) => finding.effect === effect).map(({ rule }) => rule));
  const [denied, warned] = [named('Deny'), named('Warn')];
  const unmet = [
    ...(denied.size > 0 ? [`; denied by ${joinNames([...denied])}`] : []),
    ...(warned.size > 0 ? [`; warned by ${joinNames([...warned])}`] : []),
  ];
  return [`Policies: ${rules.length - denied.size - warned.size} of ${rules.length} met${unmet.join('')}.`];
}

/** Whether a rule says no. */
export function isDeniedByPolicy({ policies }: { readonly policies: readonly PolicyFinding[] }): boolean {
  return policies.some(({ effect }) => effect === 'Deny');
}

/** Every rule that a plan does not meet, in the order of the file. */
export function evaluatePolicies(
  policies: readonly Policy[],
  judged: PolicyInput,
  locate: Locate,
): PolicyFinding[] {
  return policies.flatMap(({ rule, where }) =>
    findBreaches(rule, judged).map(({ what, at, unsure }): PolicyFinding => {
      const place = at ? locate(at.resource, at.path) : where;
      return { rule: rule.name, effect: unsure ? 'Warn' : rule.effect, where: place, what };
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
