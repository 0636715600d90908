import { groupBy } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { CloudChange } from '../../diff/cloud-changes';
import type { NodeBounds } from '../../provision/cloud-resources';
import {
  ADD_MARK,
  CHANGE_MARK,
  formatMarkedLine,
  type LineMark,
  PLAIN_STYLE,
  REMOVE_MARK,
  REPLACE_MARK,
  type Style,
} from '../document/terminal-style';
import { formatBecause } from './change-sentences';
import { formatFieldChange } from './field-changes-text';

const CLOUD_MARKS: Readonly<Record<CloudChange['action'], LineMark>> = {
  create: ADD_MARK,
  change: CHANGE_MARK,
  roll: CHANGE_MARK,
  replace: REPLACE_MARK,
  delete: REMOVE_MARK,
};

const CLOUD_ACTION_WORDS: Readonly<Record<CloudChange['action'], string>> = {
  create: 'created',
  change: 'changed',
  roll: 'rolled',
  replace: 'replaced',
  delete: 'deleted',
};

/** What it means for those who use what is there. */
const DISRUPTION_TEXT: Readonly<Partial<Record<CloudChange['action'], string>>> = {
  roll: ', its nodes are made anew',
  replace: ', replaced: it goes before another is made',
};

/**
 * What happens to the resources of each cluster. What comes or goes as a whole has a line a kind, pools have one each.
 */
export function formatCloudChanges(changes: readonly CloudChange[], style: Style = PLAIN_STYLE): string[] {
  return [...groupBy(changes, ({ cluster }) => cluster)].flatMap(([cluster, own]) => [
    `  ${style.strong(`cloud resources of ${cluster}`)}   ${formatCloudTotals(own)}`,
    ...[...groupBy(own, lineKeyOf).values()].flatMap((same) => formatGroup(same, style)),
  ]);
}

/** `1 created, 2 replaced; 8 -> 12 nodes`. */
export function formatCloudTotals(changes: readonly CloudChange[]): string {
  const counts = (Object.keys(CLOUD_ACTION_WORDS) as CloudChange['action'][]).flatMap((action) => {
    const count = changes.filter((one) => one.action === action).length;
    return count > 0 ? [`${count} ${CLOUD_ACTION_WORDS[action]}`] : [];
  });
  const pools = changes.flatMap(({ nodes }) => (nodes ? [nodes] : []));
  const [before, after] = [
    sumBounds(pools.map((one) => one.before)),
    sumBounds(pools.map((one) => one.after)),
  ];
  const same = formatBounds(before) === formatBounds(after);
  return [
    counts.join(', '),
    ...(same ? [] : [`${formatBounds(before)} -> ${formatBounds(after)} nodes`]),
  ].join('; ');
}

function lineKeyOf({ kind, name, action, machine }: CloudChange): string {
  const alone = machine !== undefined || (action !== 'create' && action !== 'delete');
  return [action, kind, ...(alone ? [name] : [])].join(' ');
}

function formatGroup(same: readonly CloudChange[], style: Style): string[] {
  const [first] = same;
  if (!first) return [];
  const { kind, action, fields, machine, causes } = first;
  const names = joinNames(same.map(({ name }) => name));
  const of = machine === undefined ? '' : `, ${formatNodes(first)} of ${machine}`;
  return [
    formatMarkedLine(
      CLOUD_MARKS[action],
      `${kind} ${names}${of}${DISRUPTION_TEXT[action] ?? ''}${formatBecause(causes)}`,
      style,
    ),
    ...fields.map((field) => `        ${formatFieldChange(field)}`),
  ];
}

/** `4 nodes`, `4 -> 6 nodes`. */
function formatNodes({ nodes }: CloudChange): string {
  const [before, after] = [nodes?.before, nodes?.after].map((bounds) => bounds && formatBounds(bounds));
  if (before === undefined || after === undefined || before === after)
    return formatNodeCount(after ?? before ?? '0');
  return `${before} -> ${formatNodeCount(after)}`;
}

function formatNodeCount(nodes: string): string {
  return nodes === '1' ? pluralize(1, 'node') : `${nodes} nodes`;
}

function formatBounds({ least, most }: NodeBounds): string {
  return least === most ? String(most) : `${least} to ${most}`;
}

function sumBounds(all: readonly (NodeBounds | undefined)[]): NodeBounds {
  const sum = (bound: keyof NodeBounds): number => all.reduce((so, one) => so + (one?.[bound] ?? 0), 0);
  return { least: sum('least'), most: sum('most') };
}
