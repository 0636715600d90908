import { z } from 'zod';
import { aboveMaximum, textOf } from '../reading/common-findings';
import { type Rule, rules } from '../reading/rule';
import type { Finding, Path } from '../resource';
import { shortened } from '../wording';

/** A form that a text must have. */
interface Form {
  /** What a text of this form is called, with its article. */
  readonly noun: string;
  readonly code: string;
  readonly pattern: RegExp;
  readonly max: number;
  readonly hint: string;
}

const DNS = "Use lowercase letters, digits and '-', with a letter or digit at both ends";

/** Text of a form, checked by one rule so that a bad one is reported once. */
export function formed(form: Form): z.ZodString {
  const { max, pattern } = form;
  const text = z.string().check(rules((value: string) => misformed(form, value, [])));
  return text.meta({ minLength: 1, maxLength: max, pattern: pattern.source });
}

function* misformed({ noun, code, pattern, max, hint }: Form, value: string, path: Path): Iterable<Finding> {
  if (value.length > max) yield aboveMaximum(path, textOf(value.length), max);
  else if (!pattern.test(value)) yield { code, path, what: `'${shortened(value)}' is not ${noun}`, hint };
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const DNS_LABEL: Form = {
  noun: 'a DNS label',
  code: 'bad-name',
  pattern: new RegExp(`^${LABEL}$`),
  max: 63,
  hint: DNS,
};

/** A DNS label (RFC 1123) of at most `max` characters: names of namespaces, pools, engines, requests. */
export function dnsLabelUpTo(max: number): z.ZodString {
  return formed({ ...DNS_LABEL, max });
}

/** A DNS label (RFC 1123): at most 63 lowercase letters, digits and `-`. */
export const dnsLabel = formed(DNS_LABEL);

/** A rule that every key of a map is a DNS label. */
export const dnsLabelKeys: Rule<Readonly<Record<string, unknown>>> = function* (map) {
  for (const key of Object.keys(map)) yield* misformed(DNS_LABEL, key, [key]);
};

/** A DNS subdomain (RFC 1123), as names of Kubernetes objects are: labels joined with dots, at most 253 characters. */
export const dnsSubdomain = formed({
  noun: 'a DNS name',
  code: 'bad-name',
  pattern: new RegExp(`^${LABEL}(\\.${LABEL})*$`),
  max: 253,
  hint: `${DNS} of each part between dots`,
});

/** Text of at least one character. */
export function text(max: number): z.ZodString {
  return z.string().min(1).max(max);
}

/** A reference to an object by its name. */
export const objectName = dnsSubdomain;
