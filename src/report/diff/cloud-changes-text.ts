import { groupBy } from '../../base/order';
import { changed, formatBounds, formatNodeCount, joinNames } from '../../base/text';
import type { CloudChange } from '../../diff/cloud-changes';
import type { NodeBounds } from '../../provision/cloud-resources';
import { type Block, indent, type Item, MARKS, strong } from '../document/document';
import { countsText, formatBecause } from './change-sentences';
import { formatFieldChange } from './field-changes-text';

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
export function formatCloudChanges(changes: readonly CloudChange[]): Block[] {
  const clusters = [...groupBy(changes, ({ cluster }) => cluster)].map(([cluster, own]) => ({
    text: [strong(`cloud resources of ${cluster}`), `   ${formatCloudTotals(own)}`],
    below: [...groupBy(own, lineKeyOf).values()].flatMap(formatGroup),
  }));
  return indent(clusters);
}

/** `1 created, 2 replaced; 8 -> 12 nodes`. */
export function formatCloudTotals(changes: readonly CloudChange[]): string {
  const pools = changes.flatMap(({ nodes }) => (nodes ? [nodes] : []));
  const [before, after] = [
    sumBounds(pools.map((one) => one.before)),
    sumBounds(pools.map((one) => one.after)),
  ];
  const same = formatBounds(before) === formatBounds(after);
  return [
    countsText(changes, CLOUD_ACTION_WORDS),
    ...(same ? [] : [`${formatBounds(before)} -> ${formatBounds(after)} nodes`]),
  ].join('; ');
}

function lineKeyOf({ kind, name, action, machine }: CloudChange): string {
  const alone = machine !== undefined || (action !== 'create' && action !== 'delete');
  return [action, kind, ...(alone ? [name] : [])].join(' ');
}

function formatGroup(same: readonly CloudChange[]): Item[] {
  const [first] = same;
  if (!first) return [];
  const { kind, action, fields, machine, causes } = first;
  const names = joinNames(same.map(({ name }) => name));
  const of = machine === undefined ? '' : `, ${formatNodes(first)} of ${machine}`;
  const text = `${kind} ${names}${of}${DISRUPTION_TEXT[action] ?? ''}${formatBecause(causes)}`;
  return [{ mark: MARKS[action], text, below: fields.map(formatFieldChange) }];
}

/** `4 nodes`, `4 -> 6 nodes`. */
function formatNodes({ nodes }: CloudChange): string {
  const [before, after] = [nodes?.before, nodes?.after].map((bounds) => bounds && formatBounds(bounds));
  const is = after ?? before ?? '0';
  return changed(before ?? is, is, formatNodeCount(is));
}

function sumBounds(all: readonly (NodeBounds | undefined)[]): NodeBounds {
  const sum = (bound: keyof NodeBounds): number => all.reduce((so, one) => so + (one?.[bound] ?? 0), 0);
  return { least: sum('least'), most: sum('most') };
}
