import { formatDocuments } from '../../manifest/format-yaml';

/** A file of a new fleet: its path from the top of the folder, and its text. */
export interface StarterFile {
  readonly path: string;
  readonly text: string;
}

/** Formats documents below a comment of one or more lines. */
export function formatCommented(documents: readonly object[], comment: string): string {
  return formatDocuments(documents, comment.replaceAll('\n', '\n# '));
}
