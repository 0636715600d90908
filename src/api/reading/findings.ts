import type { z } from 'zod';
import { nearest } from '../../nearest';
import type { Finding, Path } from '../resource';
import { counted, shortened, shown, typeNamed, typeOf } from '../wording';
import { aboveMaximum, belowMinimum, missingField, textOf } from './common-findings';
import { fieldsOf, movedTo } from './fields';

type Issue = z.core.$ZodRawIssue;
type IssueOf<C extends Issue['code']> = Extract<Issue, { code: C }>;

/** Says in our words what a schema found. One issue with several unknown fields becomes a finding a field. */
export function findingsOf(issue: Issue): readonly Finding[] {
  const path = (issue.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'invalid_type') return [wrongType(issue, path)];
  if (issue.code === 'invalid_value') return [unknownValue(issue, path)];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(issue, path, key));
  if (issue.code === 'too_small') return [belowMinimum(path, sizeOf(issue), issue.minimum)];
  if (issue.code === 'too_big') return [aboveMaximum(path, sizeOf(issue), issue.maximum)];
  return [{ ...ownFinding(issue), path }];
}

/** Types of fields that never hold a secret. */
const SCALARS: ReadonlySet<string> = new Set(['number', 'int', 'boolean']);

function wrongType(issue: IssueOf<'invalid_type'>, path: Path): Finding {
  if (issue.input === undefined) return missingField(path);
  const scalar = SCALARS.has(issue.expected);
  if (scalar && typeof issue.input === 'bigint') {
    return { code: 'out-of-bounds', path, what: `${issue.input} is too large` };
  }
  // What stands where text, a list or a map should may be a secret: its type says enough.
  const got = scalar ? shown(issue.input) : typeOf(issue.input);
  const finding = { code: 'wrong-type', path, what: `expected ${typeNamed(issue.expected)}, got ${got}` };
  const quotable = issue.expected === 'string' && typeof issue.input !== 'object';
  return quotable ? { ...finding, hint: 'Put the value in quotes' } : finding;
}

function unknownValue(issue: IssueOf<'invalid_value'>, path: Path): Finding {
  const known = issue.values.map(String);
  if (issue.input === undefined) return missingField(path, `Use ${oneOf(known)}`);
  if (typeof issue.input !== 'string') {
    return { code: 'wrong-type', path, what: `expected ${oneOf(known)}, got ${shown(issue.input)}` };
  }
  const meant = valueMeant(issue.input, known);
  const what =
    known.length === 1
      ? `expected '${known[0]}', got '${shortened(issue.input)}'`
      : `'${shortened(issue.input)}' is none of ${known.join(', ')}`;
  return { code: 'unknown-value', path, what, ...(meant && { hint: `Use '${meant}'` }) };
}

/** Three letters are too few to guess from: 'AWS' is one letter from 'AKS'. */
function valueMeant(value: string, known: readonly string[]): string | undefined {
  const sameLetters = known.find((one) => one.toLowerCase() === value.toLowerCase());
  return sameLetters ?? (value.length > 3 ? nearest(value, known) : undefined);
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function unknownField(issue: IssueOf<'unrecognized_keys'>, path: Path, key: string): Finding {
  const moved = issue.inst && movedTo(issue.inst, key);
  if (moved) {
    return {
      code: 'moved-field',
      path: [...path, key],
      what: `the field '${key}' has no place here`,
      hint: moved,
    };
  }
  const known = issue.inst ? fieldsOf(issue.inst) : [];
  const meant = nearest(key, known);
  const hint = meant ? `Use '${meant}'` : `Use ${oneOf(known)}`;
  return {
    code: 'unknown-field',
    path: [...path, key],
    what: `unknown field '${shortened(key)}'`,
    ...(known.length > 0 && { hint }),
  };
}

function sizeOf({ input }: Issue): string {
  if (Array.isArray(input)) return `a list of ${counted(input.length, 'item')}`;
  return typeof input === 'string' ? textOf(input.length) : String(input);
}

/** The finding that a rule of ours left in the issue. */
function ownFinding(issue: Issue): Finding {
  const finding: unknown = issue.code === 'custom' ? issue.params?.['finding'] : undefined;
  return isFinding(finding) ? finding : { code: 'bad-value', path: [], what: 'the value is not valid' };
}

function isFinding(value: unknown): value is Finding {
  return typeof value === 'object' && value !== null && 'what' in value && 'code' in value;
}
