import type { Span } from '../../base/diagnostic';
import { type Excerpt, excerptOf } from '../../base/excerpt';
import type { Path } from '../resource';
import { readWhere, type Where } from './where';
import type { WhereValue } from './where-value';

/** A selector of a request as CEL, and its source: an expression, or a `where` with its translation. */
export interface RequestSelector {
  readonly cel: string;

  /** The path of the selector in the request or alternative. */
  readonly path: Path;

  /** The short form that the expression translates. */
  readonly where?: Where;
}

/** A part of a selector as the user wrote it. */
interface WrittenPart {
  /** The path of the part in the request or alternative. */
  readonly path: Path;
  readonly excerpt: Excerpt;
}

/**
 * Finds what a user wrote for a part of a selector: the part of an expression, or the entries of a `where` whose
 * translation the span overlaps.
 */
export function findWrittenPart({ cel, path, where }: RequestSelector, { start, end }: Span): WrittenPart {
  const reading = where && readWhere(where);
  if (!where || !reading || 'findings' in reading) return { path, excerpt: excerptOf(cel, start, end) };
  const keys = new Set(reading.lines.filter((line) => line.start < end && start < line.end).map(({ key }) => key));
  const entries = Object.entries(where).filter(([key]) => keys.has(key));
  const text = entries.map(([key, value]) => `${key}: ${formatValue(value)}`).join(', ');
  const [only, ...others] = entries;
  const at = only && others.length === 0 ? [...path, only[0]] : path;
  return { path: at, excerpt: excerptOf(text, 0, text.length) };
}

/** Formats a value as YAML. */
function formatValue(value: WhereValue): string {
  if (typeof value === 'object') return `[${value.map(formatValue).join(', ')}]`;
  return typeof value === 'string' && !PLAIN.test(value) ? JSON.stringify(value) : String(value);
}

/** Texts that YAML reads as texts without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z][\w ./-]*$/i;
