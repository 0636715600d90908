import { idText, joinNames, pluralize } from '../base/text';
import type { FindingLevel } from '../live/finding';
import type { ClusterStatus } from '../live/status/cluster-status';
import type { Drift, DriftedField } from '../live/status/drift';
import type { Leftover } from '../live/status/leftover-objects';
import type { ReplicaStatus } from '../live/status/replica-status';
import type { Stockout } from '../live/status/stockouts';
import { formatValue } from './diff/field-changes-text';
import { formatLevelColumn } from './doctor-text';
import { type Block, firstItems, type Item, section, strong } from './document/document';

interface StatusRow {
  readonly level: FindingLevel;

  /** The label: a phase, or `cache`, `route`, `picker`, `nodes`, `drift`, `leftover`. */
  readonly about: string;
  readonly text: string;
}

const LABEL_WIDTH = 'stockout'.length;

const MAX_FIELDS_SHOWN = 5;

/** Healthy replicas and routes are only counted. `quiet` omits every line at level `ok`. */
export function formatStatus(clusters: readonly ClusterStatus[], quiet = false): Block[] {
  return [...clusters.flatMap((status) => section(formatCluster(status, quiet))), formatSummary(clusters)];
}

/** `3 of 5 replicas serving, 1 unknown; 1 of 2 clusters not reached.` Replicas of lost clusters do not count. */
function formatSummary(clusters: readonly ClusterStatus[]): string {
  const awaited = clusters.filter(({ lost }) => !lost);
  const unreachable = awaited.filter((status) => status.unreachable !== undefined).length;
  const lost = clusters.length - awaited.length;
  const suffixes = [
    ...(unreachable > 0 ? [`${unreachable} of ${pluralize(awaited.length, 'cluster')} not reached`] : []),
    ...(lost > 0 ? [`without ${pluralize(lost, 'lost cluster')}`] : []),
  ];
  return `${[formatServing(awaited), ...suffixes].join('; ')}.`;
}

function formatServing(clusters: readonly ClusterStatus[]): string {
  const all = clusters.flatMap(({ replicas }) => replicas);
  const serving = all.filter(({ phase }) => phase === 'serving').length;
  const locked = clusters.reduce((sum, status) => sum + status.locked, 0);
  // Replicas of clusters whose pods cannot be listed are unknown, which is not the same as not serving.
  const unknown = locked - all.length;
  return `${serving} of ${pluralize(locked, 'replica')} serving${unknown > 0 ? `, ${unknown} unknown` : ''}`;
}

function formatCluster(status: ClusterStatus, quiet: boolean): Item[] {
  const { cluster, unreachable } = status;
  const loss = status.lost ? ', declared lost' : '';
  if (unreachable !== undefined) {
    const end = unreachable.endsWith('?') ? '' : '.';
    const label = formatLevelColumn(status.lost ? 'warning' : 'failure', 'not reached', 0);
    return [{ text: [strong(cluster), '   ', label, `${loss}: ${unreachable}${end}`] }];
  }
  const rows = rowsOf(status).filter(({ level }) => !(quiet && level === 'ok'));
  if (quiet && rows.length === 0) return [];
  const below = rows.map(({ level, about, text }) => {
    return { text: [formatLevelColumn(level, about, LABEL_WIDTH), `  ${text}`] };
  });
  return [{ text: [strong(cluster), `   ${formatServing([status])}${loss}`], below }];
}

function rowsOf(status: ClusterStatus): StatusRow[] {
  return [
    ...status.replicas.filter(({ level }) => level !== 'ok').map(toReplicaRow),
    ...status.stockouts.map(toStockoutRow),
    ...status.caches.map(({ level, cache, phase, why, revision, bytes, stagedAt }) => {
      const facts = [
        ...(revision === undefined ? [] : [`revision ${revision}`]),
        ...(bytes === undefined ? [] : [`${(bytes / 2 ** 30).toFixed(1)} GiB`]),
        ...(stagedAt === undefined ? [] : [`complete since ${stagedAt}`]),
      ].join(', ');
      return { level, about: 'cache', text: toSentence(`${cache} ${phase}${facts && ` (${facts})`}`, why) };
    }),
    ...status.routes
      .filter(({ level }) => level !== 'ok')
      .map(({ level, kind, namespace, name, state, why }) => {
        return { level, about: 'route', text: toSentence(`${kind} ${idText(namespace, name)} ${state}`, why) };
      }),
    ...status.pickers
      .filter(({ level }) => level !== 'ok')
      .map(({ level, picker, why = picker }) => ({ level, about: 'picker', text: `${why}.` })),
    ...status.nodes.map(({ level, what, hint }) => {
      return { level, about: 'nodes', text: `${what}.${hint === undefined ? '' : ` ${hint}.`}` };
    }),
    ...status.drift.map(toDriftRow),
    ...status.leftovers.map(toLeftoverRow),
    ...status.unseen.map(({ level, what, why }) => ({ level, about: 'unseen', text: toSentence(what, why) })),
  ];
}

function toReplicaRow({ level, deployment, index, phase, why }: ReplicaStatus): StatusRow {
  return { level, about: phase, text: toSentence(`${deployment}/${index}`, why) };
}

function toStockoutRow({ level, kind, pool, zones, machineType, message }: Stockout): StatusRow {
  const where = [
    ...(pool === undefined ? [] : [`pool '${pool}'`]),
    ...(machineType === undefined ? [] : [machineType]),
    ...(zones.length > 0 ? [`in ${zones.join(', ')}`] : []),
  ].join(' ');
  return { level, about: kind === 'no-scale-up' ? 'scale-up' : kind, text: toSentence(where, message) };
}

function toDriftRow({ level, kind, namespace, name, state, fields }: Drift): StatusRow {
  const id = `${kind} ${idText(namespace, name)}`;
  if (state === 'missing') return { level, about: 'drift', text: `${id} is not there.` };
  const shown = firstItems(fields.map(formatField), MAX_FIELDS_SHOWN, (more) => `${more} more fields differ`);
  return { level, about: 'drift', text: toSentence(id, shown.join('; ')) };
}

function toLeftoverRow({ level, kind, namespace, name, why, command }: Leftover): StatusRow {
  const id = `${kind} ${idText(namespace, name)}`;
  const text = toSentence(`${id} is not planned on this cluster`, why);
  return { level, about: 'leftover', text: `${text} Remove it: ${command}` };
}

function formatField({ field, before, after, managers = [] }: DriftedField): string {
  if (after === undefined) return `${field} is gone`;
  const owners = managers.length > 0 ? ` (set by ${joinNames(managers)})` : '';
  if (before === undefined) return `${field} is ${formatValue(after)} and is not declared${owners}`;
  return `${field} is ${formatValue(after)}, not ${formatValue(before)}${owners}`;
}

/** Joins a subject and what is known about it into a sentence on one line. */
function toSentence(what: string, why = ''): string {
  const detail = why.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return `${[what, detail].filter((part) => part !== '').join(': ')}.`;
}
