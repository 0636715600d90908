import { redactValue } from '../../api/secret-detection';
import { type Diagnostic, formatDiagnostic } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import { idText, joinNames, placeText, pluralize, replacingText } from '../../base/text';
import type {
  Change,
  ClusterNeeds,
  DeploymentPlan,
  Drain,
  PlacedReplica,
  Plan,
  PriceDate,
  Stuck,
  Usage,
} from '../../plan/plan';
import { formatEvictionReason } from '../../plan/rejection-messages';
import type { RequiredObject } from '../../render/external-references';
import type { MissingRoutes } from '../../routing/missing-routes';
import type { RoutedService, RouteMember, RouteRule } from '../../routing/routing';
import { formatShareAsPercent, totalWeightOf } from '../../routing/weights';
import { formatCost } from '../cost/cost-summary';
import { type Block, indent, type Item, MARKS, section, strong, type Style, styledLines } from '../document/document';
import { PLAIN_STYLE, writeTerminal } from '../document/write-terminal';
import { formatPolicyFinding } from './policy-text';
import { formatShortfall } from './shortfall-text';

/**
 * Formats a plan for a terminal: every deployment with the changes of its replicas, every shortfall with the first
 * reason against each cluster and pool, whether drains can finish, and the totals in the last line.
 *
 * @param name the name of the fleet: the path that it was read from
 * @example
 * const report = formatPlan(decision.plan, 'fleet');
 */
export function formatPlan(plan: Plan, name: string, style: Style = PLAIN_STYLE): string {
  return writeTerminal(planBlocks(plan, name), { style });
}

export function planBlocks(plan: Plan, name: string): Block[] {
  const { clusters, pools, deployments, replicas } = plan.fleet;
  const sizes = [
    pluralize(clusters, 'cluster'),
    pluralize(pools, 'pool'),
    pluralize(deployments, 'deployment'),
    pluralize(replicas, 'replica'),
  ];
  return [
    { text: [strong(`Fleet ${name}:`), ` ${sizes.join(', ')}`] },
    '',
    ...section(plan.missingRoutes ? formatMissingRoutes(plan.missingRoutes) : []),
    ...formatDeployments(plan.deployments),
    ...section(formatServices(plan.services)),
    ...formatPlanMessages(plan),
  ];
}

/** Formats the other parts of a plan: drains, warnings, notes, required objects, cost and totals. */
export function formatPlanMessages(plan: Plan): Block[] {
  return [
    ...section(formatDrains(plan.drains)),
    ...section(styledLines('warn', formatWarnings(plan.warnings))),
    ...section(styledLines('warn', plan.policies.map(formatPolicyFinding))),
    ...section(styledLines('faint', formatNotes(plan.notes))),
    ...section(formatRequiredObjects(plan.mustExist)),
    ...styledLines('faint', plan.prices ? [formatPriceDate(plan.prices)] : []),
    ...formatCost(plan.cost),
    ...styledLines('strong', [formatPlanTotals(plan)]),
  ];
}

/** Formats the lines that give routes to services from modelplane.ai, below a warning. */
function formatMissingRoutes({ services, lines, fleet }: MissingRoutes): Block[] {
  const place =
    fleet === undefined
      ? 'Add these lines to the fleet as a file'
      : `Put these additions into Fleet ${fleet}, in place of those that it has`;
  const what = `warning: no routes are made for ${joinNames(services)}. ${place}, or run 'fleetwright migrate --from modelplane':`;
  return [...styledLines('warn', [what]), '', ...lines.trimEnd().split('\n')];
}

export function formatWarnings(warnings: readonly Diagnostic[]): string[] {
  return warnings.map((warning) => `warning: ${formatDiagnostic(warning)}`);
}

export function formatNotes(notes: readonly string[]): string[] {
  return notes.map((note) => `note: ${note}`);
}

function formatPriceDate({ asOf, cluster, pool, source }: PriceDate): string {
  return `Prices are of ${asOf} or later: the oldest is that of ${cluster} / ${pool} (${source}).`;
}

/** Formats the last line of a plan: how many replicas are placed, moved and removed, and how many do not fit. */
export function formatPlanTotals({ totals }: Plan): string {
  const { place, move, remove, keep, leaving, unplaced, accepted } = totals;
  const changes = [`${place} to place`, `${move} to move`, `${remove} to remove`, `${keep} to keep`];
  const old = leaving > 0 ? [`${leaving} leaving until settled`] : [];
  const misfits = unplaced > 0 ? [`${unplaced} that ${unplaced === 1 ? 'does' : 'do'} not fit`] : [];
  const missing = accepted > 0 ? [`${accepted} without a place, as accepted`] : [];
  return `Plan: ${[...changes, ...old, ...misfits, ...missing].join(', ')}.`;
}

/** Formats the plans of deployments: one line per replica, and why others have no place. */
export function formatDeployments(deployments: readonly DeploymentPlan[]): Block[] {
  return indent(deployments.flatMap((deployment) => [formatDeploymentPlan(deployment), '']));
}

function formatDeploymentPlan(plan: DeploymentPlan): Item {
  const { deployment, replicas, engines, staying = [], changes, shortfall } = plan;
  const placed = replicas - (shortfall?.missing ?? 0);
  const count = shortfall ? `${placed} of ${pluralize(replicas, 'replica')} placed` : pluralize(replicas, 'replica');
  const engineCount = engines > 1 ? ` of ${pluralize(engines, 'engine')}` : '';
  return {
    text: [strong(deployment), `   ${count}${engineCount}`],
    below: [
      ...staying.map((replica) => {
        return { mark: MARKS.keep, cells: [placeText(replica.placement)], text: formatReplicaUsage(replica) };
      }),
      ...changes.map((change) => {
        const place = placeText('replica' in change ? change.replica.placement : change.from);
        return { mark: MARKS[change.action], cells: [place], text: changeText(change) };
      }),
      ...(shortfall ? [formatShortfall(shortfall)] : []),
    ],
  };
}

function changeText(change: Change): string {
  if (change.action === 'remove') return formatEvictionReason(change.reason);
  const usage = formatReplicaUsage(change.replica);
  if (change.action === 'place') return usage;
  if (change.action === 'leaving') return `${usage}   leaving, until it is settled`;
  const { from, reason, surgeFirst } = change;
  return `${usage}   from ${placeText(from)}, ${replacingText(surgeFirst)}: ${formatEvictionReason(reason)}`;
}

function formatReplicaUsage({ usage }: PlacedReplica): string {
  return usage.map(formatUsage).join('; ');
}

/** Formats what a replica takes of a pool, and how much of it is for rollouts: `pool h200: 2 nodes, 16 gpu`. */
export function formatUsage({ pool, nodes, devices, surge = {} }: Usage): string {
  const parts = [...(nodes > 0 ? [pluralize(nodes, 'node')] : []), ...formatDeviceAmounts(devices)];
  const spare = formatDeviceAmounts(surge);
  return `pool ${pool}: ${parts.join(', ')}${spare.length > 0 ? ` (${spare.join(', ')} of it for rollouts)` : ''}`;
}

function formatDeviceAmounts(devices: Readonly<Record<string, number>>): string[] {
  return Object.entries(devices).map(([request, count]) => `${count} ${request}`);
}

const MAX_NAMED_MEMBERS = 8;

/** Formats the services of a plan: the URLs of each, and the share of requests that each target gets. */
export function formatServices(services: readonly RoutedService[]): Item[] {
  const below = services.map(({ namespace, name, doors, rules }): Item => {
    const urls = [...new Set(doors.map(({ url }) => url))].join(', ');
    return { text: [strong(`${namespace}/${name}`), `   ${urls}`], below: rules.flatMap(formatRule) };
  });
  return services.length > 0 ? [{ look: 'strong', text: 'Services:', below }] : [];
}

function formatRule(rule: RouteRule): Block[] {
  const conditions = formatConditions(rule);
  const more = rule.members.length - MAX_NAMED_MEMBERS;
  const members = [
    ...rule.members.slice(0, MAX_NAMED_MEMBERS).map((member) => formatMember(member, rule)),
    ...(more > 0 ? [`${more} more`] : []),
  ];
  return conditions.length > 0 ? [{ text: `with ${conditions.join(', ')}`, below: members }] : members;
}

/** Formats the conditions for requests to follow a rule: `x-tenant: a`, `model qwen3`. */
export function formatConditions({ headers, model }: RouteRule): string[] {
  return [
    ...headers.map(({ name, value }) => `${name}: ${redactValue(value, name)}`),
    ...(model === undefined ? [] : [`model ${model}`]),
  ];
}

function formatMember(member: RouteMember, { members }: RouteRule): string {
  const { weight, tier, target, cluster, replicas } = member;
  const share = formatShareAsPercent(weight, totalWeightOf(members, tier));
  const name = `${target.namespace}/${target.name}`;
  const where =
    cluster === undefined ? `endpoint ${name}` : `${name} on ${cluster} (${pluralize(replicas.length, 'replica')})`;
  return `${share}   ${where}${tier === 1 ? ', once nothing above serves' : ''}`;
}

/** Formats the objects that must exist on clusters. Clusters that need the same objects share an entry. */
export function formatRequiredObjects(needs: readonly ClusterNeeds[]): Item[] {
  if (needs.length === 0) return [];
  const groups = groupBy(needs, ({ objects }) => JSON.stringify(objects));
  const below = [...groups.values()].map((group) => ({
    text: joinNames(group.map(({ cluster }) => cluster)),
    below: (group[0]?.objects ?? []).map(formatRequiredObject),
  }));
  return [{ look: 'strong', text: 'Must exist before manifests are applied:', below }];
}

/** Formats an object: `Secret ml/hugging-face (HF_TOKEN), for ModelCache ml/qwen3`. */
function formatRequiredObject({ kind, namespace, name, keys, dnsNames = [], for: owners }: RequiredObject): string {
  const read = keys.length > 0 ? ` (${keys.join(', ')})` : '';
  const names = dnsNames.length > 0 ? ` of ${joinNames(dnsNames)}` : '';
  return `${kind} ${idText(namespace, name)}${read}${names}, for ${joinNames(owners)}`;
}

/** Formats whether a drain can finish (with `lock --settle`, once the replacements serve) as a line. */
export function formatDrain({ cluster, replicas, stuck }: Drain): string {
  if (stuck.length === 0) {
    const have = replicas === 1 ? 'its 1 replica has' : `its ${replicas} replicas have`;
    return `drain of ${cluster}: can finish, ${have} a replacement`;
  }
  const names = joinNames(stuck.map(formatStuck), MAX_NAMED_REPLICAS, '; ');
  const count = `${stuck.length} of ${pluralize(replicas, 'replica')}`;
  return `drain of ${cluster}: cannot finish, ${count} cannot leave: ${names}`;
}

export function formatDrains(drains: readonly Drain[]): Item[] {
  return drains.map((drain) => ({ text: formatDrain(drain), look: drain.stuck.length > 0 ? 'warn' : 'change' }));
}

/** The maximum number of stuck replicas to list; others are counted. */
const MAX_NAMED_REPLICAS = 8;

const STUCK_REASONS: Readonly<Record<Stuck['why'], string>> = {
  'no-replacement': 'has no replacement',
  paused: 'is paused',
};

function formatStuck({ placement: { deployment, cluster, index }, why }: Stuck): string {
  return `${deployment} ${cluster}/${index} ${STUCK_REASONS[why]}`;
}
