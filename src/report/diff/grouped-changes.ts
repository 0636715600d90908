import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { CloudChange } from '../../diff/cloud-changes';
import type { DeclarationChange } from '../../diff/declaration-changes';
import type { FleetDiff, ObjectChangeWithCauses } from '../../diff/fleet-diff';
import type { GatewayChange, RouteChanges, ServiceChange } from '../../diff/route-changes';
import type { ApplyMode } from '../../diff/serving-during-change';
import { type Block, faint, type Item, CHANGE_MARKS, strong } from '../document/document';
import { groupAlike, MAX_GROUP_NAMES, MAX_SINGLE_ITEMS, showFirstOfAlike, templateOf } from '../document/group-alike';
import { type DeploymentRow, toDeploymentRows } from '../pull-request/deployment-rows';
import { formatCounts } from '../pull-request/clauses';
import { describeActions } from '../pull-request/deployment-table';
import { groupRows } from '../pull-request/group-rows';
import { namesOfService } from '../pull-request/traffic-table';
import { formatBecause, type FormatCauses, formatObjectTotals } from './change-sentences';
import { formatCloudChanges } from './cloud-changes-text';
import { formatFieldChange, shortenField } from './field-changes-text';
import { formatRouteChanges } from './route-changes-text';

/**
 * Formats declarations that change: of many, those with the same edits as one, and of those with other values of the
 * same fields the first.
 *
 * @param format formats one
 */
export function groupDeclarations(
  declarations: readonly DeclarationChange[],
  format: (one: DeclarationChange) => Item,
): Block[] {
  const groups = groupAlike(declarations, (one) => editKeyOf(one, formatShortField));
  const single = groups.flatMap((group) => (group.length === 1 ? group : []));
  return [
    ...showFirstOfAlike(single, {
      keyOf: (one) => editKeyOf(one, ({ field }) => field),
      nameOf,
      blocksOf: (one) => [format(one)],
    }),
    ...groups.flatMap((group) => (group.length > 1 ? formatSameEdits(group) : [])),
  ];
}

function editKeyOf({ id, action, fields }: DeclarationChange, keyOf: (field: FieldOfDeclaration) => string): string {
  const [kind] = id.split(' ');
  return JSON.stringify([kind, action, fields.map(keyOf)]);
}

type FieldOfDeclaration = DeclarationChange['fields'][number];

function formatSameEdits([first, ...others]: readonly DeclarationChange[]): Item[] {
  if (!first) return [];
  const all = [first, ...others];
  const [kind = ''] = first.id.split(' ');
  // What a program declares has no position in a file.
  const files = sortUnique(all.flatMap(({ where }) => (POSITION.test(where) ? where.replace(POSITION, '') : [])));
  return [
    {
      mark: CHANGE_MARKS[first.action],
      text: [
        `${formatCount(all.length)} of kind ${kind}: ${joinNames(all.map(nameOf), MAX_GROUP_NAMES)}   `,
        faint(joinNames(files, MAX_GROUP_NAMES)),
      ],
      below: first.action === 'removed' ? [] : first.fields.map(formatShortField),
    },
  ];
}

/** The position behind a file. */
const POSITION = /:\d+:\d+$/;

function nameOf({ id }: DeclarationChange): string {
  return id.slice(id.indexOf(' ') + 1);
}

function formatShortField(field: FieldOfDeclaration): string {
  return formatFieldChange({ ...field, field: shortenField(field.field) });
}

/** What a row explains by an edit. */
const STOPS = ['roll', 'restart', 'offline', 'mayRestart', 'move'] as const;

/** Rows of several deployments to which the same happens, of many that change. Empty where there are few. */
export function groupDeployments(diff: FleetDiff): DeploymentRow[] {
  const rows = toDeploymentRows({ ...diff, copies: [] }, { deployments: [] });
  // Only of replicas that stop does a row say for which edit.
  const shown = rows.map((row) => (STOPS.some((action) => row.actions[action] > 0) ? row : { ...row, edits: '' }));
  return groupRows(shown).filter(({ deployments }) => deployments.length > 1);
}

/** `500 deployments: ml/a, ml/b, ml/c, 497 more`, with what happens to them and how many of each serve meanwhile. */
export function formatDeploymentRow(row: DeploymentRow): Item {
  const { deployments, replicas } = row;
  const names = joinNames(deployments, MAX_GROUP_NAMES);
  const count = `${formatCounts(replicas)} replica${replicas.after === 1 ? '' : 's'}`;
  return {
    text: [strong(pluralize(deployments.length, 'deployment')), toAscii(`: ${names}   ${count}`)],
    below: [toAscii(describeActions(row)), ...formatServing(row)],
  };
}

function toAscii(text: string): string {
  return text.replaceAll('→', '->');
}

/** `serving during rollout: all but 1 of each, 0 where all are replaced at once`. Empty where nothing stops. */
function formatServing({ serving, mostDown, replicas }: DeploymentRow): string[] {
  if (!serving || !mostDown || replicas.after === 0) return [];
  if (Math.max(mostDown.withWaves, mostDown.perCluster, mostDown.atOnce) <= 0) return [];
  const least = (mode: ApplyMode): string =>
    serving[mode] === 0 ? '0' : mostDown[mode] <= 0 ? 'all of each' : `all but ${mostDown[mode]} of each`;
  const worse = WORSE_MODES.filter(([mode]) => serving[mode] < serving.withWaves);
  const parts = [least('withWaves'), ...worse.map(([mode, where]) => `${least(mode)} where ${where}`)];
  return [`serving during rollout: ${parts.join(', ')}`];
}

const WORSE_MODES = [
  ['perCluster', 'clusters are applied independently'],
  ['atOnce', 'all are replaced at once'],
] as const;

/** The command that lists each of several lists, of which one is too long to be listed in full. */
export function pointToAll(command: string, lists: readonly (readonly unknown[])[]): string[] {
  return lists.some(({ length }) => length > MAX_SINGLE_ITEMS) ? [`Each change: '${command}'.`] : [];
}

/** The lists of changes of deployments, which rows and lines merge. */
export function listsOfReplicas({ deployments }: Pick<FleetDiff, 'deployments'>): (readonly unknown[])[] {
  return [deployments, ...deployments.map(({ changes }) => changes)];
}

/** The lists of changes of routes, which lines merge. */
export function listsOfRoutes({ services, gateways }: RouteChanges): (readonly unknown[])[] {
  return [services, gateways, ...services.map(({ members }) => members)];
}

/** A cluster and its objects that change. */
export type ClusterObjects = readonly [string, readonly ObjectChangeWithCauses[]];

/** `objects on us   2 changed; because ...`, with the causes that all of them have. */
export function formatObjectCount([cluster, changes]: ClusterObjects): Item {
  return { text: [strong(`objects on ${cluster}`), `   ${formatObjectTotals(changes)}${sharedCausesOf(changes)}`] };
}

/** The causes that all changes have. Empty where they differ. */
export function sharedCausesOf(changes: readonly ObjectChangeWithCauses[]): string {
  const [because = '', ...others] = new Set(changes.map(({ causes }) => formatBecause(causes)));
  return others.length === 0 ? because : '';
}

/** One line for clusters with as many changed objects, of many clusters, and one for the clusters that are left. */
export function formatObjectGroups(objects: readonly ObjectChangeWithCauses[]): Block[] {
  const clusters = [...groupBy(objects, ({ cluster }) => cluster)];
  const groups = groupAlike(clusters, ([, changes]) => formatObjectTotals(changes));
  const [shared, single] = [groups.filter((group) => group.length > 1), groups.filter((group) => group.length === 1)];
  const rest = single.length > MAX_SINGLE_ITEMS ? single.flat() : [];
  const lines = rest.length > 0 ? shared : [...single, ...shared];
  return [
    ...lines.flatMap(formatObjectGroup),
    ...(rest.length > 0 ? [formatOtherObjects(rest, shared.length > 0)] : []),
  ];
}

function formatObjectGroup([first, ...others]: readonly ClusterObjects[]): Item[] {
  if (!first) return [];
  if (others.length === 0) return [formatObjectCount(first)];
  return [{ text: [strong(titleOf([first, ...others])), `   ${formatObjectTotals(first[1])} on each`] }];
}

function formatOtherObjects(rest: readonly ClusterObjects[], isOther: boolean): Item {
  const totals = formatObjectTotals(rest.flatMap(([, changes]) => changes));
  return { text: [strong(titleOf(rest, isOther ? 'other ' : '')), `   ${totals}`] };
}

function titleOf(clusters: readonly ClusterObjects[], other = ''): string {
  const names = joinNames(
    clusters.map(([cluster]) => cluster),
    MAX_GROUP_NAMES,
  );
  return `objects on ${pluralize(clusters.length, `${other}cluster`)}: ${names}`;
}

/** The changes of services and gateways, with the first of many that are alike. */
export function groupRoutes({ services, gateways }: RouteChanges, because?: FormatCauses): Block[] {
  const shown = [
    ...showFirstOfAlike(services, {
      keyOf: (one) => templateOf(formatServiceRoutes(one, NO_CAUSES), namesOfService(one)),
      nameOf: ({ service }) => service,
      blocksOf: (one) => formatServiceRoutes(one, because),
    }),
    ...showFirstOfAlike(gateways, {
      keyOf: (one) => templateOf(formatGatewayRoutes(one, NO_CAUSES), [one.cluster]),
      nameOf: ({ cluster }) => cluster,
      blocksOf: (one) => formatGatewayRoutes(one, because),
    }),
  ];
  return shown.map(indentRest);
}

/** Blocks of changes are indented already, other lines are not. */
function indentRest(block: Block): Block {
  return typeof block === 'object' && 'text' in block ? { indent: 2, blocks: [block] } : block;
}

const NO_CAUSES = (): string => '';

function formatServiceRoutes(service: ServiceChange, because?: FormatCauses): Block[] {
  return formatRouteChanges({ services: [service], gateways: [] }, because, true);
}

function formatGatewayRoutes(gateway: GatewayChange, because?: FormatCauses): Block[] {
  return formatRouteChanges({ services: [], gateways: [gateway] }, because);
}

export function groupCloud(changes: readonly CloudChange[]): Block[] {
  const clusters = [...groupBy(changes, ({ cluster }) => cluster)];
  const shown = showFirstOfAlike(clusters, {
    keyOf: ([cluster, all]) => templateOf(formatCloudChanges(all, NO_CAUSES), [cluster]),
    nameOf: ([cluster]) => cluster,
    blocksOf: ([, all]) => formatCloudChanges(all),
  });
  return shown.map(indentRest);
}
