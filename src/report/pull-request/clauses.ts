import { isDeepEqual } from '../../base/deep-equal';
import { formatCount } from '../../base/figures';
import { sortUnique } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import { isAutoscaledThroughout } from '../../diff/copies-changes';
import { combineDowntimes } from '../../diff/downtime';
import { formatDownFor, formatDowntime } from '../diff/change-sentences';
import { formatCode } from '../document/write-markdown';
import type { Counts, DeploymentRow } from './deployment-rows';
import type { PoolSize } from './moves';

/** The most subjects that a clause names. */
export const MAX_NAMES = 3;

/** The most clauses of one kind. */
const MAX_CLAUSES = 3;

/** What clauses are about, the most important first, and how a sentence names those that it leaves out. */
const RANKS = {
  lost: 'replicas',
  model: 'models',
  down: 'replicas',
  access: 'what clients may do',
  gone: 'what is removed',
  traffic: 'shares of requests',
  limits: 'limits of requests',
  replicas: 'replicas',
  entrances: 'routes',
  firstLimits: 'limits of requests',
  capacity: 'node pools',
  staging: 'caches',
  objects: 'objects',
  edits: 'declarations',
  labels: 'labels',
} as const;

export type Rank = keyof typeof RANKS;

/** A part of a sentence. */
export interface Clause {
  readonly rank: Rank;
  readonly text: string;

  /** What its cause is about, where it begins with that. */
  readonly cause?: Rank;

  /** The size of a pool that it says. */
  readonly resized?: PoolSize;

  /** The size of a pool that it ends with as its reason, and its text without that. */
  readonly because?: { readonly resized: PoolSize; readonly effect: string };
}

export function rankClauses(rank: Rank, texts: readonly string[]): Clause[] {
  return texts.map((text) => ({ rank, text }));
}

/** The most clauses of a sentence. */
const MAX_CLAUSES_OF_SENTENCE = 3;

/** The most words of a sentence of several clauses. */
const MAX_WORDS = 40;

/** The most clauses of all sentences. */
const MAX_SHOWN = 6;

const FIRM: ReadonlySet<Rank> = new Set(['traffic', 'entrances']);

/**
 * Joins clauses to sentences without their full stops, the most important first. Shares of requests and new addresses
 * are always among them; what is left out is named by kind.
 *
 * @param kept what one clause has to be about, if there is one: the reason for what stands next to the sentences
 */
export function toSentences(clauses: readonly Clause[], kept?: Rank): string[] {
  const sorted = sortClauses(putCausesFirst(clauses));
  const reason = sorted.find(({ rank, cause = rank }) => cause === kept);
  const isFirm = (one: Clause): boolean => FIRM.has(one.rank) || one === reason;
  const others = sorted.filter((one) => !isFirm(one));
  const room = MAX_SHOWN - (sorted.length - others.length);
  // Naming one takes no more room than its kind.
  const left = new Set(others.length - room > 1 ? others.slice(Math.max(0, room)) : []);
  const kinds = sortUnique([...left].map(({ rank }) => RANKS[rank]));
  const shown = sorted.filter((one) => !left.has(one)).map(({ text }) => text);
  return [...splitSentences(shown).map(joinClauses), ...(kinds.length > 0 ? [`also changes ${joinAnd(kinds)}`] : [])];
}

/** Says the size of a pool that moves replicas once, in front of them. */
function putCausesFirst(clauses: readonly Clause[]): Clause[] {
  const joined = new Set<Clause>();
  const all = clauses.map((clause): Clause => {
    const { rank, because } = clause;
    const cause = because && clauses.find(({ resized }) => isDeepEqual(resized, because.resized));
    if (!cause) return clause;
    joined.add(cause);
    return { rank, text: `${cause.text}, which ${because.effect}`, cause: cause.rank };
  });
  return all.filter((one) => !joined.has(one));
}

function sortClauses(clauses: readonly Clause[]): Clause[] {
  return Object.keys(RANKS).flatMap((rank) => clauses.filter((one) => one.rank === rank));
}

/** Begins a sentence where the one before would be too long, or ends with what a colon introduces. */
function splitSentences(texts: readonly string[]): string[][] {
  const sentences: string[][] = [];
  for (const text of texts) {
    const last = sentences.at(-1);
    const isFull = !last || last.length === MAX_CLAUSES_OF_SENTENCE || last.at(-1)?.includes(': ');
    if (isFull || countWords([...last, text]) > MAX_WORDS) sentences.push([text]);
    else last.push(text);
  }
  return sentences;
}

function countWords(texts: readonly string[]): number {
  return texts.join(' ').split(' ').length;
}

/** The first clauses of one kind, and one for the rest. */
export function limitClauses(clauses: readonly string[], rest: string): string[] {
  return clauses.length > MAX_CLAUSES ? [...clauses.slice(0, MAX_CLAUSES - 1), rest] : [...clauses];
}

/** The first clauses of one kind, and one for the rest, which is as important as the most important of them. */
export function limitRanked(clauses: readonly Clause[], rest: string): Clause[] {
  if (clauses.length <= MAX_CLAUSES) return [...clauses];
  const left = clauses.slice(MAX_CLAUSES - 1);
  const [first] = sortClauses(left);
  return [...clauses.slice(0, MAX_CLAUSES - 1), ...(first ? [{ rank: first.rank, text: rest }] : [])];
}

/** Joins the clauses of a sentence. */
export function joinClauses(clauses: readonly string[]): string {
  return clauses.length < 2 ? clauses.join('') : `${clauses.slice(0, -1).join(', ')}, and ${clauses.at(-1)}`;
}

/** The names of services in code, or their number. */
export function joinServices(names: readonly string[]): string {
  return joinFew(names, 'services');
}

/** The names of services in code, or their number; `all 4 services` where they are all of the fleet. */
export function nameAll(names: readonly string[], total: number): string {
  if (names.length < 2 || names.length < total) return joinServices(names);
  return total === 2 ? 'both services' : `all ${formatCount(total)} services`;
}

/** Names in code, or their number with a noun. */
export function joinFew(names: readonly string[], noun: string): string {
  return names.length > MAX_NAMES ? `${formatCount(names.length)} ${noun}` : joinAnd(names.map(formatCode));
}

/**
 * `3 replicas of ml/a`, `1 replica each of ml/a and ml/b`, `2 replicas of ml/a and 1 of ml/b`.
 *
 * @param noun what is counted. Default: `replica`
 */
export function countReplicas(
  rows: readonly DeploymentRow[],
  countOf: (row: DeploymentRow) => number,
  noun = 'replica',
): string {
  const total = rows.reduce((sum, row) => sum + countOf(row), 0);
  const each = countEach(rows, countOf);
  const [count = 0, ...others] = new Set(each);
  if (each.length > 1 && others.length === 0) return `${pluralize(count, noun)} each of ${joinDeployments(rows)}`;
  if (each.length < 2 || each.length > MAX_NAMES) return `${pluralize(total, noun)} of ${joinDeployments(rows)}`;
  return joinAnd(
    rows.map((row, i) => {
      const replicas = i === 0 ? pluralize(countOf(row), noun) : formatCount(countOf(row));
      return `${replicas} of ${joinDeployments([row])}`;
    }),
  );
}

/** The count of each deployment. Empty where rows of several have only their sum. */
function countEach(rows: readonly DeploymentRow[], countOf: (row: DeploymentRow) => number): number[] {
  const isKnown = rows.every((row) => row.deployments.length === 1 || countOf(row) === row.deployments.length);
  return isKnown ? rows.flatMap((row) => row.deployments.map(() => countOf(row) / row.deployments.length)) : [];
}

/** `adds 2 replicas of ml/a`. Empty where nothing is counted. */
export function countClause(
  verb: string,
  rows: readonly DeploymentRow[],
  countOf: (row: DeploymentRow) => number,
): string[] {
  const changed = rows.filter((row) => countOf(row) > 0);
  const total = changed.reduce((sum, row) => sum + countOf(row), 0);
  return total === 0 ? [] : [`${verb} ${countReplicas(changed, countOf)}`];
}

/** The names of deployments in code, or their number with a noun. */
export function joinDeployments(rows: readonly DeploymentRow[], noun = 'deployments'): string {
  const names = rows.flatMap(({ deployments }) => deployments);
  return joinFew(names, noun);
}

/** How replicas on several clusters that restart follow each other, behind how many do at a time. */
const CLUSTER_PACES = { inTurn: ', cluster by cluster', alongside: ' on each cluster' } as const;

export function describeClusterPace({ clusters }: Pick<DeploymentRow, 'clusters'>): string {
  return clusters === undefined ? '' : CLUSTER_PACES[clusters];
}

/** ` on 2 GPUs instead of 1`, where the same replicas of one deployment take others. */
export function describeDevices(rows: readonly DeploymentRow[]): string {
  const [row, ...others] = rows;
  if (!row || others.length > 0 || row.replicas.before !== row.replicas.after) return '';
  // A clause of its own says to how many copies an autoscaler may grow.
  if (row.copies?.engines.some(isAutoscaledThroughout)) return '';
  // GPUs are those of all replicas.
  if (![row.actions.roll, row.actions.move].includes(row.replicas.after)) return '';
  const { before, after } = row.accelerators;
  return before === after ? '' : ` on ${pluralize(after, 'GPU')} instead of ${formatCount(before)}`;
}

/** `about 2 to 9 minutes`: how long the replicas of rows are down. Undefined where that is not known of all. */
export function describeDowntime(rows: readonly DeploymentRow[]): string | undefined {
  const downtime = combineDowntimes(rows.map((row) => row.downtime));
  return downtime && formatDowntime(downtime);
}

/** ` of about 2 to 9 minutes`, or what stops replicas twice. Empty where that is not known of all. */
export function describeDowntimes(rows: readonly DeploymentRow[]): string {
  const downtime = combineDowntimes(rows.map((row) => row.downtime));
  return downtime ? ` ${formatDownFor(downtime, 'of')}` : '';
}

/** `2 → 3`. */
export function formatCounts({ before, after }: Counts): string {
  return before === after ? formatCount(after) : `${formatCount(before)} → ${formatCount(after)}`;
}
