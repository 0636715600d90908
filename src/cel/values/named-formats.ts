import { messageOf } from '../../base/errors';
import { fromByteString, toByteString } from './go-strings';
import { checkUrl } from './url';

type Validate = (text: string) => readonly string[];

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

export class NamedFormat {
  constructor(
    readonly name: string,
    readonly validate: Validate,
  ) {}

  toString(): string {
    return this.name;
  }
}

/** A prefix of a name can end with a dash. */
function validatePrefix(validate: Validate): Validate {
  return (text) => {
    const bytes = toByteString(text);
    return validate(bytes.length > 1 && bytes.endsWith('-') ? fromByteString(`${bytes.slice(0, -2)}a`) : text);
  };
}

function createValidator(accepts: (text: string) => boolean, words: string): Validate {
  return (text) => (accepts(text) ? [] : [words]);
}

function validateUri(text: string): readonly string[] {
  try {
    checkUrl(text);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

interface NameForm {
  readonly pattern: string;
  readonly words: string;
  readonly examples: readonly string[];
  readonly whole: RegExp;
}

function createForm(form: Omit<NameForm, 'whole'>): NameForm {
  return { ...form, whole: new RegExp(`^${form.pattern}$`) };
}

const LABEL = createForm({
  pattern: '[a-z0-9]([-a-z0-9]*[a-z0-9])?',
  words:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
});
const SUBDOMAIN = createForm({
  pattern: `${LABEL.pattern}(\\.${LABEL.pattern})*`,
  words:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
});
const LABEL_1035 = createForm({
  pattern: '[a-z]([-a-z0-9]*[a-z0-9])?',
  words:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
});
const KEY = createForm({
  pattern: '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]',
  words:
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
});
const VALUE = createForm({
  pattern: `(${KEY.pattern})?`,
  words:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
});

type LengthUnit = 'bytes' | 'characters';

const MAX_LABEL = 63;
const MAX_SUBDOMAIN = 253;

/** The formats by name, with the messages of Kubernetes (`pkg/cel/library/format.go` of k8s.io/apiserver). */
export const NAMED_FORMATS: ReadonlyMap<string, NamedFormat> = new Map(
  Object.entries({
    dns1123Label,
    dns1123Subdomain: validateForm(SUBDOMAIN, MAX_SUBDOMAIN),
    dns1035Label: validateForm(LABEL_1035, MAX_LABEL),
    qualifiedName: validateLabelKey,
    dns1123LabelPrefix: validatePrefix(dns1123Label),
    dns1123SubdomainPrefix: validatePrefix(validateForm(SUBDOMAIN, MAX_SUBDOMAIN)),
    dns1035LabelPrefix: validatePrefix(validateForm(LABEL_1035, MAX_LABEL)),
    labelValue: validateForm(VALUE, MAX_LABEL, 'bytes'),
    uri: validateUri,
    uuid: createValidator((text) => UUID.test(text), 'does not match the UUID format'),
    byte: createValidator((text) => BASE64.test(text), 'invalid base64'),
    date: createValidator(isDate, 'invalid date'),
    datetime: createValidator(isDateTime, 'invalid datetime'),
  }).map(([name, validate]) => [name, new NamedFormat(name, validate)]),
);

function dns1123Label(text: string): string[] {
  const wrong = describeTooLong(text, MAX_LABEL, 'characters');
  if (fits(text, LABEL)) return wrong;
  return [...wrong, fits(text, SUBDOMAIN) ? 'must not contain dots' : describeForm(LABEL)];
}

function validateForm(form: NameForm, max: number, unit: LengthUnit = 'characters'): Validate {
  return (text) => [...describeTooLong(text, max, unit), ...describeMisfit(text, form)];
}

function validateLabelKey(text: string): string[] {
  const parts = text.split('/');
  const [name = ''] = parts.slice(-1);
  if (parts.length > 2)
    return [
      `a valid label key ${describeForm(KEY)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const wrong = parts.slice(0, -1).flatMap(validateKeyPrefix);
  const length = name === '' ? ['must be non-empty'] : describeTooLong(name, MAX_LABEL, 'bytes');
  return [...wrong, ...[...length, ...describeMisfit(name, KEY)].map((words) => `name part ${words}`)];
}

function validateKeyPrefix(prefix: string): string[] {
  const faults = prefix === '' ? ['must be non-empty'] : validateForm(SUBDOMAIN, MAX_SUBDOMAIN, 'bytes')(prefix);
  return faults.map((words) => `prefix part ${words}`);
}

function describeTooLong(text: string, max: number, unit: LengthUnit): string[] {
  return toByteString(text).length > max ? [`must be no more than ${max} ${unit}`] : [];
}

function describeMisfit(text: string, form: NameForm): string[] {
  return fits(text, form) ? [] : [describeForm(form)];
}

function fits(text: string, { whole }: NameForm): boolean {
  return whole.test(text);
}

function describeForm({ pattern, words, examples }: NameForm): string {
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return `${words} (e.g. ${listed}regex used for validation is '${pattern}')`;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/u;

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/**
 * Reports whether a text is a date and time of RFC 3339, as Kubernetes checks it (`strfmt` of k8s.io/kube-openapi): the
 * text after a second `t` is ignored.
 */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hours = '', minutes = '', seconds = ''] = TIME.exec(time) ?? [];
  return isDate(date) && hours !== '' && hours <= '23' && minutes <= '59' && seconds <= '59';
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
