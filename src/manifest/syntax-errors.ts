import { decapitalize } from '../base/text';
import type { Document, Node, YAMLParseError } from 'yaml';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { SourceText } from './source-file';
import { yaml } from './yaml-library';

/** Describes the first syntax error of a document. Later errors of the parser are mostly consequences of the first. */
export function findSyntaxProblem(source: SourceText, document: Document.Parsed): Diagnostic | undefined {
  if (document.errors.length === 0) return undefined;
  const first = document.errors.reduce((least, { pos }) => Math.min(least, pos[0]), Infinity);
  const errors = document.errors.filter((error) => error.pos[0] === first);
  const symptoms = errors.map(({ code, message }) => `${code} ${message}`).join('\n');
  const around = linesAround(source.text, first);
  const rule = SYNTAX_RULES.find(({ symptom, lines }) => symptom.test(symptoms) && (lines?.(around) ?? true));
  const offset = (rule?.opener && findOpener(document, first, rule.opener)) ?? first;
  const line = lineOf(source.text, offset);
  const { message, hint } = LINE_CAUSES.find(({ symptom }) => symptom.test(line)) ?? rule ?? toParserMessage(errors);
  const what = typeof message === 'string' ? message : message(source.text.charAt(offset));
  const todo = typeof hint === 'string' ? hint : hint(linesAround(source.text, offset));
  return errorAt('bad-yaml', source.place(offset), what, todo);
}

function linesAround(text: string, offset: number): LinesAround {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = lineOf(text, offset);
  const before = text.slice(0, start).split('\n').findLast(hasText) ?? '';
  const after =
    text
      .slice(start + line.length)
      .split('\n')
      .find(hasText) ?? '';
  return { before, line, after };
}

function hasText(line: string): boolean {
  return line.trim() !== '';
}

/** Whether `name: x` below a key without a value has further fields where those of a list item are. */
function isForgottenDash({ before, line, after }: LinesAround): boolean {
  const [key, own, next] = [before, line, after].map((one) => one.length - one.trimStart().length);
  if (key === undefined || own === undefined || next !== own + '- '.length || own < key) return false;
  return line.trimStart().startsWith('name:') && before.trimEnd().endsWith(':') && before.trim() !== 'metadata:';
}

function lineOf(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end === -1 ? undefined : end);
}

/** The offset at which the innermost quote or bracket opens that is still open at `offset`. */
function findOpener(document: Document.Parsed, offset: number, opener: Opener): number | undefined {
  let found: number | undefined;
  yaml().visit(document, {
    Node(_, node) {
      const [start, end] = node.range ?? [offset, offset];
      if (start < offset && end >= offset && isOpenedBy(node, opener)) found = start;
    },
  });
  return found;
}

function isOpenedBy(node: Node, opener: Opener): boolean {
  if (opener === 'quote') return yaml().isScalar(node) && node.type?.startsWith('QUOTE') === true;
  return yaml().isCollection(node) && node.flow === true;
}

function toParserMessage([error]: readonly YAMLParseError[]): Pick<SyntaxRule, 'message' | 'hint'> {
  const message = error?.message ?? 'this is not YAML';
  return { message: decapitalize(message), hint: 'Correct the YAML at this position' };
}

/** What remains open. The reported position is where it opens, not where the parser fails. */
type Opener = 'quote' | 'bracket';

/** Maps a kind of syntax error to a message, which does not quote the text at the error: it can be a secret. */
interface SyntaxRule {
  /** Matches the line of the error, or lines of `CODE message`: one for each parser error at the first bad offset. */
  readonly symptom: RegExp;
  readonly opener?: Opener;

  /** Whether it applies to the lines around the error. Default: to any. */
  readonly lines?: (lines: LinesAround) => boolean;

  /** The message, or a function that makes it from the character at the error. */
  readonly message: string | ((sign: string) => string);

  /** What to do, or a function that makes it from the lines around the error. */
  readonly hint: string | ((lines: LinesAround) => string);
}

/** The line of an error, and the next ones with text on both sides. */
interface LinesAround {
  readonly before: string;
  readonly line: string;
  readonly after: string;
}

const QUOTE_IT = 'Put the whole value in quotes';

/** A key whose value follows without a space: `replicas:3`. */
const LACKS_SPACE = /^[ -]*[A-Za-z]\w*:(?!\/\/)[^\s:]/;

const NO_ENTRY = "this line is not 'key: value'";
const NO_SPACE = { message: NO_ENTRY, hint: 'Add a space after the colon' };

/** Rules for common syntax errors. The first match wins. Other errors keep the message of the parser. */
const SYNTAX_RULES: readonly SyntaxRule[] = [
  {
    symptom: /^TAB_AS_INDENT/m,
    message: 'a tab indents this line',
    hint: 'Indent with spaces: YAML does not allow tabs',
  },
  { symptom: /Missing closing/, opener: 'quote', message: 'this quote is never closed', hint: 'Add the closing quote' },
  {
    symptom: /^[A-Z_]+ Flow .* end with/m,
    opener: 'bracket',
    message: (bracket) => `this '${bracket}' is not closed`,
    hint: 'Add the closing bracket, and indent the lines in between',
  },
  {
    symptom: /block-seq-ind on same line/,
    message: "a list item ('- ') is where 'key: value' is expected",
    hint: 'Move the list below its key, on separate lines',
  },
  {
    symptom: /^BLOCK_AS_IMPLICIT_KEY.*\nMULTILINE_IMPLICIT_KEY/m,
    message: 'this line has a value, but the next line is indented below it',
    hint: (lines) =>
      isForgottenDash(lines)
        ? "Begin the line with '- ' if it starts an item of a list, or indent both lines equally"
        : 'Indent both lines equally, or remove the value',
  },
  {
    symptom: /^BLOCK_AS_IMPLICIT_KEY/m,
    lines: ({ line }) => line.trimStart().startsWith('- ') && !/: .*: /.test(line),
    message: 'this list item is below a line that has a value already',
    hint: 'Put the key of the list on a line of its own between the two, or indent the item like those of its list',
  },
  {
    symptom: /^BLOCK_AS_IMPLICIT_KEY/m,
    lines: ({ line }) => LACKS_SPACE.test(line),
    ...NO_SPACE,
  },
  {
    symptom: /^BLOCK_AS_IMPLICIT_KEY/m,
    message: "this line has a second ': '",
    hint: `${QUOTE_IT} if the colon is part of it`,
  },
  {
    symptom: /^MULTILINE_IMPLICIT_KEY|followed by map values/m,
    lines: ({ line }) => LACKS_SPACE.test(line),
    ...NO_SPACE,
  },
  {
    symptom: /^MULTILINE_IMPLICIT_KEY|followed by map values/m,
    message: NO_ENTRY,
    hint: 'Add a colon and a space after the key, or indent the line if it continues a text',
  },
  {
    symptom: /^BAD_INDENT Block scalar/m,
    message: 'this text is not indented below its key',
    hint: 'Indent it with spaces',
  },
  {
    symptom: /^BAD_INDENT|Sequence item without/m,
    message: 'the indentation of this line matches no entry above it',
    hint: 'Start all entries of one map or list in the same column',
  },
  { symptom: /^BAD_SCALAR_START/m, message: (sign) => `a value cannot start with '${sign}'`, hint: QUOTE_IT },
  {
    symptom: /^BAD_ALIAS/m,
    message: (sign) => `no name follows this '${sign}'`,
    hint: `${QUOTE_IT} if the character is part of it`,
  },
  {
    symptom: /^TAG_RESOLVE_FAILED/m,
    message: "this '!' starts a tag that YAML 1.2 does not have",
    hint: `${QUOTE_IT} if the character is part of it`,
  },
  {
    symptom: /^BAD_DQ_ESCAPE/m,
    message: 'this backslash does not start a known escape',
    hint: 'Use single quotes, or write the backslash twice',
  },
  {
    symptom: /header includes extra characters/,
    message: "the line of '|' or '>' has further text",
    hint: `Start the text on the next line. ${QUOTE_IT} if the character is part of it`,
  },
  {
    symptom: /Comments must be separated/,
    message: "'#' follows without a space",
    hint: 'Put a space before the comment, or quote the value',
  },
  {
    symptom: /^BLOCK_IN_FLOW|Missing ,/m,
    message: 'a comma is missing between two entries',
    hint: 'Separate entries in brackets with commas',
  },
  {
    symptom: /start on same line with directives-end/,
    message: "a map starts on the line of '---'",
    hint: 'Start it on the next line',
  },
  {
    symptom: /Missing directives-end/,
    message: "a line above starts with '%' and is not followed by '---'",
    hint: "Remove that line, or add '---' below it",
  },
  {
    symptom: /^UNEXPECTED_TOKEN/m,
    message: (sign) => `${/\w/.test(sign) ? 'more text' : `'${sign}'`} is not expected here`,
    hint: `${QUOTE_IT} if this is part of one`,
  },
];

/** Causes of syntax errors by the line of the error. They take precedence over the errors of the parser. */
const LINE_CAUSES: readonly SyntaxRule[] = [
  {
    symptom: /\{\{/,
    message: 'this line is a template, not YAML',
    hint: 'Render the template first, or remove the file',
  },
  {
    symptom: /:\s+>=?\s*\d/,
    message: "a value that begins with '>' is the start of a text of several lines",
    hint: QUOTE_IT,
  },
  {
    symptom: /[\u00A0\u2000-\u200B\u202F\u3000\uFEFF]/,
    message: 'this line contains a special space character',
    hint: 'Replace it with a plain space',
  },
];
