import { groupBy } from '../../base/order';
import { pluralize } from '../../base/text';
import { type Block, CHANGE_MARKS, section, type Table } from '../document/document';
import { OPERATIONS, PREVIEWED_CHANGES, type PreviewedChange } from './operations';
import { type PolicyViolation, type PreviewedResource, type StackPreview, toPlainText } from './read-preview';

/** The messages of the command that made a preview. */
export interface PreviewRun {
  readonly stack: string;

  /** Whether the command ended without an error. */
  readonly succeeded: boolean;

  /** What it printed on standard error. */
  readonly stderr: string;
}

/** Why a preview failed, a line each: what Pulumi reported, else what its command printed. Empty if it did not. */
export function errorLinesOf({ messages }: StackPreview, { succeeded, stderr }: PreviewRun): string[] {
  if (succeeded) return [];
  const reported = messages.filter(({ severity }) => severity === 'error').map(({ text }) => text);
  const texts = reported.length > 0 ? reported : [toPlainText(stderr)];
  return texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '');
}

/** The warnings of a preview, a line each. */
export function warningLinesOf({ messages }: StackPreview): string[] {
  const warnings = messages.filter(({ severity }) => severity === 'warning');
  return warnings.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '');
}

/** What is said of a preview that ended without an error, and of which nothing could be read. */
export const NOT_UNDERSTOOD = 'The output of the preview is not known. See the log.';

/** `1 replaced, 2 deleted, 3 updated, 87 unchanged`. */
export function formatTotals({ resources, unchanged }: StackPreview): string {
  const counts = PREVIEWED_CHANGES.map((change) => [countOf(resources, change), OPERATIONS[change].past] as const);
  const parts = counts.filter(([count]) => count > 0).map(([count, past]) => `${count} ${past}`);
  const rest = `${unchanged} unchanged`;
  return parts.length === 0 ? `nothing changes, ${rest}` : [...parts, rest].join(', ');
}

export function countOf(resources: readonly PreviewedResource[], wanted: PreviewedChange): number {
  return resources.filter(({ change }) => change === wanted).length;
}

/** How many resources of each kind change: those first of which some are lost. */
export function tabulateKinds(resources: readonly PreviewedResource[]): Table {
  const kinds = [...groupBy(resources, ({ type }) => type)].map(([type, some]) => ({
    type,
    counts: PREVIEWED_CHANGES.map((change) => countOf(some, change)),
  }));
  const sorted = kinds.sort((a, b) => compareCounts(a.counts, b.counts) || (a.type < b.type ? -1 : 1));
  const titles = ['kind', ...PREVIEWED_CHANGES.map((change) => OPERATIONS[change].past)];
  return { rows: [titles, ...sorted.map(({ type, counts }) => [type, ...counts.map((count) => `${count || ''}`)])] };
}

function compareCounts(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((count, i) => count !== b[i]);
  return at === -1 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
}

/** `Deployment.ml.chat: spec.selector changes`. */
export function formatPreviewedResource({ name, fields, retained }: PreviewedResource): string {
  const why = fields.length > 0 ? `: ${fields.join(', ')}` : '';
  return `${name}${why}${retained ? ' (the old one is kept)' : ''}`;
}

export function formatViolation({ policy, resource, text }: PolicyViolation): string {
  return `${policy}${resource === '' ? '' : ` of ${resource}`}: ${text.replace(/\s+/g, ' ')}`;
}

/** The resources of a change by kind, as lines. */
export function listPreviewedResources(resources: readonly PreviewedResource[], wanted: PreviewedChange): Block[] {
  const some = resources.filter(({ change }) => change === wanted);
  const mark = markOf(wanted);
  return [...groupBy(some, ({ type }) => type)].map(([type, all]) => ({
    text: type,
    below: all.map((one) => ({ text: formatPreviewedResource(one), mark })),
  }));
}

function markOf(change: PreviewedChange): (typeof CHANGE_MARKS)[keyof typeof CHANGE_MARKS] {
  return CHANGE_MARKS[change === 'update' ? 'change' : change === 'import' ? 'add' : change];
}

/** Formats a preview in full, for the log of a run. */
export function formatPreview(preview: StackPreview, run: PreviewRun): Block[] {
  const { resources, violations } = preview;
  const errors = errorLinesOf(preview, run);
  return [
    ...section(run.succeeded ? [] : [{ look: 'remove', text: `The preview of ${run.stack} failed.` }, ...errors]),
    ...section(violations.map((one) => `${one.mandatory ? 'denied' : 'advice'}: ${formatViolation(one)}`)),
    ...section(warningLinesOf(preview).map((line) => ({ look: 'warn', text: `warning: ${line}` }))),
    ...PREVIEWED_CHANGES.flatMap((change) => {
      const count = countOf(resources, change);
      const title = `${pluralize(count, 'resource')} ${OPERATIONS[change].past}`;
      return count === 0 ? [] : section([title, { indent: 2, blocks: listPreviewedResources(resources, change) }]);
    }),
    ...(preview.understood ? [`${run.stack}: ${formatTotals(preview)}`] : run.succeeded ? [NOT_UNDERSTOOD] : []),
  ];
}
