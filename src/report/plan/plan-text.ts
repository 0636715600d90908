import { formatDiagnostic } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type {
  Change,
  DeploymentPlan,
  Drain,
  PlacedReplica,
  Plan,
  PriceDate,
  Stuck,
  Usage,
} from '../../plan/plan';
import { formatPolicyFinding } from '../../plan/policy/check-policies';
import { formatEvictionReason } from '../../plan/rejection-messages';
import type { ClusterNeeds } from '../../plan/required-objects';
import type { RequiredObject } from '../../render/external-references';
import type { RoutedService, RouteMember, RouteRule } from '../../routing/routing';
import { formatShareAsPercent, totalWeightOf } from '../../routing/weights';
import type { Placement } from '../../scheduler/schedule-result';
import { formatCost } from '../cost/cost-summary';
import { PLAIN_STYLE, type Style } from '../document/terminal-style';
import { formatShortfall } from './shortfall-text';

/**
 * A plan for a person: every deployment with what happens to its replicas, every shortfall with the first reason
 * against each cluster and pool, whether drains can finish, and the totals in the last line.
 *
 * @param name what the fleet is called: the path it was read from
 */
export function formatPlan(plan: Plan, name: string, style: Style = PLAIN_STYLE): string {
  const { clusters, pools, deployments, replicas } = plan.fleet;
  const sizes = [
    pluralize(clusters, 'cluster'),
    pluralize(pools, 'pool'),
    pluralize(deployments, 'deployment'),
    pluralize(replicas, 'replica'),
  ];
  return [
    `${style.strong(`Fleet ${name}:`)} ${sizes.join(', ')}`,
    '',
    ...plan.deployments.flatMap((deployment) => [...formatDeploymentPlan(deployment, style), '']),
    ...formatServices(plan.services, style),
    ...(plan.services.length > 0 ? [''] : []),
    ...formatPlanMessages(plan, style),
  ].join('\n');
}

/** What a plan says besides what happens to replicas: drains, warnings, notes, what must exist, and the totals. */
export function formatPlanMessages(plan: Plan, style: Style = PLAIN_STYLE): string[] {
  return [
    ...plan.drains.map((drain) => formatDrain(drain, style)),
    ...(plan.drains.length > 0 ? [''] : []),
    ...plan.warnings.map((warning) => style.warn(`warning: ${formatDiagnostic(warning)}`)),
    ...(plan.warnings.length > 0 ? [''] : []),
    ...plan.policies.map((finding) => style.warn(formatPolicyFinding(finding))),
    ...(plan.policies.length > 0 ? [''] : []),
    ...plan.notes.map((note) => style.faint(`note: ${note}`)),
    ...(plan.notes.length > 0 ? [''] : []),
    ...formatRequiredObjects(plan.mustExist, style),
    ...(plan.mustExist.length > 0 ? [''] : []),
    ...(plan.prices ? [style.faint(formatPriceDate(plan.prices))] : []),
    ...formatCost(plan.cost, style),
    style.strong(formatPlanTotals(plan)),
  ];
}

function formatPriceDate({ asOf, cluster, pool, source }: PriceDate): string {
  return `Prices are of ${asOf} or later: the oldest is that of ${cluster} / ${pool} (${source}).`;
}

/** The last line: what would be placed, moved, removed, and what does not fit. */
export function formatPlanTotals({ totals }: Plan): string {
  const { place, move, remove, keep, leaving, unplaced, accepted } = totals;
  const changes = [`${place} to place`, `${move} to move`, `${remove} to remove`, `${keep} to keep`];
  const old = leaving > 0 ? [`${leaving} leaving until settled`] : [];
  const misfits = unplaced > 0 ? [`${unplaced} that ${unplaced === 1 ? 'does' : 'do'} not fit`] : [];
  const known = accepted > 0 ? [`${accepted} without a place, as accepted`] : [];
  return `Plan: ${[...changes, ...old, ...misfits, ...known].join(', ')}.`;
}

/** What happens to a deployment: a line a replica, and why others have no place. */
export function formatDeploymentPlan(
  { deployment, replicas, engines, staying = [], changes, shortfall }: DeploymentPlan,
  style: Style,
): string[] {
  const placed = replicas - (shortfall?.missing ?? 0);
  const count = shortfall
    ? `${placed} of ${pluralize(replicas, 'replica')} placed`
    : pluralize(replicas, 'replica');
  const parts = engines > 1 ? ` of ${pluralize(engines, 'engine')}` : '';
  const labels = [
    ...staying.map(({ placement }) => formatReplicaName(placement)),
    ...changes.map(changeLabel),
  ];
  const width = labels.reduce((most, { length }) => Math.max(most, length), 0);
  return [
    `  ${style.strong(deployment)}   ${count}${parts}`,
    ...staying.map((replica) =>
      style.faint(
        `    = ${formatReplicaName(replica.placement).padEnd(width)}   ${formatReplicaUsage(replica)}`,
      ),
    ),
    ...changes.map((change) => formatChange(change, width, style)),
    ...(shortfall ? formatShortfall(shortfall, style) : []),
  ];
}

function formatChange(change: Change, width: number, style: Style): string {
  const { mark, paint, text } = presentationOf(change);
  return style[paint](`    ${mark} ${changeLabel(change).padEnd(width)}   ${text}`);
}

type ChangeOf<A extends Change['action']> = Extract<Change, { action: A }>;

/** The mark, the colour and the words of each kind of change. */
const CHANGE_FORMATS: {
  readonly [A in Change['action']]: {
    readonly mark: string;
    readonly paint: keyof Style;
    readonly text: (change: ChangeOf<A>) => string;
  };
} = {
  place: { mark: '+', paint: 'add', text: ({ replica }) => formatReplicaUsage(replica) },
  move: {
    mark: '>',
    paint: 'change',
    text: ({ replica, from, reason, surgeFirst }) => {
      const how = surgeFirst ? 'which serves until it is settled' : 'with a gap';
      return `${formatReplicaUsage(replica)}   from ${formatReplicaName(from)}, ${how}: ${formatEvictionReason(reason)}`;
    },
  },
  remove: { mark: '-', paint: 'remove', text: ({ reason }) => formatEvictionReason(reason) },
  leaving: {
    mark: '~',
    paint: 'change',
    text: ({ replica }) => `${formatReplicaUsage(replica)}   leaving, until it is settled`,
  },
};

function presentationOf<A extends Change['action']>(
  change: ChangeOf<A>,
): { mark: string; paint: keyof Style; text: string } {
  const { mark, paint, text } = CHANGE_FORMATS[change.action as A];
  return { mark, paint, text: text(change) };
}

function changeLabel(change: Change): string {
  return formatReplicaName('replica' in change ? change.replica.placement : change.from);
}

function formatReplicaName({ cluster, index }: Placement): string {
  return `${cluster}/${index}`;
}

function formatReplicaUsage({ usage }: PlacedReplica): string {
  return usage.map(formatUsage).join('; ');
}

/** What a replica takes of one pool: `pool h200: 2 nodes, 16 gpu`, and what of it is for rollouts. */
export function formatUsage({ pool, nodes, devices, surge = {} }: Usage): string {
  const parts = [...(nodes > 0 ? [pluralize(nodes, 'node')] : []), ...formatDeviceAmounts(devices)];
  const spare = formatDeviceAmounts(surge);
  return `pool ${pool}: ${parts.join(', ')}${spare.length > 0 ? ` (${spare.join(', ')} of it for rollouts)` : ''}`;
}

function formatDeviceAmounts(devices: Readonly<Record<string, number>>): string[] {
  return Object.entries(devices).map(([request, count]) => `${count} ${request}`);
}

/** A plan names at most this many members of a rule. */
const MAX_NAMED_MEMBERS = 8;

/** The services of a plan for a person: where each is found, and who gets which share of its requests. */
export function formatServices(services: readonly RoutedService[], style: Style = PLAIN_STYLE): string[] {
  const lines = services.flatMap((service) => [
    `  ${style.strong(`${service.namespace}/${service.name}`)}   ${[...new Set(service.doors.map(({ url }) => url))].join(', ')}`,
    ...service.rules.flatMap((rule) => formatRule(rule)),
  ]);
  return services.length > 0 ? [style.strong('Services:'), ...lines] : [];
}

function formatRule(rule: RouteRule): string[] {
  const conditions = [
    ...rule.headers.map(({ name, value }) => `${name}: ${value}`),
    ...(rule.model === undefined ? [] : [`model ${rule.model}`]),
  ];
  const indent = conditions.length > 0 ? '      ' : '    ';
  const more = rule.members.length - MAX_NAMED_MEMBERS;
  return [
    ...(conditions.length > 0 ? [`    with ${conditions.join(', ')}`] : []),
    ...rule.members.slice(0, MAX_NAMED_MEMBERS).map((member) => indent + formatMember(member, rule)),
    ...(more > 0 ? [`${indent}${more} more`] : []),
  ];
}

function formatMember(member: RouteMember, { members }: RouteRule): string {
  const { weight, tier, target, cluster, replicas } = member;
  const share = formatShareAsPercent(weight, totalWeightOf(members, tier));
  const name = `${target.namespace}/${target.name}`;
  const where =
    cluster === undefined
      ? `endpoint ${name}`
      : `${name} on ${cluster} (${pluralize(replicas.length, 'replica')})`;
  return `${share}   ${where}${tier === 1 ? ', once nothing above serves' : ''}`;
}

/**
 * What has to be on clusters before manifests are applied, for a person: a line an object, by namespace. Clusters
 * that lack the same stand together.
 */
export function formatRequiredObjects(needs: readonly ClusterNeeds[], style: Style = PLAIN_STYLE): string[] {
  if (needs.length === 0) return [];
  const alike = groupBy(needs, ({ objects }) => JSON.stringify(objects));
  return [
    style.strong('Must exist before manifests are applied:'),
    ...[...alike.values()].flatMap((same) => [
      `  ${joinNames(same.map(({ cluster }) => cluster))}`,
      ...(same[0]?.objects ?? []).map((object) => `    ${formatRequiredObject(object)}`),
    ]),
  ];
}

/** `Secret ml/hugging-face (HF_TOKEN), for ModelCache ml/qwen3`. */
function formatRequiredObject({
  kind,
  namespace,
  name,
  keys,
  dnsNames = [],
  for: owners,
}: RequiredObject): string {
  const id = namespace === undefined ? name : `${namespace}/${name}`;
  const read = keys.length > 0 ? ` (${keys.join(', ')})` : '';
  const names = dnsNames.length > 0 ? ` of ${joinNames(dnsNames)}` : '';
  return `${kind} ${id}${read}${names}, for ${joinNames(owners)}`;
}

/** Whether a drain can finish, as one line: with `lock --settle`, once the replacements serve. */
export function formatDrain({ cluster, replicas, stuck }: Drain, style: Style): string {
  if (stuck.length === 0) {
    const have = replicas === 1 ? 'its 1 replica has' : `its ${replicas} replicas have`;
    return style.change(`drain of ${cluster}: can finish, ${have} a replacement`);
  }
  const more = stuck.length - MAX_NAMED_REPLICAS;
  const names = [
    ...stuck.slice(0, MAX_NAMED_REPLICAS).map(formatStuck),
    ...(more > 0 ? [`${more} more`] : []),
  ];
  const count = `${stuck.length} of ${pluralize(replicas, 'replica')}`;
  return style.warn(`drain of ${cluster}: cannot finish, ${count} cannot leave: ${names.join('; ')}`);
}

/** More replicas than this are counted. */
const MAX_NAMED_REPLICAS = 8;

const STUCK_REASONS: Readonly<Record<Stuck['why'], string>> = {
  'no-replacement': 'has no replacement',
  paused: 'is paused',
};

function formatStuck({ placement: { deployment, cluster, index }, why }: Stuck): string {
  return `${deployment} ${cluster}/${index} ${STUCK_REASONS[why]}`;
}
