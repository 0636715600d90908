import { bytesOf } from './bytes-of-text';
import { Kept } from './kept';

/** A form of names, with the words of Kubernetes' validation for what does not have it. */
interface Form {
  readonly pattern: string;
  readonly words: string;
  readonly examples: readonly string[];
}

const LABEL: Form = {
  pattern: '[a-z0-9]([-a-z0-9]*[a-z0-9])?',
  words:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
};
const SUBDOMAIN: Form = {
  pattern: `${LABEL.pattern}(\\.${LABEL.pattern})*`,
  words:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
};
const LABEL_1035: Form = {
  pattern: '[a-z]([-a-z0-9]*[a-z0-9])?',
  words:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
};
const KEY: Form = {
  pattern: '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]',
  words:
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
};
const VALUE: Form = {
  pattern: `(${KEY.pattern})?`,
  words:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
};

const shapes = new Kept<RegExp>(8);

const MOST_OF_LABEL = 63;
const MOST_OF_SUBDOMAIN = 253;

/** What is wrong with a text as a label of DNS (RFC 1123). */
export function dns1123Label(text: string): string[] {
  const wrong = tooLong(text, MOST_OF_LABEL, 'characters');
  if (fits(text, LABEL)) return wrong;
  return [...wrong, fits(text, SUBDOMAIN) ? 'must not contain dots' : described(LABEL)];
}

/** What is wrong with a text as a subdomain of DNS (RFC 1123). */
export function dns1123Subdomain(text: string): string[] {
  return [...tooLong(text, MOST_OF_SUBDOMAIN, 'characters'), ...misfit(text, SUBDOMAIN)];
}

/** What is wrong with a text as a label of DNS (RFC 1035). */
export function dns1035Label(text: string): string[] {
  return [...tooLong(text, MOST_OF_LABEL, 'characters'), ...misfit(text, LABEL_1035)];
}

/** What is wrong with a text as the key of a label of Kubernetes. */
export function labelKey(text: string): string[] {
  const parts = text.split('/');
  const [name = ''] = parts.slice(-1);
  if (parts.length > 2)
    return [
      `a valid label key ${described(KEY)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const wrong = parts.slice(0, -1).flatMap(prefixFaults);
  const length = name === '' ? ['must be non-empty'] : tooLong(name, MOST_OF_LABEL, 'bytes');
  return [...wrong, ...[...length, ...misfit(name, KEY)].map((words) => `name part ${words}`)];
}

/** What is wrong with a text as the value of a label of Kubernetes. */
export function labelValue(text: string): string[] {
  return [...tooLong(text, MOST_OF_LABEL, 'bytes'), ...misfit(text, VALUE)];
}

function prefixFaults(prefix: string): string[] {
  const faults =
    prefix === ''
      ? ['must be non-empty']
      : [...tooLong(prefix, MOST_OF_SUBDOMAIN, 'bytes'), ...misfit(prefix, SUBDOMAIN)];
  return faults.map((words) => `prefix part ${words}`);
}

function tooLong(text: string, most: number, unit: 'bytes' | 'characters'): string[] {
  return bytesOf(text).length > most ? [`must be no more than ${most} ${unit}`] : [];
}

function misfit(text: string, form: Form): string[] {
  return fits(text, form) ? [] : [described(form)];
}

function fits(text: string, { pattern }: Form): boolean {
  return shapes.get(pattern, () => new RegExp(`^${pattern}$`)).test(text);
}

function described({ pattern, words, examples }: Form): string {
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return `${words} (e.g. ${listed}regex used for validation is '${pattern}')`;
}
