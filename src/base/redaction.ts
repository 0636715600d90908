import { KEYS, URL_PASSWORDS } from './key-formats';
import { isRandomText } from './random-text';

/** What is shown in place of a secret. */
export const HIDDEN = '(hidden)';

/**
 * Replaces secrets in a text that leaves the program: values that are known to be secret, keys of well-known formats,
 * and random values after names such as `token` or `api_key`; each as it is, with escapes of JSON, URLs and HTML, and
 * in base64. All outputs for people pass it. The result of JSON is JSON.
 *
 * @param known secrets that this run uses. Shorter ones than four characters are not replaced
 * @example
 * redact('{"authorization": "Bearer 3Xk9fQ2mZ81pLw7c"}'); // {"authorization": "Bearer (hidden)"}
 */
export function redact(text: string, known: Iterable<string> = []): string {
  const secrets = spellingsOf(known);
  return redactSpellings(text, (plain) => redactKeys(secrets.reduce(redactKnown, plain)));
}

/** As `redact`, for known secrets alone: in answers of servers, whose other values are compared with declarations. */
export function redactSecrets(text: string, known: Iterable<string>): string {
  const secrets = spellingsOf(known);
  return secrets.length === 0 ? text : redactSpellings(text, (plain) => secrets.reduce(redactKnown, plain));
}

/** Reports whether a text contains a secret. */
export function hasSecret(text: string): boolean {
  return redact(text) !== text;
}

const MIN_KNOWN_LENGTH = 4;

/** The spellings of secrets that are searched as they are; others are decoded first. Longer ones come first. */
function spellingsOf(known: Iterable<string>): string[] {
  const long = [...known].filter((secret) => secret.length >= MIN_KNOWN_LENGTH);
  const all = long.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replaceAll('=', ''),
  ]);
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

/** Replaces secrets in a text without other spellings. */
type PlainRedaction = (text: string) => string;

function redactSpellings(text: string, redactPlain: PlainRedaction): string {
  return redactBase64(redactEscaped(redactPlain(text), redactPlain), redactPlain);
}

function redactKeys(text: string): string {
  return text.replace(KEYS, HIDDEN).replace(URL_PASSWORDS, HIDDEN).replace(NAMED_VALUES, redactNamedValue);
}

/** The characters of a known secret that identify it: messages may quote only its start. */
const IDENTIFYING_LENGTH = 12;

/** Replaces a known secret, also where it is cut off. */
function redactKnown(text: string, secret: string): string {
  const start = secret.slice(0, IDENTIFYING_LENGTH);
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, from)) {
    let length = start.length;
    while (length < secret.length && text[at + length] === secret[length]) length++;
    parts.push(text.slice(from, at), HIDDEN);
    from = at + length;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

const SECRET_NAME = String.raw`(authorization|api[-_]?key|access[-_]?key(?:[-_]?id)?|private[-_]?key|token|passw(?:or)?d|passphrase|secret|credentials?|bearer)(?![\w-])`;

/** The most characters between a name of a secret and its value. */
export const REACH_BELOW = 80;

const NAMES_SECRET = new RegExp(SECRET_NAME, 'i');

/** Whether a secret can be named on a line whose value is on a later one. */
export function mayContinueBelow(line: string): boolean {
  return NAMES_SECRET.test(line);
}

/** Matches a name of a secret, what is between it and its value in YAML, JSON, URLs, headers and flags, and the value. */
const NAMED_VALUES = new RegExp(
  [
    SECRET_NAME,
    String.raw`(["'\\\],.\s]{0,24}(?:value["'\\]{0,4})?\s{0,4}(?:[:=]|->)?[\s"'\\]{0,24})`,
    String.raw`((?:bearer|basic|token)\s{1,4})?`,
    String.raw`([^\s"'\\,;&<>(){}[\]|]+)`,
  ].join(''),
  'gi',
);

function redactNamedValue(...[match, name, , scheme, value, at, text]: NamedValueMatch): string {
  const shown = match.slice(0, match.length - value.length);
  const explicit = isQueryParameter(text, at, shown) || (scheme !== undefined && /^authorization$/i.test(name));
  return (explicit && !isPlaceholder(value)) || isRandomText(value) ? shown + HIDDEN : match;
}

type NamedValueMatch = [
  match: string,
  name: string,
  separator: string,
  scheme: string | undefined,
  value: string,
  at: number,
  text: string,
];

const LONGEST_NAME = 64;

/** Reports whether a name is that of a parameter in the query of a URL. */
function isQueryParameter(text: string, at: number, shown: string): boolean {
  return shown.endsWith('=') && /[?&;][\w.-]*$/.test(text.slice(Math.max(0, at - LONGEST_NAME), at));
}

/** Matches references to variables, and words that stand for a value: `$(TOKEN)`, `KEY`, `...`. */
function isPlaceholder(value: string): boolean {
  return /^(?:[A-Z_]+|\$.*|\.+|\*+|\u2026)$/.test(value);
}

/** Backslashes are only tried from the first of a run, so that long runs of them take linear time. */
const ESCAPE = String.raw`(?<!\\)\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2})|%[0-9a-f]{2}|&#x?[0-9a-f]{1,6};`;

const ANY_ESCAPE = new RegExp(ESCAPE, 'gi');

/** Matches a word from its start, with escapes for some of its characters. */
const ESCAPED_WORD = new RegExp(String.raw`(?:[\w.~+/=:?@-]|${ESCAPE})+`, 'iy');

const WORD_CHARACTER = /[\w.~+/=:?@-]/;

/** Replaces words that contain a secret once their escapes are decoded. */
function redactEscaped(text: string, redactPlain: PlainRedaction): string {
  const parts: string[] = [];
  let from = 0;
  ANY_ESCAPE.lastIndex = 0;
  for (let found = ANY_ESCAPE.exec(text); found; found = ANY_ESCAPE.exec(text)) {
    let start = found.index;
    while (start > from && WORD_CHARACTER.test(text.charAt(start - 1))) start--;
    ESCAPED_WORD.lastIndex = start;
    const word = ESCAPED_WORD.exec(text)?.[0] ?? found[0];
    const decoded = decodeEscapes(word);
    const isSecret = redactPlain(decoded) !== decoded;
    parts.push(text.slice(from, start), isSecret ? HIDDEN : word);
    from = start + word.length;
    ANY_ESCAPE.lastIndex = from;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

function decodeEscapes(word: string): string {
  return word.replace(ANY_ESCAPE, (escape) => {
    const digits = escape.replace(/^(?:\\+[ux]|%|&#x?)|;$/gi, '');
    const code = Number.parseInt(digits, /^&#\d/.test(escape) ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
  });
}

/** Matches what may be base64 of a key, in both alphabets. */
const BASE64_WORDS = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g;

/** Replaces base64 whose content has a secret. A part of a path can precede it, so that it starts at any offset. */
function redactBase64(text: string, redactPlain: PlainRedaction): string {
  return text.replace(BASE64_WORDS, (word) => {
    if (!/[a-z]/.test(word) || !/[A-Z]/.test(word)) return word;
    const isSecret = [0, 1, 2, 3].some((offset) => {
      const content = Buffer.from(word.slice(offset), 'base64').toString('latin1');
      return redactPlain(content) !== content;
    });
    return isSecret ? HIDDEN : word;
  });
}
