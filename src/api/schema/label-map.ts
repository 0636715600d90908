import { z } from 'zod';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { shortenText } from '../../base/describe-value';
import { isReservedLabel } from '../labels';
import type { Path } from '../resource';
import { describeAboveMaximum, formatTextLength, rules, type SchemaRule } from './rules';

type TextMap = z.ZodRecord<z.ZodString, z.ZodString>;

/** More entries than any resource needs, and few enough for a message. */
const MAX_ENTRIES = 1000;

/** Kubernetes' limit for all annotations of an object together: some tools store a whole manifest in one annotation. */
const MAX_ANNOTATION_LENGTH = 256 * 1024;

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** Whether a text is a valid label key of Kubernetes: `name` or `dns.prefix/name`. */
function isLabelKey(key: string): boolean {
  const [first = '', second, ...more] = key.split('/');
  if (second === undefined) return NAME.test(first);
  return more.length === 0 && first.length <= 253 && PREFIX.test(first) && NAME.test(second);
}

export function* checkLabelKey(key: string, path: Path = []): Iterable<Diagnostic<Path>> {
  if (isLabelKey(key)) return;
  yield errorAt(
    'bad-label',
    path,
    `'${shortenText(key)}' is not a label key`,
    "Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'",
  );
}

function* checkLabelValue(value: string, path: Path = []): Iterable<Diagnostic<Path>> {
  if (VALUE.test(value)) return;
  const hint = "Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends";
  yield errorAt('bad-label', path, `'${shortenText(value)}' is not a label value`, hint);
}

export const labelKey = z.string().check(rules((key: string) => checkLabelKey(key)));
export const labelValue = z.string().check(rules((value: string) => checkLabelValue(value)));

export function labelMap(maxEntries = MAX_ENTRIES): TextMap {
  return z.record(z.string(), z.string()).check(rules(goodLabels, checkEntryCount(maxEntries)));
}

/** Creates the schema of a map of annotations. Keys are like those of labels, values are texts of limited length. */
export function annotationMap(maxEntries = MAX_ENTRIES, longest = MAX_ANNOTATION_LENGTH): TextMap {
  return z
    .record(z.string(), z.string())
    .check(rules(goodKeys, checkValueLength(longest), checkEntryCount(maxEntries)));
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
      if (length <= longest) continue;
      yield describeAboveMaximum(
        [key],
        formatTextLength(length),
        longest,
        `Shorten it to at most ${longest} characters`,
      );
    }
  };
}

function checkEntryCount(maxEntries: number): SchemaRule<Entries> {
  return function* (map) {
    const count = Object.keys(map).length;
    if (count <= maxEntries) return;
    yield describeAboveMaximum([], `a map of ${count} entries`, maxEntries, `Keep at most ${maxEntries} entries`);
  };
}

const notReserved: SchemaRule<Record<string, string>> = function* (labels) {
  for (const key of Object.keys(labels).filter(isReservedLabel)) {
    yield errorAt('reserved-label', [key], `Fleetwright sets the label '${key}'`, 'Use another prefix');
  }
};

/** The schema of labels that users add to the objects of a deployment: at most 32, without reserved labels. */
export const userLabels = labelMap(32).check(rules(notReserved)).default({});
