import type { Path } from '../api/resource';
import type { Diagnostic } from '../base/diagnostic';
import { valueAt } from '../base/json';

/** The kind and name, as far as known, of a document that could not be read. */
export interface UnreadDocument {
  /** Absent if unknown: the document can be of any kind. */
  readonly kind?: string;

  /** Absent if unknown: the document can have any name. */
  readonly name?: string;
}

/** Reads kind and name of a document with invalid fields, unless these fields themselves are invalid. */
export function toUnreadDocument(value: unknown, findings: readonly Diagnostic<Path>[]): UnreadDocument {
  const invalid = new Set(findings.map(({ at: path }) => path.join('.')));
  const kind = valueAt(value, ['kind']);
  const name = valueAt(value, ['metadata', 'name']);
  return {
    ...(typeof kind === 'string' && !invalid.has('kind') && { kind }),
    ...(typeof name === 'string' && !invalid.has('metadata.name') && { name }),
  };
}

/** The possible names of resources of a kind among unread documents. Undefined if any name is possible. */
export function unreadNamesOf(unread: readonly UnreadDocument[], kind: string): readonly string[] | undefined {
  const possible = unread.filter((one) => one.kind === undefined || one.kind === kind);
  const names = possible.flatMap((one) => (one.kind === undefined ? [] : (one.name ?? [])));
  return names.length === possible.length ? names : undefined;
}
