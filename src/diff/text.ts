import { groupBy } from '../order';
import { formatCostChanges } from '../plan/cost-changes-text';
import { plural } from '../plan/format';
import { PLAIN, type Style } from '../plan/style';
import { cloudLines } from './cloud-text';
import type { DeclarationChange } from './declaration-changes';
import type { DeploymentDiff, FleetDiff } from './fleet-diff';
import { ADD, CHANGE, KEEP, type Mark, marked, MOVE, REMOVE, REPLACE } from './marks';
import type { ObjectChange } from './object-changes';
import type { ReplicaChange } from './replica-changes';
import { routeLines } from './route-text';
import { fieldText } from './value-text';
import {
  becauseText,
  cacheText,
  changeText,
  diffTotals,
  objectName,
  objectTotals,
  outages,
  outageText,
  placeText,
  servingText,
} from './words';

const DECLARATIONS: Readonly<Record<DeclarationChange['action'], Mark>> = {
  added: ADD,
  removed: REMOVE,
  changed: CHANGE,
};
const REPLICAS: Readonly<Record<ReplicaChange['action'], Mark>> = {
  keep: KEEP,
  place: ADD,
  move: MOVE,
  roll: CHANGE,
  leaving: CHANGE,
  remove: REMOVE,
};
const OBJECTS: Readonly<Record<ObjectChange['action'], Mark>> = {
  create: ADD,
  change: CHANGE,
  replace: REPLACE,
  delete: REMOVE,
};

/**
 * A comparison of two states for a person: declarations, replicas with their reasons, caches, routes, cloud resources,
 * objects, cost, totals.
 */
export function formatDiff(diff: FleetDiff, style: Style = PLAIN): string {
  const { against, declarations, deployments, caches, cloud, cost } = diff;
  const routes = routeLines(diff.routes, style);
  return [
    `${style.strong(`Against ${against}:`)} ${plural(declarations.length, 'declaration')} changed`,
    ...declarations.flatMap((change) => declarationLines(change, style)),
    '',
    ...deployments.flatMap((deployment) => [...deploymentLines(deployment, style), '']),
    ...caches.map((change) => `  cache ${cacheText(change)}`),
    ...(caches.length > 0 ? [''] : []),
    ...routes,
    ...(routes.length > 0 ? [''] : []),
    ...cloudLines(cloud, style),
    ...(cloud.length > 0 ? [''] : []),
    ...objectLines(diff, style),
    ...outages(diff, true).map((one) => style.warn(`warning: ${outageText(one)}.`)),
    ...(cost ? formatCostChanges(cost, style) : []),
    style.strong(`Changes of ${diffTotals(diff)}`),
  ].join('\n');
}

function declarationLines({ id, action, where, fields }: DeclarationChange, style: Style): string[] {
  return [
    marked(DECLARATIONS[action], `${id}   ${style.faint(where)}`, style, 2),
    ...fields.map((field) => `      ${fieldText(field)}   ${style.faint(field.where)}`),
  ];
}

function deploymentLines(diff: DeploymentDiff, style: Style): string[] {
  const places = diff.changes.map(placeText);
  const width = Math.max(0, ...places.map((place) => place.length));
  return [
    `  ${style.strong(diff.deployment)}   ${servingText(diff)}`,
    ...diff.changes.map((change, i) => {
      const place = (places[i] ?? '').padEnd(width);
      return marked(REPLICAS[change.action], `${place}   ${changeText(change)}`, style);
    }),
  ];
}

function objectLines({ objects }: FleetDiff, style: Style): string[] {
  return [...groupBy(objects, ({ cluster }) => cluster)].flatMap(([cluster, changes]) => [
    `  ${style.strong(`objects on ${cluster}`)}   ${objectTotals(changes)}`,
    ...changes.flatMap((change) => [
      marked(OBJECTS[change.action], `${objectName(change)}${becauseText(change.causes)}`, style),
      ...change.fields.map((field) => `        ${fieldText(field)}`),
    ]),
    '',
  ]);
}
