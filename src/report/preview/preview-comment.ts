import { pluralize } from '../../base/text';
import { firstItems } from '../document/document';
import {
  cutLines,
  escapeMarkdown,
  formatCode,
  formatFoldedSection,
  formatMarkdownTable,
} from '../document/write-markdown';
import { OPERATIONS, PREVIEWED_CHANGES, type PreviewedChange } from './operations';
import {
  countOf,
  errorLinesOf,
  formatPreviewedResource,
  formatTotals,
  formatViolation,
  listPreviewedResources,
  NOT_UNDERSTOOD,
  type PreviewRun,
  tabulateKinds,
  warningLinesOf,
} from './preview-text';
import type { PreviewedResource, StackPreview } from './read-preview';

/** The maximum length of a comment. GitHub allows 65,536 characters; the rest is for text that other tools add. */
const MAX_COMMENT_CHARACTERS = 60_000;

/** The maximum length of what is not folded. */
const MAX_HEAD_CHARACTERS = 30_000;

const MAX_LIST_ITEMS = 20;
const MAX_TABLE_ROWS = 40;
const MAX_ITEM_CHARACTERS = 600;

/** The changes that lose something, which a reader must not miss. */
const LOSSES: readonly PreviewedChange[] = ['replace', 'delete'];

/** Where a comment leads. */
export interface PreviewLinks {
  /** The log of the run that made the preview. */
  readonly log?: string | undefined;

  /** The page of the stack. */
  readonly page?: string | undefined;
}

/**
 * Formats a preview as a comment on a pull request: first whether it failed and why, then what policies deny, what
 * changes by kind, what is replaced and deleted, and the rest folded. What does not fit is counted.
 */
export function formatPreviewComment(preview: StackPreview, run: PreviewRun, links: PreviewLinks): string {
  const { resources } = preview;
  const head = [
    `### Preview of ${formatCode(run.stack)}`,
    '',
    ...formatFailure(preview, run),
    ...formatViolations(preview),
    ...formatChanges(preview, run),
    ...paragraph(LOSSES.flatMap((change) => formatLosses(resources, change))),
    ...paragraph(formatList(':warning:', warningLinesOf(preview), 'warnings')),
    ...paragraph(formatLinks(links)),
  ];
  const text = cutLines(head, MAX_HEAD_CHARACTERS, formatMoreLines).join('\n');
  const shown = PREVIEWED_CHANGES.filter((change) => countOf(resources, change) > 0);
  const share = Math.floor((MAX_COMMENT_CHARACTERS - text.length) / Math.max(1, shown.length));
  return [text, ...shown.map((change) => formatFold(resources, change, share))].join('\n');
}

function formatFailure(preview: StackPreview, run: PreviewRun): string[] {
  if (run.succeeded) return [];
  const errors = errorLinesOf(preview, run);
  const rest = preview.understood ? 'The list below may be incomplete.' : 'It shows no changes.';
  return [`**The preview failed.** ${rest}`, '', ...paragraph(formatList(':x:', errors, 'lines'))];
}

function formatViolations({ violations }: StackPreview): string[] {
  const [denied, advice] = [true, false].map((mandatory) =>
    violations.filter((one) => one.mandatory === mandatory).map(formatViolation),
  );
  return paragraph([
    ...formatList(':x:', denied ?? [], 'violations of policies'),
    ...formatList(':warning:', advice ?? [], 'findings of policies'),
  ]);
}

function formatChanges(preview: StackPreview, { succeeded }: PreviewRun): string[] {
  if (!preview.understood) return succeeded ? [NOT_UNDERSTOOD, ''] : [];
  const totals = `**${formatTotals(preview)}**`;
  if (preview.resources.length === 0) return [totals, ''];
  const { rows } = tabulateKinds(preview.resources);
  const [titles = [], ...kinds] = rows.map((cells) => cells.map(escapeMarkdown));
  const more = kinds.length - MAX_TABLE_ROWS;
  return [
    totals,
    '',
    ...formatMarkdownTable({ rows: [titles, ...kinds.slice(0, MAX_TABLE_ROWS)] }),
    '',
    ...(more > 0 ? [`And ${pluralize(more, 'kind')} more.`, ''] : []),
  ];
}

function formatLosses(resources: readonly PreviewedResource[], wanted: PreviewedChange): string[] {
  const some = resources.filter(({ change }) => change === wanted);
  const lines = some.map((one) => `${OPERATIONS[wanted].past}: ${one.type} ${formatPreviewedResource(one)}`);
  return formatList(':warning:', lines, OPERATIONS[wanted].past);
}

/** Formats texts as a list. Those above the maximum are counted with a noun. */
function formatList(sign: string, texts: readonly string[], noun: string): string[] {
  const items = texts.map((text) => `- ${sign} ${escapeMarkdown(text.slice(0, MAX_ITEM_CHARACTERS))}`);
  return firstItems(items, MAX_LIST_ITEMS, (more) => `- and ${more} more ${noun}`);
}

function formatFold(resources: readonly PreviewedResource[], change: PreviewedChange, room: number): string {
  const { past } = OPERATIONS[change];
  const title = `${past.slice(0, 1).toUpperCase()}${past.slice(1)}: ${countOf(resources, change)}`;
  return formatFoldedSection(title, listPreviewedResources(resources, change), room, 'the log of the run');
}

function formatLinks({ log, page }: PreviewLinks): string[] {
  const links = [
    ['the log of the run', log],
    ['the stack in Pulumi', page],
  ].flatMap(([text, url]) => (url ? [`[${text}](<${toSafeUrl(url)}>)`] : []));
  return links.length > 0 ? [`See ${links.join(' and ')}.`] : [];
}

/** What could end a link of Markdown is encoded. */
function toSafeUrl(url: string): string {
  return url.replace(/[\s<>\\]/g, encodeURIComponent);
}

function formatMoreLines(count: number): string[] {
  return ['', `And ${pluralize(count, 'line')} more: see the log of the run.`, ''];
}

function paragraph(lines: readonly string[]): string[] {
  return lines.length > 0 ? [...lines, ''] : [];
}
