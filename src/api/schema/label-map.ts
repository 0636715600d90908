import { z } from 'zod';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { shortenText } from '../../base/text';
import { isReservedLabel } from '../labels';
import type { Path } from '../resource';
import { describeAboveMaximum, formatTextLength, rules, type SchemaRule } from './rules';

/** A map of text, and what its entries mean. */
export type TextMap = z.ZodRecord<z.ZodString, z.ZodString>;

/** More than any resource needs, and few enough for a message. */
const MAX_ENTRIES = 1000;

/** Kubernetes' limit for all annotations of an object together: a tool may put a whole manifest into one. */
const MAX_ANNOTATION_LENGTH = 256 * 1024;

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** A label key as Kubernetes has it: `name` or `dns.prefix/name`. */
export function isLabelKey(key: string): boolean {
  const [first = '', second, ...more] = key.split('/');
  if (second === undefined) return NAME.test(first);
  return more.length === 0 && first.length <= 253 && PREFIX.test(first) && NAME.test(second);
}

/** A label value as Kubernetes has it: empty, or at most 63 letters, digits, `-`, `_` and `.`. */
export function isLabelValue(value: string): boolean {
  return VALUE.test(value);
}

/** What is wrong with a label key, if anything. */
export function* checkLabelKey(key: string, path: Path = []): Iterable<Diagnostic<Path>> {
  if (isLabelKey(key)) return;
  yield errorAt(
    'bad-label',
    path,
    `'${shortenText(key)}' is not a label key`,
    "Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'",
  );
}

/** What is wrong with a label value, if anything. */
export function* checkLabelValue(value: string, path: Path = []): Iterable<Diagnostic<Path>> {
  if (isLabelValue(value)) return;
  yield errorAt(
    'bad-label',
    path,
    `'${shortenText(value)}' is not a label value`,
    "Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends",
  );
}

/** A label key as a field. */
export const labelKey = z.string().check(rules((key: string) => checkLabelKey(key)));

/** A label value as a field. */
export const labelValue = z.string().check(rules((value: string) => checkLabelValue(value)));

/** A map of labels. */
export function labelMap(maxEntries = MAX_ENTRIES): TextMap {
  return z.record(z.string(), z.string()).check(rules(goodLabels, checkEntryCount(maxEntries)));
}

/** A map of annotations: keys like those of labels, values of any text up to a length. */
export function annotationMap(maxEntries = MAX_ENTRIES, longest = MAX_ANNOTATION_LENGTH): TextMap {
  return z.record(z.string(), z.string()).check(rules(goodKeys, checkValueLength(longest), checkEntryCount(maxEntries)));
}

type Entries = Readonly<Record<string, string>>;

const goodKeys: SchemaRule<Entries> = function* (map) {
  for (const key of Object.keys(map)) yield* checkLabelKey(key, [key]);
};

const goodLabels: SchemaRule<Entries> = function* (map) {
  yield* goodKeys(map);
  for (const [key, value] of Object.entries(map)) yield* checkLabelValue(value, [key]);
};

function checkValueLength(longest: number): SchemaRule<Entries> {
  return function* (map) {
    for (const [key, { length }] of Object.entries(map)) {
      if (length > longest) yield describeAboveMaximum([key], formatTextLength(length), longest);
    }
  };
}

function checkEntryCount(maxEntries: number): SchemaRule<Entries> {
  return function* (map) {
    const count = Object.keys(map).length;
    if (count <= maxEntries) return;
    yield describeAboveMaximum([], `a map of ${count} entries`, maxEntries);
  };
}

const notReserved: SchemaRule<Record<string, string>> = function* (labels) {
  for (const key of Object.keys(labels).filter(isReservedLabel)) {
    yield errorAt(
      'reserved-label',
      [key],
      `the label '${key}' is written by Fleetwright`,
      'Use a prefix of your own',
    );
  }
};

/** Labels that a user puts on what is made for a deployment: at most 32, none of ours. */
export const userLabels = labelMap(32).check(rules(notReserved)).default({});
