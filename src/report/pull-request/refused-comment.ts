import type { Diagnostic } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import type { DeclarationChange } from '../../diff/declaration-changes';
import { formatRefused, type OtherExit } from '../diff/gate-verdict';
import { formatFoldedMarkdown } from '../document/write-markdown';
import { formatOpenEdits, MAX_COMMENT_CHARACTERS, MAX_OPEN_EDITS } from './comment';
import { type CreateLink, numberEdits } from './edit-list';
import { formatHeading } from './heading';
import { linkPositions } from './position-links';
import { formatList, groupWarnings } from './warning-lines';

/** The parts of a comment on a change of which nothing is planned. */
interface RefusedContext {
  readonly name: string;
  readonly against: string;
  readonly exit: OtherExit;

  /** What the declarations of both states differ in. Empty: nothing, or it is not known. */
  readonly declarations: readonly DeclarationChange[];

  /** The address of a source position. Default: positions are no links. */
  readonly linkOf?: CreateLink | undefined;
}

/** Formats the comment on a change that is refused as a whole, because of errors that concern all of a fleet. */
export function formatRefusedComment(
  problems: readonly Diagnostic[],
  { name, against, exit, declarations, linkOf }: RefusedContext,
): string {
  const verdict = { isRefused: true, text: formatRefused(problems.length, exit.meaning) };
  const edits = numberEdits(declarations, linkOf ?? (() => undefined)).lines;
  const isOpen = edits.length <= MAX_OPEN_EDITS;
  const text = [
    formatHeading(name, against, verdict),
    '',
    '**Refused as a whole: nothing is planned until this is corrected.**',
    '',
    ...linkPositions(formatList(':x:', groupWarnings(problems), 'errors'), linkOf),
    '',
    ...(isOpen ? formatOpenEdits(edits) : []),
  ].join('\n');
  if (isOpen) return text;
  const fold = formatFoldedMarkdown(`Edits: ${formatCount(edits.length)}`, edits, MAX_COMMENT_CHARACTERS - text.length);
  return [text, fold].join('\n');
}
