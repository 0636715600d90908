import type { Problem } from '../errors';

/** What a rule says, given the text at the error. */
type Say = (snippet: string) => Pick<Problem, 'what' | 'hint'>;

/** What stays open: the place to point at is where it opens, not where the parser gives up. */
export type Opener = 'quote' | 'bracket';

/** One kind of syntax error in our words. */
interface SyntaxRule {
  /** Matches `CODE message` of the parser's errors at the first bad offset, one a line. */
  readonly symptom: RegExp;
  readonly opener?: Opener;
  readonly say: Say;
}

const QUOTE_IT = 'Put the whole value in quotes';

/** Syntax errors that people make, most telling first. What matches none is given in the parser's own words. */
export const SYNTAX_RULES: readonly SyntaxRule[] = [
  {
    symptom: /^TAB_AS_INDENT/m,
    say: () => ({ what: 'a tab indents this line', hint: 'YAML indents with spaces only' }),
  },
  {
    symptom: /Missing closing/,
    opener: 'quote',
    say: () => ({ what: 'this quote is never closed', hint: 'Add the closing quote' }),
  },
  {
    symptom: /Flow (map|sequence) .*\bend with\b|Flow \w+ must end/,
    opener: 'bracket',
    say: (open) => ({
      what: `this '${open.charAt(0)}' is not closed before the next key`,
      hint: 'Close it, and indent the lines in between',
    }),
  },
  {
    symptom: /block-seq-ind on same line/,
    say: () => ({
      what: "a list item ('- ') stands where 'key: value' is expected",
      hint: 'Put the list below its key, on lines of its own',
    }),
  },
  {
    symptom: /^BLOCK_AS_IMPLICIT_KEY[^]*^MULTILINE_IMPLICIT_KEY/m,
    say: (value) => ({
      what: `'${value}' is a value, yet the next line is indented below it`,
      hint: 'Indent both lines alike, or remove the value',
    }),
  },
  {
    symptom: /^BLOCK_AS_IMPLICIT_KEY/m,
    say: () => ({ what: "a second ': ' stands on this line", hint: `${QUOTE_IT} if the colon is part of it` }),
  },
  {
    symptom: /^MULTILINE_IMPLICIT_KEY|followed by map values/m,
    say: (line) => ({
      what: `'${line}' is no 'key: value'`,
      hint: 'Write a colon and a space behind the key, or indent the line if it continues a text',
    }),
  },
  {
    symptom: /^BAD_INDENT Block scalar/m,
    say: () => ({ what: 'this text is not indented below its key', hint: 'Indent it with spaces' }),
  },
  {
    symptom: /^BAD_INDENT|Sequence item without/m,
    say: () => ({
      what: 'this line is indented like no entry above it',
      hint: 'Start all entries of one mapping or list in the same column',
    }),
  },
  {
    symptom: /^BAD_SCALAR_START/m,
    say: (value) => ({ what: `a value cannot start with '${value.charAt(0)}'`, hint: QUOTE_IT }),
  },
  {
    symptom: /^BAD_DQ_ESCAPE/m,
    say: () => ({
      what: 'this backslash starts no known escape',
      hint: 'Use single quotes, or write the backslash twice',
    }),
  },
  {
    symptom: /header includes extra characters/,
    say: (text) => ({
      what: `'${text}' follows '|' or '>' on its line`,
      hint: `Start the text on the next line. ${QUOTE_IT} if the sign is part of it`,
    }),
  },
  {
    symptom: /Comments must be separated/,
    say: () => ({ what: "'#' follows without a space", hint: 'Put a space before the comment, or quote the value' }),
  },
  {
    symptom: /^BLOCK_IN_FLOW|Missing ,/m,
    say: () => ({ what: 'a comma is missing between two entries', hint: 'Separate entries in brackets with commas' }),
  },
  {
    symptom: /start on same line with directives-end/,
    say: () => ({ what: "a mapping starts on the line of '---'", hint: 'Start it on the next line' }),
  },
  {
    symptom: /directives-end/,
    say: () => ({
      what: "'%' at the start of a line is for directives, and '---' must follow them",
      hint: "Remove the line, or add '---'",
    }),
  },
  {
    symptom: /^UNEXPECTED_TOKEN/m,
    say: (text) => ({ what: `'${text}' is not expected here`, hint: `${QUOTE_IT} if it is part of one` }),
  },
];
