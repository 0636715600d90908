/** Functions that style parts of a text. The plain style returns each text unchanged. */
export interface Style {
  /** Styles what is placed or created. */
  readonly add: (text: string) => string;
  /** Styles what is removed. */
  readonly remove: (text: string) => string;
  /** Styles what moves, changes or is draining. */
  readonly change: (text: string) => string;
  /** Styles what needs attention. */
  readonly warn: (text: string) => string;
  /** Styles titles and names. */
  readonly strong: (text: string) => string;
  /** Styles secondary text. */
  readonly faint: (text: string) => string;
}

export type StyleName = keyof Style;

export interface StyledText {
  readonly look: StyleName;
  readonly text: string;
}

/** The text of a line: a string, or parts with their looks. */
export type Text = string | readonly (string | StyledText)[];

interface Mark {
  readonly sign: string;
  readonly look: StyleName;
}

/** A line, with blocks indented below it. */
export interface Item {
  readonly text: Text;
  readonly mark?: Mark;

  /** The look of the whole line. Default: the look of the mark, if any. */
  readonly look?: StyleName;

  /** Columns before the text. Each is as wide as its widest cell in the sibling items. */
  readonly cells?: readonly string[];
  readonly below?: readonly Block[];
}

/** Blocks that are indented relative to the blocks around them. */
interface Group {
  readonly indent: number;
  readonly blocks: readonly Block[];
}

/** Rows of aligned columns. The first row holds the titles. */
export interface Table {
  readonly rows: readonly (readonly string[])[];
}

/** A part of a document. A string is a literal line; an empty string is a blank line. */
export type Block = string | Item | Group | Table;

/** Returns a span for a title or name in a line. */
export function strong(text: string): StyledText {
  return { look: 'strong', text };
}

/** Returns a span for secondary text in a line. */
export function faint(text: string): StyledText {
  return { look: 'faint', text };
}

export function styledLines(look: StyleName, lines: readonly string[]): Item[] {
  return lines.map((text) => ({ look, text }));
}

/** Returns the first items, and one that counts the others if there are more than `most`. */
export function firstItems<T>(items: readonly T[], most: number, rest: (count: number) => T): T[] {
  return items.length > most ? [...items.slice(0, most), rest(items.length - most)] : [...items];
}

/** Indents blocks by two columns. Returns no group if there are no blocks. */
export function indent(blocks: readonly Block[]): Block[] {
  return blocks.length > 0 ? [{ indent: 2, blocks }] : [];
}

/** Returns blocks followed by a blank line, or nothing if there are no blocks. */
export function section(blocks: readonly Block[]): Block[] {
  return blocks.length > 0 ? [...blocks, ''] : [];
}

const ADD: Mark = { sign: '+', look: 'add' };
const CHANGE: Mark = { sign: '~', look: 'change' };
const REMOVE: Mark = { sign: '-', look: 'remove' };

/** The marks of each action on replicas, objects, declarations, routes and cloud resources. */
export const CHANGE_MARKS = {
  add: ADD,
  added: ADD,
  create: ADD,
  place: ADD,
  change: CHANGE,
  changed: CHANGE,
  roll: CHANGE,
  draining: CHANGE,
  lost: { sign: '!', look: 'warn' },
  move: { sign: '>', look: 'change' },
  replace: { sign: '±', look: 'remove' },
  delete: REMOVE,
  remove: REMOVE,
  removed: REMOVE,
  keep: { sign: '=', look: 'faint' },
} as const satisfies Readonly<Record<string, Mark>>;
