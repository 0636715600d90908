import { z } from 'zod';
import { type Diagnostic, errorAt, relocate } from '../../base/diagnostic';
import { isMap, valueAt } from '../../base/json';
import { findByWords, hintAtName, suggestName } from '../../base/name-suggestion';
import { describeType, describeTypeOf, describeValue, shortenText } from '../../base/describe-value';
import { pluralize } from '../../base/text';
import type { Path, ValidationResult } from '../resource';
import { ANY_FIELD, fieldNamesOf, findMovedField } from './fields';
import { findBrokenTexts } from './broken-texts';
import { dropFollowUps, type SchemaFinding } from './follow-ups';
import { findPlaceOfField } from './misplaced-fields';
import { findQuantityFault, isByteName, LEAST_MEMORY } from './quantity-faults';
import { describeAboveMaximum, describeBelowMinimum, describeMissingField, formatTextLength } from './rules';
import { remedyOfLarge, remedyOfMissing, remedyOfMistake, remedyOfSmall, remedyOfType } from './value-remedies';

/**
 * Validates a value against a schema, and converts all issues to findings.
 *
 * A null field counts as absent if the schema knows the field, as on a Kubernetes API server.
 */
export function validateAgainst<T>(schema: z.ZodType<T>, value: unknown): ValidationResult<T> {
  const broken = findBrokenTexts(value);
  if (broken.length > 0) return { findings: broken };
  const first = runSchema(schema, value);
  if ('value' in first) return first;
  const nulls = first.issues.filter(({ input }) => input === null).map(pathOf);
  const last = nulls.length > 0 ? runSchema(schema, withoutEntries(value, nulls)) : first;
  if ('value' in last) return last;
  const all = last.issues.flatMap((issue) =>
    findingsOf(issue, schema).map((finding): SchemaFinding => ({ finding, isRule: issue.code === 'custom' })),
  );
  return { findings: dropFollowUps(dropRepeats(all), value) };
}

/** Runs a schema and collects raw issues, which include the input and the schema that findings need. */
function runSchema<T>(schema: z.ZodType<T>, value: unknown): { value: T } | { issues: z.core.$ZodRawIssue[] } {
  const issues: z.core.$ZodRawIssue[] = [];
  const result = schema.safeParse(value, {
    // To compile code for a schema takes longer than most fleets take to be parsed.
    jitless: true,
    error(issue) {
      issues.push(issue);
      return issue.code;
    },
  });
  if (result.success) return { value: result.data };
  // Access to `issues` makes zod call the `error` function.
  if (result.error.issues.length !== issues.length) throw new Error('bug: a schema words its own issues');
  return { issues };
}

/** Keeps the last finding of each rule at a path: zod checks a huge number against its own limit before the schema's. */
function dropRepeats(all: readonly SchemaFinding[]): SchemaFinding[] {
  return [...new Map(all.map((one) => [JSON.stringify([one.finding.code, one.finding.at]), one])).values()];
}

/** Copies a document without the map entries at some paths. List items are kept. */
function withoutEntries(value: unknown, paths: readonly Path[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const path of paths) {
    const last = path.at(-1);
    const holder = valueAt(copy, path.slice(0, -1));
    if (isMap(holder) && typeof last === 'string') Reflect.deleteProperty(holder, last);
  }
  return copy;
}

type Issue = z.core.$ZodRawIssue;
type IssueOf<C extends Issue['code']> = Extract<Issue, { code: C }>;

/**
 * Converts an issue to findings: one for each field for an issue with several unknown fields, else one.
 *
 * @param root the schema of the document
 */
function findingsOf(issue: Issue, root: object): readonly Diagnostic<Path>[] {
  const path = pathOf(issue);
  if (issue.code === 'invalid_type') return [describeWrongType(issue, path)];
  if (issue.code === 'invalid_value') return [describeUnknownValue(issue, path)];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => describeUnknownField(issue, key, root));
  if (issue.code === 'too_small') {
    const hint = remedyOfSmall(issue);
    return [describeBelowMinimum(path, sizeOf(issue), issue.minimum, hint)];
  }
  if (issue.code === 'too_big') {
    const hint = remedyOfLarge(issue.input, issue.maximum);
    return [describeAboveMaximum(path, sizeOf(issue), issue.maximum, hint)];
  }
  return [relocate(toRuleFinding(issue), () => path)];
}

function pathOf({ path = [] }: Issue): Path {
  return path.map((part) => (typeof part === 'number' ? part : String(part)));
}

/** The types of fields that never contain a secret. */
const SCALARS: ReadonlySet<string> = new Set(['number', 'int', 'boolean']);

function describeWrongType(issue: IssueOf<'invalid_type'>, path: Path): Diagnostic<Path> {
  const { inst, expected, input } = issue;
  if (input === undefined) return describeMissingField(path, remedyOfMissing(inst, expected, path.at(-1)));
  if (expected === 'string' && typeof input === 'number' && isBytePath(path)) {
    const fault = findQuantityFault(String(input), { least: LEAST_MEMORY });
    if (fault) return errorAt('bad-quantity', path, fault.what, fault.hint);
  }
  const scalar = SCALARS.has(expected);
  if (scalar && typeof input === 'bigint') {
    return errorAt('out-of-bounds', path, `${input} is too large`, remedyOfType(inst, expected, input));
  }
  // A value in place of a text, a list or a map can be a secret: report only its type.
  const got = scalar ? describeValue(input) : describeTypeOf(input);
  const quotable = expected === 'string' && typeof input !== 'object';
  const usual = remedyOfMistake(path, input);
  const typed = quotable ? (hintOfText(issue) ?? 'Put the value in quotes') : remedyOfType(inst, expected, input);
  return errorAt('wrong-type', path, `expected ${describeType(expected)}, got ${got}`, usual ?? typed);
}

/** The remedy of a value that the field refuses as a text too: quotes alone do not help then. */
function hintOfText({ inst, input }: IssueOf<'invalid_type'>): string | undefined {
  if (!(inst instanceof z.ZodString)) return undefined;
  const tried = runSchema(inst, String(input));
  return 'issues' in tried ? tried.issues.flatMap((one) => findingsOf(one, inst))[0]?.hint : undefined;
}

/** Whether a field is an amount of bytes: `memory`, or the `value` of the capacity `memory`. */
function isBytePath(path: Path): boolean {
  const names = path.at(-1) === 'value' ? path.slice(-2, -1) : path.slice(-1);
  return names.some((name) => isByteName(String(name)));
}

function describeUnknownValue(issue: IssueOf<'invalid_value'>, path: Path): Diagnostic<Path> {
  const known = issue.values.map(String);
  if (issue.input === undefined) return describeMissingField(path, `Use ${formatChoices(known)}`);
  const choices = `Use ${formatChoices(known)}`;
  if (typeof issue.input !== 'string') {
    return errorAt('wrong-type', path, `unknown value: ${describeValue(issue.input)}`, choices);
  }
  if (issue.values.some((value) => typeof value !== 'string' && String(value) === issue.input)) {
    return errorAt('wrong-type', path, `expected ${issue.input}, got text`, 'Remove the quotes');
  }
  const meant = suggestValue(issue.input, known);
  const what = `unknown value '${shortenText(issue.input)}'`;
  if (meant === undefined || known.length === 1) return errorAt('unknown-value', path, what, choices);
  return errorAt('unknown-value', path, `${what}: expected ${known.join(', ')}`, `Use '${meant}'`);
}

/** Names under which people know the sources of clusters. */
const KNOWN_AS: Readonly<Record<string, string>> = {
  amazon: 'EKS',
  aws: 'EKS',
  gcp: 'GKE',
  google: 'GKE',
  azure: 'AKS',
  microsoft: 'AKS',
  'bare-metal': 'Existing',
  baremetal: 'Existing',
  'on-prem': 'Existing',
  onprem: 'Existing',
  onpremises: 'Existing',
};

/** Values of up to three letters get no similar suggestion: 'AWS' differs from 'AKS' by one letter. */
function suggestValue(value: string, known: readonly string[]): string | undefined {
  const lower = value.toLowerCase();
  const other = Object.hasOwn(KNOWN_AS, lower) ? KNOWN_AS[lower] : undefined;
  const same = known.find((one) => one.toLowerCase() === lower || one === other);
  return same ?? (value.length > 3 ? suggestName(value, known) : undefined);
}

function formatChoices(values: readonly string[]): string {
  return values.length === 1 ? `'${values[0]}'` : `one of ${values.join(', ')}`;
}

/** Fields of metadata that users write into the spec or next to it. */
const IN_METADATA: ReadonlySet<string> = new Set(['name', 'namespace', 'labels', 'annotations']);

/** The hint for a field that belongs elsewhere in the document. Undefined for other fields. */
function findPlace(issue: IssueOf<'unrecognized_keys'>, key: string, root: object): string | undefined {
  const { inst } = issue;
  if (!inst) return undefined;
  const path = pathOf(issue);
  const known = fieldNamesOf(inst);
  const isResource = path.length === 0 ? known.includes('metadata') : path.length === 1 && path[0] === 'spec';
  const moved = findMovedField(inst, key) ?? (isResource && IN_METADATA.has(key) ? 'Move it into metadata' : undefined);
  if (moved !== undefined || suggestName(key, known) !== undefined) return moved;
  const anyField = findMovedField(inst, ANY_FIELD);
  const field = { holder: path, key, value: valueAt(issue.input, [key]) };
  return findPlaceOfField(root, field, anyField !== undefined) ?? anyField;
}

function describeUnknownField(issue: IssueOf<'unrecognized_keys'>, key: string, root: object): Diagnostic<Path> {
  const path = pathOf(issue);
  const known = issue.inst ? fieldNamesOf(issue.inst) : [];
  const moved = findPlace(issue, key, root);
  if (moved) {
    return errorAt('moved-field', [...path, key], `the field '${shortenText(key)}' is not allowed here`, moved);
  }
  // `{ perMonth: 90,000 }` has the fields `perMonth` and `000`.
  if (/^\d{3}$/.test(key)) {
    const what = `'${key}' behind a comma is a field of its own`;
    return errorAt('unknown-field', [...path, key], what, 'Write the number without separators, as in 90000');
  }
  const hint = hintAtName(key, known, hintWithoutName(key, known, issue.input));
  const what = `unknown field '${shortenText(key)}'`;
  return errorAt('unknown-field', [...path, key], what, known.length > 0 ? hint : 'Remove it');
}

/** The hint for a field that is like none of those that an object has. */
function hintWithoutName(key: string, known: readonly string[], input: unknown): string {
  const [only] = known;
  if (known.length === 1 && isMap(input) && only !== undefined && Object.hasOwn(input, only)) {
    return `Remove it: only '${only}' is allowed here`;
  }
  const meant = findByWords(key, known);
  return meant === undefined ? `Use ${formatChoices(known)}` : `Use '${meant}'`;
}

function sizeOf({ input }: Issue): string {
  if (Array.isArray(input)) return `a list of ${pluralize(input.length, 'item')}`;
  return typeof input === 'string' ? formatTextLength(input.length) : String(input);
}

const SEE_REFERENCE = "See the field in the output of 'fleetwright explain KIND.FIELD'";

function toRuleFinding(issue: Issue): Diagnostic<Path> {
  const finding: unknown = issue.code === 'custom' ? issue.params?.['finding'] : undefined;
  return isFinding(finding) ? finding : errorAt('bad-value', [], 'the value is not valid', SEE_REFERENCE);
}

function isFinding(value: unknown): value is Diagnostic<Path> {
  return typeof value === 'object' && value !== null && 'message' in value && 'code' in value;
}
