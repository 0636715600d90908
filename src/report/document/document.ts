import type { Style } from './terminal-style';

/** One of the looks of a style. */
export type Look = keyof Style;

/** A part of a line with a look of its own. */
export interface Span {
  readonly look: Look;
  readonly text: string;
}

/** A text, or its parts. */
export type Text = string | readonly (string | Span)[];

/** The sign before an item, and the look of its line. */
export interface Mark {
  readonly sign: string;
  readonly look: Look;
}

/** A line, with blocks indented below it. */
export interface Item {
  readonly text: Text;
  readonly mark?: Mark;

  /** Of the whole line. Default: that of the mark, if it has one. */
  readonly look?: Look;

  /** Columns before the text, each as wide as in the widest of the items next to it. */
  readonly cells?: readonly string[];
  readonly below?: readonly Block[];
}

/** Blocks that are further to the right than those around them. */
export interface Group {
  readonly indent: number;
  readonly blocks: readonly Block[];
}

/** Rows of aligned columns. The first row has the titles. */
export interface Table {
  readonly rows: readonly (readonly string[])[];
}

/** A part of a document. A string is a line as it is; an empty one separates parts. */
export type Block = string | Item | Group | Table;

/** Titles and names within a line. */
export function strong(text: string): Span {
  return { look: 'strong', text };
}

/** What can be passed over within a line. */
export function faint(text: string): Span {
  return { look: 'faint', text };
}

/** Lines of one look. */
export function styledLines(look: Look, lines: readonly string[]): Item[] {
  return lines.map((text) => ({ look, text }));
}

/** Blocks by two columns further to the right. */
export function indent(blocks: readonly Block[]): Block[] {
  return blocks.length > 0 ? [{ indent: 2, blocks }] : [];
}

/** Blocks with an empty line below. Nothing where there are none. */
export function section(blocks: readonly Block[]): Block[] {
  return blocks.length > 0 ? [...blocks, ''] : [];
}

const ADD: Mark = { sign: '+', look: 'add' };
const CHANGE: Mark = { sign: '~', look: 'change' };
const REMOVE: Mark = { sign: '-', look: 'remove' };

/** The marks of what happens to replicas, objects, declarations, routes and cloud resources. */
export const MARKS = {
  add: ADD,
  added: ADD,
  create: ADD,
  place: ADD,
  change: CHANGE,
  changed: CHANGE,
  roll: CHANGE,
  leaving: CHANGE,
  move: { sign: '>', look: 'change' },
  replace: { sign: '±', look: 'remove' },
  delete: REMOVE,
  remove: REMOVE,
  removed: REMOVE,
  keep: { sign: '=', look: 'faint' },
} as const satisfies Readonly<Record<string, Mark>>;
