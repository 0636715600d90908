import type { FieldChange } from '../../diff/field-changes';
import { valueText } from '../../diff/value-text';
import { plural } from '../../plan/format';
import type { Style } from '../../plan/style';
import type { Level } from '../finding';
import { LEVEL_COLOURS } from '../level-mark';
import type { ClusterStatus } from './cluster-status';
import type { Drift } from './drift';
import type { ReplicaStatus } from './replica-status';
import type { Stockout } from './stockouts';

/** A line of a cluster. */
interface Row {
  readonly level: Level;

  /** What it is about: a phase, or `cache`, `route`, `nodes`, `drift`. */
  readonly about: string;
  readonly text: string;
}

const WIDTH = 'stockout'.length;

/** The fields of one object that are told one by one. */
const MOST_FIELDS = 5;

/** How clusters run what is locked, for a person. What is well is counted, or left out with `quiet`. */
export function formatStatus(clusters: readonly ClusterStatus[], style: Style, quiet: boolean): string {
  const lines = clusters.flatMap((one) => clusterLines(one, style, quiet));
  return [...lines, summaryText(clusters), ''].join('\n');
}

/** `3 of 5 replicas serving, 1 unknown; 1 of 2 clusters not reached.` */
function summaryText(clusters: readonly ClusterStatus[]): string {
  const lost = clusters.filter(({ unreachable }) => unreachable !== undefined).length;
  const silent = lost > 0 ? `; ${lost} of ${plural(clusters.length, 'cluster')} not reached` : '';
  return `${servingText(clusters)}${silent}.`;
}

function servingText(clusters: readonly ClusterStatus[]): string {
  const all = clusters.flatMap(({ replicas }) => replicas);
  const serving = all.filter(({ phase }) => phase === 'serving').length;
  const locked = clusters.reduce((sum, one) => sum + one.locked, 0);
  // Where pods cannot be seen nobody knows of any: that they do not serve would be another thing.
  const unknown = locked - all.length;
  return `${serving} of ${plural(locked, 'replica')} serving${unknown > 0 ? `, ${unknown} unknown` : ''}`;
}

function clusterLines(status: ClusterStatus, style: Style, quiet: boolean): string[] {
  const { cluster, unreachable } = status;
  if (unreachable !== undefined) {
    const end = unreachable.endsWith('?') ? '' : '.';
    return [`${style.strong(cluster)}   ${style.remove('not reached')}: ${unreachable}${end}`, ''];
  }
  const rows = rowsOf(status).filter(({ level }) => !(quiet && level === 'ok'));
  if (quiet && rows.length === 0) return [];
  return [
    `${style.strong(cluster)}   ${servingText([status])}`,
    ...rows.map(({ level, about, text }) => `  ${style[LEVEL_COLOURS[level]](about.padEnd(WIDTH))}  ${text}`),
    '',
  ];
}

function rowsOf(status: ClusterStatus): Row[] {
  return [
    ...status.replicas.filter(({ level }) => level !== 'ok').map(replicaRow),
    ...status.stockouts.map(stockoutRow),
    ...status.caches.map(({ level, cache, phase, why, revision, bytes }) => {
      const size = bytes === undefined ? [] : [`${(bytes / 2 ** 30).toFixed(1)} GiB`];
      const facts = [...(revision === undefined ? [] : [`revision ${revision}`]), ...size].join(', ');
      return { level, about: 'cache', text: sentence(`${cache} ${phase}${facts && ` (${facts})`}`, why) };
    }),
    ...status.routes
      .filter(({ level }) => level !== 'ok')
      .map(({ level, kind, namespace, name, state, why }) => ({
        level,
        about: 'route',
        text: sentence(`${kind} ${idText(namespace, name)} ${state}`, why),
      })),
    ...status.nodes.map(({ level, what, hint }) => ({
      level,
      about: 'nodes',
      text: `${what}.${hint === undefined ? '' : ` ${hint}.`}`,
    })),
    ...status.drift.map(driftRow),
    ...status.unseen.map(({ level, what, why }) => ({ level, about: 'unseen', text: sentence(what, why) })),
  ];
}

function replicaRow({ level, deployment, index, phase, why }: ReplicaStatus): Row {
  return { level, about: phase, text: sentence(`${deployment}/${index}`, why) };
}

function stockoutRow({ level, kind, pool, zones, machineType, message }: Stockout): Row {
  const where = [
    ...(pool === undefined ? [] : [`pool '${pool}'`]),
    ...(machineType === undefined ? [] : [machineType]),
    ...(zones.length > 0 ? [`in ${zones.join(', ')}`] : []),
  ].join(' ');
  return { level, about: kind === 'no-scale-up' ? 'scale-up' : kind, text: sentence(where, message) };
}

function driftRow({ level, kind, namespace, name, state, fields }: Drift): Row {
  const id = `${kind} ${idText(namespace, name)}`;
  if (state === 'missing') return { level, about: 'drift', text: `${id} is not there.` };
  const more = fields.length - MOST_FIELDS;
  const told = fields.slice(0, MOST_FIELDS).map(fieldText);
  return {
    level,
    about: 'drift',
    text: sentence(id, [...told, ...(more > 0 ? [`${more} more fields differ`] : [])].join('; ')),
  };
}

function fieldText({ field, before, after }: FieldChange): string {
  if (after === undefined) return `${field} is gone`;
  return `${field} is ${valueText(after)}, not ${valueText(before)}`;
}

function idText(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** What it is and what is said of it, on one line. */
function sentence(what: string, why = ''): string {
  const said = why.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return `${[what, said].filter((part) => part !== '').join(': ')}.`;
}
