import type { z } from 'zod';
import { nearest } from '../nearest';
import { fieldsOf, movedTo } from './fields';
import type { Finding, Path } from './resource';
import { counted, shortened, shown, typeNamed, typeOf } from './wording';

type Issue = z.core.$ZodRawIssue;
type IssueOf<C extends Issue['code']> = Extract<Issue, { code: C }>;

/** Says in our words what a schema found. One issue with several unknown fields becomes a finding a field. */
export function findingsOf(issue: Issue): readonly Finding[] {
  const path = (issue.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'invalid_type') return [wrongType(issue, path)];
  if (issue.code === 'invalid_value') return [unknownValue(issue, path)];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(issue, path, key));
  if (issue.code === 'too_small') return [outOfBounds(issue, path, issue.minimum, 'below')];
  if (issue.code === 'too_big') return [outOfBounds(issue, path, issue.maximum, 'above')];
  return [{ ...ownFinding(issue), path }];
}

function wrongType(issue: IssueOf<'invalid_type'>, path: Path): Finding {
  if (issue.input === undefined) {
    return { code: 'missing-field', path, what: `the field '${path.at(-1)}' is missing` };
  }
  const wanted = typeNamed(issue.expected);
  if (issue.expected !== 'string') {
    return { code: 'wrong-type', path, what: `expected ${wanted}, got ${shown(issue.input)}` };
  }
  // The value is not shown: an environment variable may hold a secret.
  const finding = { code: 'wrong-type', path, what: `expected text, got ${typeOf(issue.input)}` };
  return typeof issue.input === 'object' ? finding : { ...finding, hint: 'Put the value in quotes' };
}

function unknownValue(issue: IssueOf<'invalid_value'>, path: Path): Finding {
  const known = issue.values.map(String);
  if (issue.input === undefined) {
    return {
      code: 'missing-field',
      path,
      what: `the field '${path.at(-1)}' is missing`,
      hint: `Use ${oneOf(known)}`,
    };
  }
  if (typeof issue.input !== 'string') {
    return { code: 'wrong-type', path, what: `expected ${oneOf(known)}, got ${shown(issue.input)}` };
  }
  const meant = nearest(issue.input, known);
  const what =
    known.length === 1
      ? `'${shortened(issue.input)}' is not ${known[0]}`
      : `'${shortened(issue.input)}' is none of ${known.join(', ')}`;
  return { code: 'unknown-value', path, what, ...(meant && { hint: `Use '${meant}'` }) };
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function unknownField(issue: IssueOf<'unrecognized_keys'>, path: Path, key: string): Finding {
  const moved = issue.inst && movedTo(issue.inst, key);
  if (moved) {
    return { code: 'moved-field', path: [...path, key], what: `the field '${key}' has no place here`, hint: moved };
  }
  const known = issue.inst ? fieldsOf(issue.inst) : [];
  const meant = nearest(key, known);
  const hint = meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`;
  return {
    code: 'unknown-field',
    path: [...path, key],
    what: `unknown field '${shortened(key)}'`,
    ...(known.length > 0 && { hint }),
  };
}

type Side = 'below' | 'above';

function outOfBounds(issue: IssueOf<'too_small' | 'too_big'>, path: Path, bound: number | bigint, side: Side): Finding {
  const limit = side === 'below' ? 'minimum' : 'maximum';
  return { code: 'out-of-bounds', path, what: `${sizeOf(issue)} is ${side} the ${limit} of ${bound}` };
}

function sizeOf({ input }: Issue): string {
  if (Array.isArray(input)) return `a list of ${counted(input.length, 'item')}`;
  if (typeof input === 'string') return `a text of ${counted(input.length, 'character')}`;
  return String(input);
}

/** The finding that a rule of ours left in the issue. */
function ownFinding(issue: Issue): Finding {
  const finding: unknown = issue.code === 'custom' ? issue.params?.['finding'] : undefined;
  return isFinding(finding) ? finding : { code: 'bad-value', path: [], what: 'the value is not valid' };
}

function isFinding(value: unknown): value is Finding {
  return typeof value === 'object' && value !== null && 'what' in value && 'code' in value;
}
