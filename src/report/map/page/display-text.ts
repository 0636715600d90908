import { formatCount } from '../../../base/figures';
import { joinNames } from '../../../base/text';
import { formatEstimatedRange, formatKnownRange } from '../../cost/monthly-range';
import {
  type AmountData,
  type KindData,
  type Mark,
  NODE_KINDS,
  type NodeKind,
  REPLICA_MARKS,
  type ShapeData,
} from '../map-data';

/** The sign on the map and the words for each action on a replica. */
export const MARK_WORDS: Readonly<Record<Mark, { readonly sign: string; readonly text: string }>> = {
  keep: { sign: '', text: 'kept' },
  place: { sign: '+', text: 'placed' },
  move: { sign: '\u2192', text: 'moved' },
  roll: { sign: '\u21bb', text: 'rolled in place' },
  draining: { sign: '\u2197', text: 'draining' },
  unreplaced: { sign: '=', text: 'kept until a replacement fits' },
  lost: { sign: '!', text: 'on lost clusters' },
  remove: { sign: '\u2212', text: 'removed' },
  misplaced: { sign: '\u00d7', text: 'stopped for good, because the new nodes do not match' },
  restart: { sign: '\u21ba', text: 'down with the nodes' },
  mayRestart: { sign: '?', text: 'may restart' },
};

/** `1 placed, 2 rolled in place`. */
export function formatChangeCounts(counts: readonly number[]): string {
  return REPLICA_MARKS.flatMap((mark, at) => {
    const count = counts[at] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${MARK_WORDS[mark].text}`];
  }).join(', ');
}

/** `traffic of ml/chat changes`, `traffic of 3 services changes`. */
export function formatTrafficChange(services: readonly string[]): string {
  return `traffic of ${services.length === 1 ? services.join() : `${formatCount(services.length)} services`} changes`;
}

/** The label on the map and the description of each kind of node. */
export const NODE_WORDS: Readonly<Record<NodeKind, { readonly short: string; readonly text: string }>> = {
  always: { short: 'free', text: 'It always runs.' },
  autoscaled: { short: 'auto', text: 'An autoscaler adds it when pods need it, up to the maximum of the pool.' },
  shared: {
    short: 'empty',
    text: 'It is empty in this arrangement, but the cluster may put placed pods on it.',
  },
  lost: { short: 'lost', text: 'A snapshot shows it as unavailable: new replicas are not placed on it.' },
};

export function nodeKindOf(place: number): NodeKind {
  return NODE_KINDS[place] ?? 'always';
}

/** Formats the amounts of devices and resources: `4 gpu, 12 CPU, 80 GiB of memory`. */
export function formatAmounts({ kinds }: ShapeData, amounts: readonly number[]): string {
  const parts = kinds.flatMap((kind, at) => {
    const amount = amounts[at] ?? 0;
    return amount > 0 ? [`${toFigure(kind, amount)} ${unitOf(kind)}`] : [];
  });
  return parts.join(', ');
}

/** Formats how much of a kind is taken: `4 of 8 gpu`. */
export function formatTaken(kind: KindData, taken: number): string {
  return `${toFigure(kind, taken)} of ${toFigure(kind, kind.count)} ${unitOf(kind)}`;
}

function toFigure({ resource }: KindData, amount: number): number {
  if (resource === 'cpu') return Number((amount / 1000).toFixed(2));
  if (resource === 'memory') return Number((amount / 2 ** 30).toFixed(1));
  // Parts of shared devices are fractions.
  return Number(amount.toFixed(2));
}

function unitOf({ name, resource }: KindData): string {
  return resource === undefined ? name : { cpu: 'CPU', memory: 'GiB of memory' }[resource];
}

/** Formats a part as a percentage for a meter: `62 %`. */
export function formatMeterPercent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

/** Formats a cost a month: `$40,179`, `$1,200 to $2,400`, `≥ $1,200`, `≈ $64,600`, `unknown`. */
export function formatMonth(amount: AmountData | undefined, currency: string): string {
  if (amount === null || amount === undefined) return 'unknown';
  const [least, most, leastUnknown, mostUnknown, estimated] =
    typeof amount === 'number' ? [amount, amount, 0, 0] : amount;
  const range = {
    least: { perMonth: least, unknown: leastUnknown },
    most: { perMonth: most, unknown: mostUnknown },
  };
  return estimated ? formatEstimatedRange(range, currency) : formatKnownRange(range, currency);
}

/** Keeps the sign of an estimate, a bound or a percentage on the line of its number. */
export function holdSigns(text: string): string {
  return text.replaceAll(/([\u2248\u2264\u2265]) /g, '$1\u00a0').replaceAll(' %', '\u00a0%');
}

/** Asks what the signs mean that notes on a cost explain, such as `≈: pools ...`: `What ≈ and ≥ mean`. */
export function askAboutSigns(notes: readonly string[]): string {
  const signs = notes.map((note) => note.slice(0, note.indexOf(':')));
  return `What ${signs.join(' and ')} ${signs.length === 1 ? 'means' : 'mean'}`;
}

/**
 * Formats a cost a month with its change and what has no price: `$1,461 to $5,842 a month, +$730, without h200`. The
 * names stand in place of the sign of a lower bound, which a range with an upper end contradicts.
 */
export function formatClusterCost({ amount, change = '', unpriced }: ClusterCost, currency: string): string {
  if (amount === null || amount === undefined) return 'cost unknown';
  const cost = formatMonth(unpriced.length === 0 ? amount : withoutUnknown(amount), currency);
  const without = unpriced.length === 0 ? '' : `without ${joinNames(unpriced, MOST_UNPRICED)}`;
  return [`${cost} a month`, change, without].filter(Boolean).join(', ');
}

interface ClusterCost {
  readonly amount: AmountData | undefined;
  readonly change?: string;

  /** The names of what has no price. */
  readonly unpriced: readonly string[];
}

const MOST_UNPRICED = 2;

function withoutUnknown(amount: NonNullable<AmountData>): AmountData {
  if (typeof amount === 'number') return amount;
  const [least, most, , , estimated] = amount;
  return estimated ? [least, most, 0, 0, estimated] : [least, most, 0, 0];
}

/** Leaves out the words that all names begin with: `prod-eu-1`, `prod-us-1` become `eu-1`, `us-1`. */
export function shortenNames(names: readonly string[]): string[] {
  const [first = '', ...others] = names;
  if (others.length === 0) return [...names];
  let common = first.length;
  for (const name of others) {
    while (!name.startsWith(first.slice(0, common))) common--;
  }
  // Whole words only, so that `node-10` and `node-11` do not become `0` and `1`.
  const end = first.slice(0, common).search(/[-._/][^-._/]*$/) + 1;
  return names.map((name) => name.slice(end));
}
