import { z } from 'zod';
import { CIDR_PATTERN } from '../../base/cidr';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { shortenText } from '../../base/text';
import type { Path } from '../resource';
import { describeAboveMaximum, formatTextLength, rules, type SchemaRule } from './rules';

/** A form that a text must have. */
interface StringForm {
  /** What a text of this form is called, with its article. */
  readonly noun: string;
  readonly code: DiagnosticCode;
  readonly pattern: RegExp;
  readonly max: number;
  readonly hint: string;
}

const DNS = "Use lowercase letters, digits and '-', with a letter or digit at both ends";

/** Text of a form, checked by one rule so that a bad one is reported once. */
export function stringFormat(form: StringForm): z.ZodString {
  const { max, pattern } = form;
  const text = z.string().check(rules((value: string) => checkForm(form, value, [])));
  return text.meta({ minLength: 1, maxLength: max, pattern: pattern.source });
}

function* checkForm(
  { noun, code, pattern, max, hint }: StringForm,
  value: string,
  path: Path,
): Iterable<Diagnostic<Path>> {
  if (value.length > max) yield describeAboveMaximum(path, formatTextLength(value.length), max);
  else if (!pattern.test(value)) yield errorAt(code, path, `'${shortenText(value)}' is not ${noun}`, hint);
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const DNS_LABEL: StringForm = {
  noun: 'a DNS label',
  code: 'bad-name',
  pattern: new RegExp(`^${LABEL}$`),
  max: 63,
  hint: DNS,
};

/** A DNS label (RFC 1123) of at most `max` characters: names of namespaces, pools, engines, requests. */
export function dnsLabelUpTo(max: number): z.ZodString {
  return stringFormat({ ...DNS_LABEL, max });
}

/** A DNS label (RFC 1123): at most 63 lowercase letters, digits and `-`. */
export const dnsLabel = stringFormat(DNS_LABEL);

/** A rule that every key of a map is a DNS label. */
export const dnsLabelKeys: SchemaRule<Readonly<Record<string, unknown>>> = function* (map) {
  for (const key of Object.keys(map)) yield* checkForm(DNS_LABEL, key, [key]);
};

/** A DNS subdomain (RFC 1123), as names of Kubernetes objects are: labels joined with dots, at most 253 characters. */
export const dnsSubdomain = stringFormat({
  noun: 'a DNS name',
  code: 'bad-name',
  pattern: new RegExp(`^${LABEL}(\\.${LABEL})*$`),
  max: 253,
  hint: `${DNS} of each part between dots`,
});

/** Text of at least one character. */
export function nonEmptyText(max: number): z.ZodString {
  return z.string().min(1).max(max);
}

/** A reference to an object by its name. */
export const referencedName = dnsSubdomain;

/** A day: `2026-07-20`. */
export const date: z.ZodString = stringFormat({
  noun: 'a day',
  code: 'bad-date',
  pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  max: 10,
  hint: "Write year, month and day, as in '2026-07-20'",
});

/** A range of IPv4 addresses as it is written: `10.0.0.0/16`. Whether it can be used is judged where it is planned. */
export const cidr = stringFormat({
  noun: 'a range of IPv4 addresses',
  code: 'bad-cidr',
  pattern: CIDR_PATTERN,
  max: 18,
  hint: "Write it as in '10.0.0.0/16'",
});

/** A registry, and a path in it, to which the name of an image is appended. */
export const imageRegistry = stringFormat({
  noun: 'a registry',
  code: 'bad-registry',
  pattern:
    /^(localhost|[a-z0-9-]+(\.[a-z0-9-]+)+|[a-z0-9-]+(?=:))(:\d{1,5})?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/,
  max: 253,
  hint: "Write a host and an optional path, as in 'registry.example.com/mirror'",
});

/** A path of a request: it begins with `/`. */
export const httpPath = stringFormat({
  noun: 'a path',
  code: 'bad-path',
  pattern: /^\/[!-~]*$/,
  max: 1024,
  hint: "Begin with '/', as in '/health'",
});

/** A path within a volume, or below a folder of the node. */
export const relativePath = stringFormat({
  noun: 'a path within a folder',
  code: 'bad-path',
  pattern: /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/,
  max: 4096,
  hint: "Begin it without '/', and leave out '..'",
});

/** A path from the root. */
export const absoluteMountPath = stringFormat({
  noun: 'a path from the root',
  code: 'bad-path',
  pattern: /^\/(?!(?:.*\/)?\.\.(?:\/|$))[^:]*$/,
  max: 4096,
  hint: "Begin it with '/', and leave out '..' and ':'",
});

/** What signed addresses carry, in the words of AWS, Google and Azure: whoever has one may read the file. */
const SIGNATURE = /[?&](x-amz-signature|x-goog-signature|sig)=/i;

/** The address of a file or a store. Never shown in messages: somebody may have written a password into it. */
export const webAddress = nonEmptyText(2048).check(
  rules(function* good(value: string) {
    const url = URL.canParse(value) && !/\s/.test(value) ? new URL(value) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      yield errorAt(
        'bad-address',
        [],
        'this is not the address of a web server',
        "Begin it with https://, and write spaces as '%20'",
      );
    } else if (url.username !== '' || url.password !== '' || SIGNATURE.test(value)) {
      yield errorAt(
        'secret-in-manifest',
        [],
        'the address carries a password or a signature, which would stand in manifests',
        'Put the value of the header Authorization into a Secret, and name that as secretRef',
      );
    }
  }),
);
