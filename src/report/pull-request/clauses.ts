import { formatCount } from '../../base/figures';
import { joinAnd, pluralize } from '../../base/text';
import { combineDowntimes } from '../../diff/downtime';
import { formatDowntime } from '../diff/change-sentences';
import { formatCode } from '../document/write-markdown';
import type { DeploymentRow } from './deployment-rows';

/** The most subjects that a clause names. */
export const MAX_NAMES = 3;

/** The most clauses of one kind. */
const MAX_CLAUSES = 3;

/** What clauses are about, the most important first. */
const RANKS = ['model', 'down', 'gone', 'replicas', 'capacity', 'staging', 'traffic', 'labels'] as const;

export type Rank = (typeof RANKS)[number];

/** A part of a sentence. */
export interface Clause {
  readonly rank: Rank;
  readonly text: string;
}

export function rankClauses(rank: Rank, texts: readonly string[]): Clause[] {
  return texts.map((text) => ({ rank, text }));
}

/** The most clauses of a sentence. */
const MAX_CLAUSES_OF_SENTENCE = 3;

/**
 * The most important clauses of a sentence, and how many others there are.
 *
 * @param kept what one clause has to be about, if there is one: the reason for what stands next to the sentence
 */
export function selectClauses(clauses: readonly Clause[], kept?: Rank): string[] {
  const sorted = RANKS.flatMap((rank) => clauses.filter((one) => one.rank === rank));
  const more = sorted.length - MAX_CLAUSES_OF_SENTENCE;
  // Naming one takes no more room than counting it.
  if (more <= 1) return sorted.map(({ text }) => text);
  const first = sorted.slice(0, MAX_CLAUSES_OF_SENTENCE);
  const reason = first.some(({ rank }) => rank === kept) ? undefined : sorted.find(({ rank }) => rank === kept);
  const shown = reason ? [...first.slice(0, -1), reason] : first;
  return [...shown.map(({ text }) => text), `${pluralize(more, 'more change')} below`];
}

/** The first clauses of one kind, and one for the rest. */
export function limitClauses(clauses: readonly string[], rest: string): string[] {
  return clauses.length > MAX_CLAUSES ? [...clauses.slice(0, MAX_CLAUSES - 1), rest] : [...clauses];
}

/** The first clauses of one kind, and one for the rest, which is as important as the most important of them. */
export function limitRanked(clauses: readonly Clause[], rest: string): Clause[] {
  if (clauses.length <= MAX_CLAUSES) return [...clauses];
  const left = clauses.slice(MAX_CLAUSES - 1);
  const rank = RANKS.find((one) => left.some((clause) => clause.rank === one));
  return [...clauses.slice(0, MAX_CLAUSES - 1), ...(rank ? [{ rank, text: rest }] : [])];
}

/** Joins the clauses of a sentence. */
export function joinClauses(clauses: readonly string[]): string {
  return clauses.length < 2 ? clauses.join('') : `${clauses.slice(0, -1).join(', ')}, and ${clauses.at(-1)}`;
}

/** The names of services in code, or their number. */
export function joinServices(names: readonly string[]): string {
  return joinFew(names, 'services');
}

/** Names in code, or their number with a noun. */
export function joinFew(names: readonly string[], noun: string): string {
  return names.length > MAX_NAMES ? `${formatCount(names.length)} ${noun}` : joinAnd(names.map(formatCode));
}

/** `3 replicas of ml/a`, `1 replica each of ml/a and ml/b`. */
export function countReplicas(rows: readonly DeploymentRow[], countOf: (row: DeploymentRow) => number): string {
  const total = rows.reduce((sum, row) => sum + countOf(row), 0);
  const named = rows.reduce((sum, { deployments }) => sum + deployments.length, 0);
  const isEach = named > 1 && rows.every((row) => countOf(row) === row.deployments.length);
  return isEach
    ? `1 replica each of ${joinDeployments(rows)}`
    : `${pluralize(total, 'replica')} of ${joinDeployments(rows)}`;
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
