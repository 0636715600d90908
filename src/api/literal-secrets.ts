import { hasSecret } from '../base/redaction';
import type { Resource } from './kinds';
import type { Path } from './resource';
import { findSecretArguments, isSecretValue } from './secret-detection';

/** A value of a resource that looks like a secret in clear text. */
export interface LiteralSecret {
  readonly path: Path;

  /** What it is, without the value: `variable HF_TOKEN`. */
  readonly what: string;

  /** How to reference a Secret instead. */
  readonly hint: string;
}

const VARIABLE_HINT = 'Put it into a Secret, and refer to that with valueFrom.secretKeyRef: { name, key }';
const ARGUMENT_HINT =
  'Put it into a Secret, set a variable with valueFrom.secretKeyRef, and use $(VARIABLE) in the argument';
const OTHER_HINT = 'Put it into a Secret, refer to that by name, and replace the key, which others may have read';

/**
 * Finds the values of a resource that look like secrets in clear text: in its spec, labels and annotations.
 *
 * @param known what was found in specs before. Resources can share a spec
 */
export function findLiteralSecrets(
  { metadata, spec }: Resource,
  known = new Map<object, readonly LiteralSecret[]>(),
): LiteralSecret[] {
  const inSpec = known.get(spec) ?? findInValue(spec, ['spec'], '');
  known.set(spec, inSpec);
  return [
    ...findInMap(metadata.annotations, ['metadata', 'annotations']),
    ...findInMap(metadata.labels, ['metadata', 'labels']),
    ...inSpec,
  ];
}

/** @param key the key of the value in its map */
function findInValue(value: unknown, path: Path, key: string): LiteralSecret[] {
  if (typeof value === 'string') {
    const what = path.includes('annotations') ? `annotation ${key}` : `the value of ${key}`;
    const isSecret = hasSecret(`${key}: ${value}`) || (path.at(-2) === 'headers' && isSecretValue(key, value));
    return isSecret ? [{ path, what, hint: OTHER_HINT }] : [];
  }
  if (Array.isArray(value)) return findInList(value, path, key);
  if (typeof value !== 'object' || value === null) return [];
  return isPair(value) && isSecretValue(value.name, value.value)
    ? [reportPair(value.name, path)]
    : findInMap(value, path);
}

function findInMap(map: object, path: Path): LiteralSecret[] {
  return Object.entries(map).flatMap(([key, value]) => findInValue(value, [...path, key], key));
}

/** Finds secrets in the items of a list. A list of words is also read as a command line. */
function findInList(items: readonly unknown[], path: Path, key: string): LiteralSecret[] {
  const inItems = items.flatMap((item, i) => findInValue(item, [...path, i], key));
  const isWords = items.every((item) => typeof item === 'string');
  const names = isWords && COMMAND_LINES.has(key) ? findSecretArguments(items) : [];
  return names.length > 0 ? names.map((what) => ({ path, what, hint: ARGUMENT_HINT })) : inItems;
}

const COMMAND_LINES: ReadonlySet<string> = new Set(['command', 'args']);

interface Pair {
  readonly name: string;
  readonly value: string;
}

function isPair(value: object): value is Pair {
  return 'name' in value && 'value' in value && typeof value.name === 'string' && typeof value.value === 'string';
}

function reportPair(name: string, path: Path): LiteralSecret {
  const isVariable = path.includes('env');
  return isVariable
    ? { path: [...path, 'value'], what: `variable ${name}`, hint: VARIABLE_HINT }
    : { path: [...path, 'value'], what: `header or attribute ${name}`, hint: OTHER_HINT };
}
