import { groupBy } from '../order';
import { plural, shortList } from '../plan/format';
import { PLAIN, type Style } from '../plan/style';
import type { NodeBounds } from '../provision/cloud-resources';
import type { CloudChange } from './cloud-changes';
import { ADD, CHANGE, type Mark, marked, REMOVE, REPLACE } from './marks';
import { fieldText } from './value-text';
import { becauseText } from './words';

const MARKS: Readonly<Record<CloudChange['action'], Mark>> = {
  create: ADD,
  change: CHANGE,
  roll: CHANGE,
  replace: REPLACE,
  delete: REMOVE,
};

const ACTIONS: Readonly<Record<CloudChange['action'], string>> = {
  create: 'created',
  change: 'changed',
  roll: 'rolled',
  replace: 'replaced',
  delete: 'deleted',
};

/** What it means for those who use what is there. */
const WARNINGS: Readonly<Partial<Record<CloudChange['action'], string>>> = {
  roll: ', its nodes are made anew',
  replace: ', replaced: it goes before another is made',
};

/**
 * What happens to the resources of each cluster. What comes or goes as a whole has a line a kind, pools have one each.
 */
export function cloudLines(changes: readonly CloudChange[], style: Style = PLAIN): string[] {
  return [...groupBy(changes, ({ cluster }) => cluster)].flatMap(([cluster, own]) => [
    `  ${style.strong(`cloud resources of ${cluster}`)}   ${cloudTotals(own)}`,
    ...[...groupBy(own, lineKey).values()].flatMap((same) => groupLines(same, style)),
  ]);
}

/** `1 created, 2 replaced; 8 -> 12 nodes`. */
export function cloudTotals(changes: readonly CloudChange[]): string {
  const counts = (Object.keys(ACTIONS) as CloudChange['action'][]).flatMap((action) => {
    const count = changes.filter((one) => one.action === action).length;
    return count > 0 ? [`${count} ${ACTIONS[action]}`] : [];
  });
  const pools = changes.flatMap(({ nodes }) => (nodes ? [nodes] : []));
  const [before, after] = [total(pools.map((one) => one.before)), total(pools.map((one) => one.after))];
  const same = boundsText(before) === boundsText(after);
  return [counts.join(', '), ...(same ? [] : [`${boundsText(before)} -> ${boundsText(after)} nodes`])].join(
    '; ',
  );
}

function lineKey({ kind, name, action, machine }: CloudChange): string {
  const alone = machine !== undefined || (action !== 'create' && action !== 'delete');
  return [action, kind, ...(alone ? [name] : [])].join(' ');
}

function groupLines(same: readonly CloudChange[], style: Style): string[] {
  const [first] = same;
  if (!first) return [];
  const { kind, action, fields, machine, causes } = first;
  const names = shortList(same.map(({ name }) => name));
  const of = machine === undefined ? '' : `, ${nodesText(first)} of ${machine}`;
  return [
    marked(MARKS[action], `${kind} ${names}${of}${WARNINGS[action] ?? ''}${becauseText(causes)}`, style),
    ...fields.map((field) => `        ${fieldText(field)}`),
  ];
}

/** `4 nodes`, `4 -> 6 nodes`. */
function nodesText({ nodes }: CloudChange): string {
  const [before, after] = [nodes?.before, nodes?.after].map((bounds) => bounds && boundsText(bounds));
  if (before === undefined || after === undefined || before === after) return count(after ?? before ?? '0');
  return `${before} -> ${count(after)}`;
}

function count(nodes: string): string {
  return nodes === '1' ? plural(1, 'node') : `${nodes} nodes`;
}

function boundsText({ least, most }: NodeBounds): string {
  return least === most ? String(most) : `${least} to ${most}`;
}

function total(all: readonly (NodeBounds | undefined)[]): NodeBounds {
  const sum = (bound: keyof NodeBounds): number => all.reduce((so, one) => so + (one?.[bound] ?? 0), 0);
  return { least: sum('least'), most: sum('most') };
}
