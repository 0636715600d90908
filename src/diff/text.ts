import { groupBy } from '../order';
import { plural } from '../plan/format';
import { PLAIN, type Style } from '../plan/style';
import type { DeclarationChange } from './declaration-changes';
import type { DeploymentDiff, FleetDiff } from './fleet-diff';
import type { ObjectChange } from './object-changes';
import type { ReplicaChange } from './replica-changes';
import { fieldText } from './value-text';
import {
  cacheText,
  changeText,
  diffTotals,
  objectName,
  objectTotals,
  outages,
  outageText,
  servingText,
} from './words';

interface Mark {
  readonly mark: string;
  readonly paint: keyof Style;
}

const ADD: Mark = { mark: '+', paint: 'add' };
const CHANGE: Mark = { mark: '~', paint: 'change' };
const REMOVE: Mark = { mark: '-', paint: 'remove' };

const DECLARATIONS: Readonly<Record<DeclarationChange['action'], Mark>> = {
  added: ADD,
  removed: REMOVE,
  changed: CHANGE,
};
const REPLICAS: Readonly<Record<ReplicaChange['action'], Mark>> = {
  keep: { mark: '=', paint: 'faint' },
  place: ADD,
  roll: CHANGE,
  leaving: CHANGE,
  remove: REMOVE,
};
const OBJECTS: Readonly<Record<ObjectChange['action'], Mark>> = {
  create: ADD,
  change: CHANGE,
  replace: { mark: '±', paint: 'remove' },
  delete: REMOVE,
};

/** A comparison of two states for a person: declarations, replicas with their reasons, caches, objects, totals. */
export function formatDiff(diff: FleetDiff, style: Style = PLAIN): string {
  const { against, declarations, deployments, caches } = diff;
  return [
    `${style.strong(`Against ${against}:`)} ${plural(declarations.length, 'declaration')} changed`,
    ...declarations.flatMap((change) => declarationLines(change, style)),
    '',
    ...deployments.flatMap((deployment) => [...deploymentLines(deployment, style), '']),
    ...caches.map((change) => `  cache ${cacheText(change)}`),
    ...(caches.length > 0 ? [''] : []),
    ...objectLines(diff, style),
    ...outages(diff, true).map((one) => style.warn(`warning: ${outageText(one)}.`)),
    style.strong(`Changes of ${diffTotals(diff)}`),
  ].join('\n');
}

function declarationLines({ id, action, where, fields }: DeclarationChange, style: Style): string[] {
  const { mark, paint } = DECLARATIONS[action];
  return [
    style[paint](`  ${mark} ${id}   ${style.faint(where)}`),
    ...fields.map((field) => `      ${fieldText(field)}   ${style.faint(field.where)}`),
  ];
}

function deploymentLines(diff: DeploymentDiff, style: Style): string[] {
  const places = diff.changes.map(({ cluster, index }) => `${cluster}/${index}`);
  const width = Math.max(0, ...places.map((place) => place.length));
  return [
    `  ${style.strong(diff.deployment)}   ${servingText(diff)}`,
    ...diff.changes.map((change, i) => {
      const { mark, paint } = REPLICAS[change.action];
      return style[paint](`    ${mark} ${(places[i] ?? '').padEnd(width)}   ${changeText(change)}`);
    }),
  ];
}

function objectLines({ objects }: FleetDiff, style: Style): string[] {
  return [...groupBy(objects, ({ cluster }) => cluster)].flatMap(([cluster, changes]) => [
    `  ${style.strong(`objects on ${cluster}`)}   ${objectTotals(changes)}`,
    ...changes.flatMap((change) => {
      const { mark, paint } = OBJECTS[change.action];
      return [
        style[paint](`    ${mark} ${objectName(change)}`),
        ...change.fields.map((field) => `        ${fieldText(field)}`),
      ];
    }),
    '',
  ]);
}
