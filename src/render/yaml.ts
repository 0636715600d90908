import type { Manifest } from './manifest';
import { inlineText, valueText } from './yaml-text';

/**
 * Manifests as one text: a comment, then one YAML document each. Reads back the same under YAML 1.1, which
 * Kubernetes uses, and 1.2. No anchors, no folded lines, keys in the order in which they were built.
 *
 * @param comment the first line, without `#`
 */
export function formatManifests(manifests: readonly Manifest[], comment: string): string {
  return formatDocuments(manifests, comment);
}

/** As `formatManifests`, for documents of any kind: plain data. */
export function formatDocuments(documents: readonly object[], comment: string): string {
  return `# ${comment}\n${documents.map((document) => node(document, '')).join('---\n')}`;
}

/** Longer keys than this have to be announced: readers look no further for the colon. */
const LONGEST_KEY = 1000;

const STEP = '  ';

/**
 * A value with a line break at its end. Its first line has no indentation of its own: it stands behind what
 * begins the line.
 *
 * @param pad the indentation of its other lines
 */
function node(value: unknown, pad: string): string {
  if (Array.isArray(value)) return value.length > 0 ? items(value, pad) : '[]\n';
  if (typeof value === 'object' && value !== null) return entries(value, pad) || '{}\n';
  return `${scalar(value, pad)}\n`;
}

function items(values: readonly unknown[], pad: string): string {
  let text = '';
  for (const value of values) {
    const indent = text === '' ? '' : pad;
    text += `${indent}- ${isCollection(value) ? node(value, pad + STEP) : `${scalar(value, pad + STEP)}\n`}`;
  }
  return text;
}

function entries(holder: object, pad: string): string {
  let text = '';
  for (const [key, value] of Object.entries(holder) as [string, unknown][]) {
    if (value === undefined) continue;
    const indent = text === '' ? '' : pad;
    text += indent + keyText(key, pad) + entryValue(value, pad + STEP);
  }
  return text;
}

function keyText(key: string, pad: string): string {
  const text = inlineText(key);
  return text.length > LONGEST_KEY ? `? ${text}\n${pad}:` : `${text}:`;
}

function entryValue(value: unknown, pad: string): string {
  const text = node(value, pad);
  return isCollection(value) && text !== '[]\n' && text !== '{}\n' ? `\n${pad}${text}` : ` ${text}`;
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function scalar(value: unknown, pad: string): string {
  if (typeof value === 'string') return valueText(value, pad);
  if (typeof value === 'number') return numberText(value);
  return value === true ? 'true' : value === false ? 'false' : 'null';
}

/** YAML 1.1 has no exponent without a point. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`bug: ${value} is no value of a manifest`);
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}
