import type { Path } from '../api/resource';
import type { Diagnostic } from '../base/diagnostic';

/** A document that could not be read, as far as it says what it is. */
export interface UnreadDocument {
  /** Absent where it may be of any kind. */
  readonly kind?: string;

  /** Absent where it may have any name. */
  readonly name?: string;
}

/** A document whose fields are wrong: what it says of itself, unless that is what is wrong. */
export function toUnreadDocument(value: unknown, findings: readonly Diagnostic<Path>[]): UnreadDocument {
  const wrong = new Set(findings.map(({ at: path }) => path.join('.')));
  const kind = fieldOf(value, 'kind');
  const name = fieldOf(fieldOf(value, 'metadata'), 'name');
  return {
    ...(typeof kind === 'string' && !wrong.has('kind') && { kind }),
    ...(typeof name === 'string' && !wrong.has('metadata.name') && { name }),
  };
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}

/** The names that resources of a kind may have in documents that could not be read: undefined where any could be. */
export function unreadNamesOf(
  unread: readonly UnreadDocument[],
  kind: string,
): readonly string[] | undefined {
  const possible = unread.filter((one) => one.kind === undefined || one.kind === kind);
  const names = possible.flatMap((one) => (one.kind === undefined ? [] : (one.name ?? [])));
  return names.length === possible.length ? names : undefined;
}
