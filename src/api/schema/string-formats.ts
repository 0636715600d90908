import { z } from 'zod';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { shortenText } from '../../base/describe-value';
import { parseIpAddress } from '../../base/ip-address';
import { IPV4_RANGE_PATTERN } from '../../base/ip-range';
import type { Path } from '../resource';
import { describeAboveMaximum, formatTextLength, rules, type SchemaRule } from './rules';

interface StringForm {
  /** The noun for texts of this format, with its article. */
  readonly noun: string;
  readonly code: DiagnosticCode;
  readonly pattern: RegExp;
  readonly max: number;

  /** What to do, which may depend on the text. */
  readonly hint: string | ((value: string) => string);

  /** What a user probably meant who wrote another text. It is only suggested if it is of the format. */
  readonly correct?: (value: string) => string;
}

const DNS = "Use lowercase letters, digits and '-', with a letter or digit at both ends";

/** Creates the schema of texts of a format. A single rule checks them, so that an invalid text gives one finding. */
export function stringFormat(form: StringForm): z.ZodString {
  const { max, pattern } = form;
  const text = z.string().check(rules((value: string) => checkForm(form, value, [])));
  return text.meta({ minLength: 1, maxLength: max, pattern: pattern.source });
}

function* checkForm(
  { noun, code, pattern, max, hint, correct }: StringForm,
  value: string,
  path: Path,
): Iterable<Diagnostic<Path>> {
  if (value.length > max) {
    yield describeAboveMaximum(path, formatTextLength(value.length), max, `Shorten it to at most ${max} characters`);
  } else if (!pattern.test(value)) {
    const meant = correct?.(value);
    const isMeant = meant !== undefined && meant !== value && meant.length <= max && pattern.test(meant);
    const otherwise = typeof hint === 'string' ? hint : hint(value);
    yield errorAt(code, path, `'${shortenText(value)}' is not ${noun}`, isMeant ? `Use '${meant}'` : otherwise);
  }
}

/** The host of a web address, and a text that is no address as it is. */
function hostOf(value: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? (URL.canParse(value) ? new URL(value).hostname : value) : value;
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const DNS_LABEL: StringForm = {
  noun: 'a DNS label',
  code: 'bad-name',
  pattern: new RegExp(`^${LABEL}$`),
  max: 63,
  hint: DNS,
  correct: (value) => value.toLowerCase().replaceAll('_', '-'),
};

/** Creates the schema of a DNS label (RFC 1123) of at most `max` characters. */
export function dnsLabelUpTo(max: number): z.ZodString {
  return stringFormat({ ...DNS_LABEL, max });
}

/** The schema of a DNS label (RFC 1123): at most 63 lowercase letters, digits and `-`. */
export const dnsLabel = stringFormat(DNS_LABEL);

export const dnsLabelKeys: SchemaRule<Readonly<Record<string, unknown>>> = function* (map) {
  for (const key of Object.keys(map)) yield* checkForm(DNS_LABEL, key, [key]);
};

const DNS_SUBDOMAIN: StringForm = {
  noun: 'a DNS name',
  code: 'bad-name',
  pattern: new RegExp(`^${LABEL}(\\.${LABEL})*$`),
  max: 253,
  hint: `${DNS} of each part between dots`,
  correct: (value) => hostOf(value).toLowerCase().replaceAll('_', '-'),
};

/** A DNS subdomain (RFC 1123), the format of most object names: labels with dots, at most 253 characters. */
export const dnsSubdomain = stringFormat(DNS_SUBDOMAIN);

/** The schema of the name of a host: a DNS subdomain that is no IP address, of which certificates and routes are not. */
export const hostName = dnsSubdomain.check(
  rules(function* (name: string) {
    if (parseIpAddress(name) === undefined) return;
    const hint = 'Use a name whose DNS record leads to the address: certificates and routes need one';
    yield errorAt('bad-name', [], `'${name}' is an IP address, not a DNS name`, hint);
  }),
);

/** Creates the schema of a text with 1 to `max` characters. */
export function nonEmptyText(max: number): z.ZodString {
  return z.string().min(1).max(max);
}

export const referencedName = dnsSubdomain;

/** The schema of the name of a DeviceClass. Drivers name it like their extended resource: `gpu.nvidia.com`, `nvidia.com/gpu`. */
export const deviceClassName = stringFormat({
  ...DNS_SUBDOMAIN,
  correct: (value) => value.replace(/^([\w.-]+)\/(\w+)$/, '$2.$1'),
});

/** The schema of a date: `2026-07-20`. */
export const date: z.ZodString = stringFormat({
  noun: 'a day',
  code: 'bad-date',
  pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  max: 10,
  hint: "Use year, month and day, as in '2026-07-20'",
});

/** The schema of a range of IPv4 addresses: `10.0.0.0/16`. Other checks decide whether the network can use it. */
export const cidr = stringFormat({
  noun: 'a range of IPv4 addresses',
  code: 'bad-cidr',
  pattern: IPV4_RANGE_PATTERN,
  max: 18,
  hint: "Write it as in '10.0.0.0/16'",
});

/** The schema of a registry with an optional path, which prefixes the names of images. */
export const imageRegistry = stringFormat({
  noun: 'a registry',
  code: 'bad-registry',
  pattern: /^(localhost|[a-z0-9-]+(\.[a-z0-9-]+)+|[a-z0-9-]+(?=:))(:\d{1,5})?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/,
  max: 253,
  hint: "Write a host and an optional path, as in 'registry.example.com/mirror'",
});

const HUB = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/+/i;

const HUB_REPOSITORY: StringForm = {
  noun: 'a repository of Hugging Face',
  code: 'bad-name',
  pattern: /^[\w.-]+(\/[\w.-]+)?$/,
  max: 512,
  hint: "Use OWNER/NAME without an address, as in 'Qwen/Qwen3-8B'",
  correct: (value) => (HUB.test(value) ? value.replace(HUB, '').split('/').slice(0, 2).join('/') : value),
};

/** The schema of a repository of Hugging Face: `OWNER/NAME`. Some old ones have no owner. */
export const hubRepository = nonEmptyText(512).check(
  rules((value: string) => (value === '' ? [] : checkForm(HUB_REPOSITORY, value, []))),
);

/** The schema of the path of a request, which begins with `/`. */
export const httpPath = stringFormat({
  noun: 'a path',
  code: 'bad-path',
  pattern: /^\/[!-~]*$/,
  max: 1024,
  hint: "Start with '/', as in '/health'",
});

export const relativePath = stringFormat({
  noun: 'a path within a folder',
  code: 'bad-path',
  pattern: /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/,
  max: 4096,
  hint: "Do not begin it with '/', and do not use '..'",
});

export const absoluteMountPath = stringFormat({
  noun: 'a path from the root',
  code: 'bad-path',
  pattern: /^\/(?!(?:.*\/)?\.\.(?:\/|$))[^:]*$/,
  max: 4096,
  hint: "Begin it with '/', and do not use '..' or ':'",
});

/** The signature parameters of AWS, Google and Azure. A signed URL grants access to its file. */
const SIGNATURE = /[?&](x-amz-signature|x-goog-signature|sig)=/i;

/** The schema of the URL of a file or a store. Findings never quote it, because it can contain a password. */
export const webAddress = nonEmptyText(2048).check(
  rules(function* good(value: string) {
    const url = URL.canParse(value) && !/\s/.test(value) ? new URL(value) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      const hint = "Begin it with https://, and write spaces as '%20'";
      yield errorAt('bad-address', [], 'this is not an HTTPS address', hint);
    } else if (url.username !== '' || url.password !== '' || SIGNATURE.test(value)) {
      const what = 'the address contains a password or a signature, which manifests would show';
      const hint = 'Put the value of the header Authorization into a Secret, and set secretRef to its name';
      yield errorAt('secret-in-manifest', [], what, hint);
    }
  }),
);
