import { type KindData, type Mark, NODE_KINDS, type NodeKind, type ShapeData } from '../map-data';

/** The sign on the map and the words for each action on a replica. */
export const MARK_WORDS: Readonly<Record<Mark, { readonly sign: string; readonly text: string }>> = {
  keep: { sign: '', text: 'stays' },
  place: { sign: '+', text: 'placed' },
  move: { sign: '\u2192', text: 'moves here' },
  roll: { sign: '\u21bb', text: 'rolled in place' },
  leaving: { sign: '\u2197', text: 'leaving' },
  remove: { sign: '\u2212', text: 'removed' },
};

/** The label on the map and the description of each kind of node. */
export const NODE_WORDS: Readonly<Record<NodeKind, { readonly short: string; readonly text: string }>> = {
  always: { short: 'free', text: 'It always runs.' },
  autoscaled: { short: 'auto', text: 'An autoscaler adds it when pods need it, up to the most nodes of the pool.' },
  held: {
    short: 'held',
    text: 'Free in this arrangement, and held: the cluster may spread what is promised over so many nodes.',
  },
  lost: { short: 'lost', text: 'A snapshot shows it as lost: nothing new is placed on it.' },
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
  return resource === 'memory' ? Number((amount / 2 ** 30).toFixed(1)) : amount;
}

function unitOf({ name, resource }: KindData): string {
  return resource === undefined ? name : { cpu: 'CPU', memory: 'GiB of memory' }[resource];
}

/** Formats a part as a percentage: `62 %`. */
export function formatPercent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
