import { type Document, isCollection, isScalar, type Node, visit, type YAMLParseError } from 'yaml';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { SourceText } from './source-file';

/**
 * The first syntax error of a document in our words. Only the first: what the parser reports
 * behind it is mostly a consequence.
 */
export function findSyntaxProblem(source: SourceText, document: Document.Parsed): Diagnostic | undefined {
  if (document.errors.length === 0) return undefined;
  const first = document.errors.reduce((least, { pos }) => Math.min(least, pos[0]), Infinity);
  const errors = document.errors.filter((error) => error.pos[0] === first);
  const symptoms = errors.map(({ code, message }) => `${code} ${message}`).join('\n');
  const rule = SYNTAX_RULES.find(({ symptom }) => symptom.test(symptoms));
  const offset = (rule?.opener && findOpener(document, first, rule.opener)) ?? first;
  const { message, hint } =
    findLineCause(lineOf(source.text, offset)) ??
    rule?.say(source.text.charAt(offset)) ??
    toParserMessage(errors);
  return errorAt('bad-yaml', source.place(offset), message, hint);
}

function findLineCause(line: string): SyntaxMessage | undefined {
  return LINE_CAUSES.find(({ sign }) => sign.test(line))?.said;
}

function lineOf(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end === -1 ? undefined : end);
}

/** Where the innermost quote or bracket opens that is still open at an offset. */
function findOpener(document: Document.Parsed, offset: number, opener: Opener): number | undefined {
  let found: number | undefined;
  visit(document, {
    Node(_, node) {
      const [start, end] = node.range ?? [offset, offset];
      if (start < offset && end >= offset && isOpenedBy(node, opener)) found = start;
    },
  });
  return found;
}

function isOpenedBy(node: Node, opener: Opener): boolean {
  if (opener === 'quote') return isScalar(node) && node.type?.startsWith('QUOTE') === true;
  return isCollection(node) && node.flow === true;
}

function toParserMessage([error]: readonly YAMLParseError[]): SyntaxMessage {
  const message = error?.message ?? 'this is no YAML';
  return { message: message.charAt(0).toLowerCase() + message.slice(1) };
}

/** What a rule says. The text at the error is not repeated: it may be a secret. */
export interface SyntaxMessage {
  readonly message: string;
  readonly hint?: string;
}

/** What stays open: the place to point at is where it opens, not where the parser gives up. */
export type Opener = 'quote' | 'bracket';

/** One kind of syntax error in our words. */
interface SyntaxRule {
  /** Matches `CODE message` of the parser's errors at the first bad offset, one a line. */
  readonly symptom: RegExp;
  readonly opener?: Opener;

  /** @param sign the character at the error */
  readonly say: (sign: string) => SyntaxMessage;
}

const QUOTE_IT = 'Put the whole value in quotes';

/** Syntax errors that people make, most telling first. What matches none is given in the parser's own words. */
export const SYNTAX_RULES: readonly SyntaxRule[] = [
  {
    symptom: /^TAB_AS_INDENT/m,
    say: () => ({ message: 'a tab indents this line', hint: 'Indent with spaces: YAML takes nothing else' }),
  },
  {
    symptom: /Missing closing/,
    opener: 'quote',
    say: () => ({ message: 'this quote is never closed', hint: 'Add the closing quote' }),
  },
  {
    symptom: /Flow .* end with/,
    opener: 'bracket',
    say: (bracket) => ({
      message: `this '${bracket}' is not closed`,
      hint: 'Add the closing bracket, and indent the lines in between',
    }),
  },
  {
    symptom: /block-seq-ind on same line/,
    say: () => ({
      message: "a list item ('- ') stands where 'key: value' is expected",
      hint: 'Put the list below its key, on lines of its own',
    }),
  },
  {
    symptom: /^BLOCK_AS_IMPLICIT_KEY[^]*^MULTILINE_IMPLICIT_KEY/m,
    say: () => ({
      message: 'a value stands here, yet the next line is indented below it',
      hint: 'Indent both lines alike, or remove the value',
    }),
  },
  {
    symptom: /^BLOCK_AS_IMPLICIT_KEY/m,
    say: () => ({
      message: "a second ': ' stands on this line",
      hint: `${QUOTE_IT} if the colon is part of it`,
    }),
  },
  {
    symptom: /^MULTILINE_IMPLICIT_KEY|followed by map values/m,
    say: () => ({
      message: "this line is no 'key: value'",
      hint: 'Write a colon and a space behind the key, or indent the line if it continues a text',
    }),
  },
  {
    symptom: /^BAD_INDENT Block scalar/m,
    say: () => ({ message: 'this text is not indented below its key', hint: 'Indent it with spaces' }),
  },
  {
    symptom: /^BAD_INDENT|Sequence item without/m,
    say: () => ({
      message: 'this line is indented like no entry above it',
      hint: 'Start all entries of one map or list in the same column',
    }),
  },
  {
    symptom: /^BAD_SCALAR_START/m,
    say: (sign) => ({ message: `a value cannot start with '${sign}'`, hint: QUOTE_IT }),
  },
  {
    symptom: /^BAD_ALIAS/m,
    say: (sign) => ({
      message: `no name follows this '${sign}'`,
      hint: `${QUOTE_IT} if the sign is part of it`,
    }),
  },
  {
    symptom: /^TAG_RESOLVE_FAILED/m,
    say: () => ({
      message: "this '!' starts a tag that YAML 1.2 does not have",
      hint: `${QUOTE_IT} if the sign is part of it`,
    }),
  },
  {
    symptom: /^BAD_DQ_ESCAPE/m,
    say: () => ({
      message: 'this backslash starts no known escape',
      hint: 'Use single quotes, or write the backslash twice',
    }),
  },
  {
    symptom: /header includes extra characters/,
    say: () => ({
      message: "something follows '|' or '>' on its line",
      hint: `Start the text on the next line. ${QUOTE_IT} if the sign is part of it`,
    }),
  },
  {
    symptom: /Comments must be separated/,
    say: () => ({
      message: "'#' follows without a space",
      hint: 'Put a space before the comment, or quote the value',
    }),
  },
  {
    symptom: /^BLOCK_IN_FLOW|Missing ,/m,
    say: () => ({
      message: 'a comma is missing between two entries',
      hint: 'Separate entries in brackets with commas',
    }),
  },
  {
    symptom: /start on same line with directives-end/,
    say: () => ({ message: "a map starts on the line of '---'", hint: 'Start it on the next line' }),
  },
  {
    symptom: /Missing directives-end/,
    say: () => ({
      message: "a line above starts with '%', and no '---' follows it",
      hint: "Remove that line, or add '---' below it",
    }),
  },
  {
    symptom: /^UNEXPECTED_TOKEN/m,
    say: (sign) => ({
      message: `${/\w/.test(sign) ? 'more text' : `'${sign}'`} is not expected here`,
      hint: `${QUOTE_IT} if this is part of one`,
    }),
  },
];

/** What is behind a syntax error whatever the parser says, if the line of the error matches. */
export const LINE_CAUSES: readonly { readonly sign: RegExp; readonly said: SyntaxMessage }[] = [
  {
    sign: /\{\{/,
    said: {
      message: 'this line is a template, not YAML',
      hint: 'Render the template first, or leave the file out',
    },
  },
  {
    sign: /[\u00A0\u2000-\u200B\u202F\u3000\uFEFF]/,
    said: { message: 'this line holds a space that is no plain space', hint: 'Type its spaces again' },
  },
];
