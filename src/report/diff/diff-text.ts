import { groupBy } from '../../base/order';
import { pluralize } from '../../base/text';
import type { DeclarationChange } from '../../diff/declaration-changes';
import { type DeploymentDiff, findOutages, type FleetDiff } from '../../diff/fleet-diff';
import type { ObjectChange } from '../../diff/object-changes';
import type { ReplicaChange } from '../../diff/replica-changes';
import { formatCostChanges } from '../cost/cost-changes-text';
import {
  ADD_MARK,
  CHANGE_MARK,
  formatMarkedLine,
  KEEP_MARK,
  type LineMark,
  MOVE_MARK,
  PLAIN_STYLE,
  REMOVE_MARK,
  REPLACE_MARK,
  type Style,
} from '../document/terminal-style';
import {
  formatBecause,
  formatCacheChange,
  formatDiffTotals,
  formatObjectName,
  formatObjectTotals,
  formatOutage,
  formatReplicaChange,
  formatReplicaLocation,
  formatServing,
} from './change-sentences';
import { formatCloudChanges } from './cloud-changes-text';
import { formatFieldChange } from './field-changes-text';
import { formatRouteChanges } from './route-changes-text';

const DECLARATION_MARKS: Readonly<Record<DeclarationChange['action'], LineMark>> = {
  added: ADD_MARK,
  removed: REMOVE_MARK,
  changed: CHANGE_MARK,
};
const REPLICA_MARKS: Readonly<Record<ReplicaChange['action'], LineMark>> = {
  keep: KEEP_MARK,
  place: ADD_MARK,
  move: MOVE_MARK,
  roll: CHANGE_MARK,
  leaving: CHANGE_MARK,
  remove: REMOVE_MARK,
};
const OBJECT_MARKS: Readonly<Record<ObjectChange['action'], LineMark>> = {
  create: ADD_MARK,
  change: CHANGE_MARK,
  replace: REPLACE_MARK,
  delete: REMOVE_MARK,
};

/**
 * A comparison of two states for a person: declarations, replicas with their reasons, caches, routes, cloud resources,
 * objects, cost, totals.
 */
export function formatDiff(diff: FleetDiff, style: Style = PLAIN_STYLE): string {
  const { against, declarations, deployments, caches, cloud, cost } = diff;
  const routes = formatRouteChanges(diff.routes, style);
  return [
    `${style.strong(`Against ${against}:`)} ${pluralize(declarations.length, 'declaration')} changed`,
    ...declarations.flatMap((change) => formatDeclaration(change, style)),
    '',
    ...deployments.flatMap((deployment) => [...formatDeployment(deployment, style), '']),
    ...caches.map((change) => `  cache ${formatCacheChange(change)}`),
    ...(caches.length > 0 ? [''] : []),
    ...routes,
    ...(routes.length > 0 ? [''] : []),
    ...formatCloudChanges(cloud, style),
    ...(cloud.length > 0 ? [''] : []),
    ...formatObjects(diff, style),
    ...findOutages(diff, true).map((one) => style.warn(`warning: ${formatOutage(one)}.`)),
    ...(cost ? formatCostChanges(cost, style) : []),
    style.strong(`Changes of ${formatDiffTotals(diff)}`),
  ].join('\n');
}

function formatDeclaration({ id, action, where, fields }: DeclarationChange, style: Style): string[] {
  return [
    formatMarkedLine(DECLARATION_MARKS[action], `${id}   ${style.faint(where)}`, style, 2),
    ...fields.map((field) => `      ${formatFieldChange(field)}   ${style.faint(field.where)}`),
  ];
}

function formatDeployment(diff: DeploymentDiff, style: Style): string[] {
  const places = diff.changes.map(formatReplicaLocation);
  const width = Math.max(0, ...places.map((place) => place.length));
  return [
    `  ${style.strong(diff.deployment)}   ${formatServing(diff)}`,
    ...diff.changes.map((change, i) => {
      const place = (places[i] ?? '').padEnd(width);
      return formatMarkedLine(
        REPLICA_MARKS[change.action],
        `${place}   ${formatReplicaChange(change)}`,
        style,
      );
    }),
  ];
}

function formatObjects({ objects }: FleetDiff, style: Style): string[] {
  return [...groupBy(objects, ({ cluster }) => cluster)].flatMap(([cluster, changes]) => [
    `  ${style.strong(`objects on ${cluster}`)}   ${formatObjectTotals(changes)}`,
    ...changes.flatMap((change) => [
      formatMarkedLine(
        OBJECT_MARKS[change.action],
        `${formatObjectName(change)}${formatBecause(change.causes)}`,
        style,
      ),
      ...change.fields.map((field) => `        ${formatFieldChange(field)}`),
    ]),
    '',
  ]);
}
