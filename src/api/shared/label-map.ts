import { z } from 'zod';
import { aboveMaximum, textOf } from '../reading/common-findings';
import { type Rule, rules } from '../reading/rule';
import type { Finding } from '../resource';
import { shortened } from '../wording';

/** A map of text, and what its entries mean. */
export type TextMap = z.ZodRecord<z.ZodString, z.ZodString>;

/** More than any resource needs, and few enough for a message. */
const MOST_ENTRIES = 1000;

/** Kubernetes' limit for all annotations of an object together: a tool may put a whole manifest into one. */
const LONGEST_ANNOTATION = 256 * 1024;

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
export function* labelKeyFindings(key: string, path: Finding['path'] = []): Iterable<Finding> {
  if (isLabelKey(key)) return;
  yield {
    code: 'bad-label',
    path,
    what: `'${shortened(key)}' is not a label key`,
    hint: "Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'",
  };
}

/** What is wrong with a label value, if anything. */
export function* labelValueFindings(value: string, path: Finding['path'] = []): Iterable<Finding> {
  if (isLabelValue(value)) return;
  yield {
    code: 'bad-label',
    path,
    what: `'${shortened(value)}' is not a label value`,
    hint: "Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends",
  };
}

/** A label key as a field. */
export const labelKey = z.string().check(rules((key: string) => labelKeyFindings(key)));

/** A label value as a field. */
export const labelValue = z.string().check(rules((value: string) => labelValueFindings(value)));

/** A map of labels. */
export function labelMap(maxEntries = MOST_ENTRIES): TextMap {
  return z.record(z.string(), z.string()).check(rules(goodLabels, atMost(maxEntries)));
}

/** A map of annotations: keys like those of labels, values of any text up to a length. */
export function annotationMap(maxEntries = MOST_ENTRIES, longest = LONGEST_ANNOTATION): TextMap {
  return z.record(z.string(), z.string()).check(rules(goodKeys, shortValues(longest), atMost(maxEntries)));
}

type Entries = Readonly<Record<string, string>>;

const goodKeys: Rule<Entries> = function* (map) {
  for (const key of Object.keys(map)) yield* labelKeyFindings(key, [key]);
};

const goodLabels: Rule<Entries> = function* (map) {
  yield* goodKeys(map);
  for (const [key, value] of Object.entries(map)) yield* labelValueFindings(value, [key]);
};

function shortValues(longest: number): Rule<Entries> {
  return function* (map) {
    for (const [key, { length }] of Object.entries(map)) {
      if (length > longest) yield aboveMaximum([key], textOf(length), longest);
    }
  };
}

function atMost(maxEntries: number): Rule<Entries> {
  return function* (map) {
    const count = Object.keys(map).length;
    if (count <= maxEntries) return;
    yield aboveMaximum([], `a map of ${count} entries`, maxEntries);
  };
}
