import { groupBy } from '../../base/order';
import { formatChange, formatBounds, formatNodeCount, joinNames } from '../../base/text';
import type { CloudChange } from '../../diff/cloud-changes';
import type { NodeBounds } from '../../provision/cloud-resources';
import { type Block, indent, type Item, CHANGE_MARKS, strong } from '../document/document';
import { formatActionCounts, formatBecause, type FormatCauses } from './change-sentences';
import { formatFieldChange } from './field-changes-text';

export const CLOUD_ACTION_WORDS: Readonly<Record<CloudChange['action'], string>> = {
  create: 'created',
  change: 'changed',
  roll: 'recreated',
  replace: 'replaced',
  delete: 'deleted',
};

/** The effect of each disruptive action on the users of a resource. */
const DISRUPTION_TEXT: Readonly<Partial<Record<CloudChange['action'], string>>> = {
  roll: ', its nodes are recreated',
  replace: ', replaced: deleted before its replacement is created',
};

const REFUSED_TEXT = ', which the cloud refuses while the cluster uses it';

/**
 * Formats the changes of the cloud resources of each cluster. Created and deleted resources have one line per kind and
 * action; pools and changed resources have one line each.
 */
export function formatCloudChanges(changes: readonly CloudChange[], because: FormatCauses = formatBecause): Block[] {
  const clusters = [...groupBy(changes, ({ cluster }) => cluster)].map(([cluster, clusterChanges]) => ({
    text: [strong(`cloud resources of ${cluster}`), `   ${formatCloudTotals(clusterChanges)}`],
    below: [...groupBy(clusterChanges, lineKeyOf).values()].flatMap((group) => formatGroup(group, because)),
  }));
  return indent(clusters);
}

/** Formats the totals of cloud changes: `1 created, 2 replaced; 8 -> 12 nodes`. */
export function formatCloudTotals(changes: readonly CloudChange[]): string {
  const pools = changes.flatMap(({ nodes }) => (nodes ? [nodes] : []));
  const [before, after] = [sumBounds(pools.map((one) => one.before)), sumBounds(pools.map((one) => one.after))];
  const same = formatBounds(before) === formatBounds(after);
  return [
    formatActionCounts(changes, CLOUD_ACTION_WORDS),
    ...(same ? [] : [`${formatBounds(before)} -> ${formatBounds(after)} nodes`]),
  ].join('; ');
}

function lineKeyOf({ kind, name, action, machine }: CloudChange): string {
  const hasOwnLine = machine !== undefined || (action !== 'create' && action !== 'delete');
  return [action, kind, ...(hasOwnLine ? [name] : [])].join(' ');
}

function formatGroup(group: readonly CloudChange[], because: FormatCauses): Item[] {
  const [first] = group;
  if (!first) return [];
  const { kind, action, fields, machine, causes, refused } = first;
  const names = joinNames(group.map(({ name }) => name));
  const of = machine === undefined ? '' : `, ${formatNodes(first)} of ${machine}`;
  const text = `${kind} ${names}${of}${DISRUPTION_TEXT[action] ?? ''}${refused ? REFUSED_TEXT : ''}${because(causes)}`;
  return [{ mark: CHANGE_MARKS[action], text, below: fields.map(formatFieldChange) }];
}

/** Formats the node count of a pool: `4 nodes`, `4 -> 6 nodes`. */
function formatNodes({ nodes }: CloudChange): string {
  const [before, after] = [nodes?.before, nodes?.after].map((bounds) => bounds && formatBounds(bounds));
  const is = after ?? before ?? '0';
  return formatChange(before ?? is, is, formatNodeCount(is));
}

function sumBounds(all: readonly (NodeBounds | undefined)[]): NodeBounds {
  const sum = (bound: keyof NodeBounds): number => all.reduce((total, bounds) => total + (bounds?.[bound] ?? 0), 0);
  return { least: sum('least'), most: sum('most') };
}
