import { decapitalize } from '../base/text';
import { TypeError as CheckError, EvaluationError, ParseError } from 'cel-js';
import { messageOf } from '../base/errors';
import { suggestName } from '../base/name-suggestion';
import { restoreOriginalNames } from './cel-go-compat/rename-overridden-calls';
import { SelectorError } from './selector-error';

type LibraryError = EvaluationError | ParseError | CheckError;

interface Wording {
  readonly what: string;
  readonly hint?: string | undefined;
}

const DEVICE_FIELDS = ['driver', 'attributes', 'capacity', 'allowMultipleAllocations'];

const TOKENS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  IDENTIFIER: 'a name',
  LPAREN: "'('",
  RPAREN: "')'",
  LBRACKET: "'['",
  RBRACKET: "']'",
  LBRACE: "'{'",
  RBRACE: "'}'",
  COLON: "':'",
  QUESTION: "'?'",
  COMMA: "','",
  DOT: "'.'",
};

/** Our wording for errors of the library, by error code. Other errors keep the message of the library. */
const WORDINGS: Readonly<Record<string, (message: string) => Wording>> = {
  unknown_variable: (message) => ({
    what: `unknown variable '${subjectOfMessage(message)}'`,
    hint: "Selectors read the variable 'device'",
  }),
  no_such_key: (message) => {
    const near = suggestName(subjectOfMessage(message), DEVICE_FIELDS);
    return { what: `unknown field '${subjectOfMessage(message)}'`, hint: near && `Write '${near}'` };
  },
  limit_exceeded: () => ({ what: 'the selector is nested too deep' }),
  expected_token: describeSyntaxError,
  unexpected_token: describeSyntaxError,
  unexpected_character: describeSyntaxError,
};

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/Quantity [<>]|[<>]=? kubernetes\.Quantity/, 'Compare quantities with compareTo, isGreaterThan or isLessThan'],
  [/Semver [<>]|[<>]=? kubernetes\.Semver/, 'Compare versions with compareTo, isGreaterThan or isLessThan'],
  [/Quantity [=!]= (string|int)|(string|int) [=!]= kubernetes\.Quantity/, 'Write quantity("40Gi") for an amount'],
  [/Quantity\.(compareTo|isGreaterThan|isLessThan)\(/, 'Write quantity("40Gi") for an amount'],
  [/Semver\.(compareTo|isGreaterThan|isLessThan)\(/, 'Write semver("1.2.3") for a version'],
  [/Quantity\.sign\(/, 'Write sign(quantity)'],
  [/^unknown field 'memory'/, 'Write device.capacity["gpu.nvidia.com"].memory'],
  [
    /^unknown field '(architecture|cudaComputeCapability|productName|type)'/,
    'Write device.attributes["gpu.nvidia.com"] and the name behind it',
  ],
  [/unexpected character: =/, "Write '==' to compare"],
];

/** The start of an amount of bytes without quotes, up to its unit. */
const AMOUNT = /\s\d+[KMGT]i?$/;

/** A comparison with an amount or a version by an operator: `device.capacity["d"].memory >= quantity("22Gi")`. */
const COMPARISON = /^(device\.\S+)\s*([<>]=?)\s*(?:(\d\w*)|((?:quantity|semver)\("[^"]*"\)))$/;

/** An amount or attribute whose name stands where its domain does: `device.capacity.memory`. */
const WITHOUT_DOMAIN = /^device\.(?:(capacity|attributes)\.)?(\w+)/;

/** An amount with its domain, which is the driver that the expression names or that of NVIDIA. */
function addDomain(amount: string, expression: string): string {
  const domain = /device\.driver\s*==\s*["']([\w.-]+)["']/.exec(expression)?.[1] ?? 'gpu.nvidia.com';
  return amount.replace(WITHOUT_DOMAIN, (whole, map, name) => {
    if (map === undefined && name !== 'memory') return whole;
    return `device.${map ?? 'capacity'}["${domain}"].${name}`;
  });
}

/** How the comparison is written that ends a text. Undefined: the text ends with another one. */
function formatComparison(text: string, expression: string): string | undefined {
  const [, read, operator, bare, call] = COMPARISON.exec(text.slice(text.lastIndexOf('device.'))) ?? [];
  if (read === undefined || operator === undefined) return undefined;
  const amount = addDomain(read, expression);
  return `Write ${amount}.compareTo(${call ?? `quantity("${bare}")`}) ${operator} 0`;
}

/** Converts an error of the CEL library to a `SelectorError` with the original names. Rethrows other errors. */
export function toSelectorError(expression: string, error: unknown): SelectorError {
  if (!isLibraryError(error)) throw error;
  const message = readableMessage(error);
  const wording = WORDINGS[error.code]?.(message);
  const what = wording?.what ?? message;
  const { start = 0, end = start } = error.range ?? {};
  const hint =
    wording?.hint ??
    hintAtComparison(expression, { start, end }) ??
    hintAtDomain(what, expression) ??
    HINTS.find(([pattern]) => pattern.test(what))?.[1];
  return new SelectorError(expression, { at: start, message: what, hint });
}

/** The hint for a map of capacities or attributes that is compared as if it were one of them. */
function hintAtDomain(what: string, expression: string): string | undefined {
  if (!/overload/.test(what) || !/\bmap\b/.test(what)) return undefined;
  const read = /\bdevice\.(?:capacity|attributes)\.\w+/.exec(expression)?.[0];
  return read && `Write ${addDomain(read, expression)}`;
}

/** The hint for a comparison by an operator, or for an amount without quotes. */
function hintAtComparison(expression: string, { start, end }: { start: number; end: number }): string | undefined {
  if (!AMOUNT.test(expression.slice(0, start + 1))) return formatComparison(expression.slice(start, end), expression);
  const rest = /^\w*/.exec(expression.slice(start)) ?? '';
  return formatComparison(`${expression.slice(0, start)}${rest}`, expression) ?? 'Write quantity("40Gi") for an amount';
}

/** Describes a failed evaluation as a clause. */
export function describeFailure(error: unknown): string {
  if (!isLibraryError(error)) return messageOf(error);
  const message = readableMessage(error);
  return error.code === 'no_such_key' ? `no such key: ${subjectOfMessage(message)}` : message;
}

function isLibraryError(error: unknown): error is LibraryError {
  return error instanceof ParseError || error instanceof EvaluationError || error instanceof CheckError;
}

/** Returns the message with the original names, and without the mark `dyn<>` of inferred types. */
function readableMessage({ summary }: LibraryError): string {
  return restoreOriginalNames(summary).replace(/\bdyn<([\w.]+)>/g, '$1');
}

/** Returns the text after the colon. */
function subjectOfMessage(message: string): string {
  return message.slice(message.indexOf(': ') + 2);
}

function describeSyntaxError(message: string): Wording {
  const named = message.replace(/\b[A-Z]{2,}\b/g, (token) => TOKENS[token] ?? token.toLowerCase());
  return { what: `syntax error: ${decapitalize(named)}` };
}
