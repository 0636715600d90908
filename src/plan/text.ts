import type { Placement } from '../scheduler/types';
import { describe } from '../errors';
import { formatCost } from './cost-text';
import { formatDrain } from './drain-text';
import { plural } from './format';
import { PLAIN, type Style } from './style';
import { formatNeeds } from './needs-text';
import type { Change, DeploymentPlan, PlacedReplica, Plan, PriceDate, Usage } from './plan';
import { formatPolicy } from './policies-of';
import { formatEviction } from './reasons';
import { formatServices } from './services-text';
import { formatShortfall } from './shortfall-text';

/**
 * A plan for a person: every deployment with what happens to its replicas, every shortfall with the first reason
 * against each cluster and pool, whether drains can finish, and the totals in the last line.
 *
 * @param name what the fleet is called: the path it was read from
 */
export function formatPlan(plan: Plan, name: string, style: Style = PLAIN): string {
  const { clusters, pools, deployments, replicas } = plan.fleet;
  const sizes = [
    plural(clusters, 'cluster'),
    plural(pools, 'pool'),
    plural(deployments, 'deployment'),
    plural(replicas, 'replica'),
  ];
  return [
    `${style.strong(`Fleet ${name}:`)} ${sizes.join(', ')}`,
    '',
    ...plan.deployments.flatMap((deployment) => [...formatDeployment(deployment, style), '']),
    ...formatServices(plan.services, style),
    ...(plan.services.length > 0 ? [''] : []),
    ...formatRemarks(plan, style),
  ].join('\n');
}

/** What a plan says besides what happens to replicas: drains, warnings, notes, what must exist, and the totals. */
export function formatRemarks(plan: Plan, style: Style = PLAIN): string[] {
  return [
    ...plan.drains.map((drain) => formatDrain(drain, style)),
    ...(plan.drains.length > 0 ? [''] : []),
    ...plan.warnings.map((warning) => style.warn(`warning: ${describe(warning)}`)),
    ...(plan.warnings.length > 0 ? [''] : []),
    ...plan.policies.map((finding) => style.warn(formatPolicy(finding))),
    ...(plan.policies.length > 0 ? [''] : []),
    ...plan.notes.map((note) => style.faint(`note: ${note}`)),
    ...(plan.notes.length > 0 ? [''] : []),
    ...formatNeeds(plan.mustExist, style),
    ...(plan.mustExist.length > 0 ? [''] : []),
    ...(plan.prices ? [style.faint(formatPriceDate(plan.prices))] : []),
    ...formatCost(plan.cost, style),
    style.strong(formatTotals(plan)),
  ];
}

function formatPriceDate({ asOf, cluster, pool, source }: PriceDate): string {
  return `Prices are of ${asOf} or later: the oldest is that of ${cluster} / ${pool} (${source}).`;
}

/** The last line: what would be placed, moved, removed, and what does not fit. */
export function formatTotals({ totals }: Plan): string {
  const { place, move, remove, keep, leaving, unplaced, accepted } = totals;
  const changes = [`${place} to place`, `${move} to move`, `${remove} to remove`, `${keep} to keep`];
  const old = leaving > 0 ? [`${leaving} leaving until settled`] : [];
  const misfits = unplaced > 0 ? [`${unplaced} that ${unplaced === 1 ? 'does' : 'do'} not fit`] : [];
  const known = accepted > 0 ? [`${accepted} without a place, as accepted`] : [];
  return `Plan: ${[...changes, ...old, ...misfits, ...known].join(', ')}.`;
}

/** What happens to a deployment: a line a replica, and why others have no place. */
export function formatDeployment(
  { deployment, replicas, engines, staying = [], changes, shortfall }: DeploymentPlan,
  style: Style,
): string[] {
  const placed = replicas - (shortfall?.missing ?? 0);
  const count = shortfall
    ? `${placed} of ${plural(replicas, 'replica')} placed`
    : plural(replicas, 'replica');
  const parts = engines > 1 ? ` of ${plural(engines, 'engine')}` : '';
  const labels = [...staying.map(({ placement }) => place(placement)), ...changes.map(label)];
  const width = labels.reduce((most, { length }) => Math.max(most, length), 0);
  return [
    `  ${style.strong(deployment)}   ${count}${parts}`,
    ...staying.map((replica) =>
      style.faint(`    = ${place(replica.placement).padEnd(width)}   ${usage(replica)}`),
    ),
    ...changes.map((change) => formatChange(change, width, style)),
    ...(shortfall ? formatShortfall(shortfall, style) : []),
  ];
}

function formatChange(change: Change, width: number, style: Style): string {
  const { mark, paint, text } = lookOf(change);
  return style[paint](`    ${mark} ${label(change).padEnd(width)}   ${text}`);
}

type ChangeOf<A extends Change['action']> = Extract<Change, { action: A }>;

/** The mark, the colour and the words of each kind of change. */
const CHANGES: {
  readonly [A in Change['action']]: {
    readonly mark: string;
    readonly paint: keyof Style;
    readonly text: (change: ChangeOf<A>) => string;
  };
} = {
  place: { mark: '+', paint: 'add', text: ({ replica }) => usage(replica) },
  move: {
    mark: '>',
    paint: 'change',
    text: ({ replica, from, reason, surgeFirst }) => {
      const how = surgeFirst ? 'which serves until it is settled' : 'with a gap';
      return `${usage(replica)}   from ${place(from)}, ${how}: ${formatEviction(reason)}`;
    },
  },
  remove: { mark: '-', paint: 'remove', text: ({ reason }) => formatEviction(reason) },
  leaving: {
    mark: '~',
    paint: 'change',
    text: ({ replica }) => `${usage(replica)}   leaving, until it is settled`,
  },
};

function lookOf<A extends Change['action']>(
  change: ChangeOf<A>,
): { mark: string; paint: keyof Style; text: string } {
  const { mark, paint, text } = CHANGES[change.action as A];
  return { mark, paint, text: text(change) };
}

function label(change: Change): string {
  return place('replica' in change ? change.replica.placement : change.from);
}

function place({ cluster, index }: Placement): string {
  return `${cluster}/${index}`;
}

function usage({ usage }: PlacedReplica): string {
  return usage.map(formatUsage).join('; ');
}

/** What a replica takes of one pool: `pool h200: 2 nodes, 16 gpu`, and what of it is for rollouts. */
export function formatUsage({ pool, nodes, devices, surge = {} }: Usage): string {
  const parts = [...(nodes > 0 ? [plural(nodes, 'node')] : []), ...amounts(devices)];
  const spare = amounts(surge);
  return `pool ${pool}: ${parts.join(', ')}${spare.length > 0 ? ` (${spare.join(', ')} of it for rollouts)` : ''}`;
}

function amounts(devices: Readonly<Record<string, number>>): string[] {
  return Object.entries(devices).map(([request, count]) => `${count} ${request}`);
}
