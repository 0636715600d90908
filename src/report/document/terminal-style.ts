/** How parts of a text look. The plain style leaves everything as it is. */
export interface Style {
  /** What is placed. */
  readonly add: (text: string) => string;
  /** What is removed. */
  readonly remove: (text: string) => string;
  /** What moves, or is leaving. */
  readonly change: (text: string) => string;
  /** What the reader has to see to. */
  readonly warn: (text: string) => string;
  /** Titles and names. */
  readonly strong: (text: string) => string;
  /** What can be passed over. */
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;

/** No colour. */
export const PLAIN_STYLE: Style = {
  add: same,
  remove: same,
  change: same,
  warn: same,
  strong: same,
  faint: same,
};

/** How a line of a comparison begins, and how it looks. */
export interface LineMark {
  readonly mark: string;
  readonly paint: keyof Style;
}

export const ADD_MARK: LineMark = { mark: '+', paint: 'add' };
export const MOVE_MARK: LineMark = { mark: '>', paint: 'change' };
export const CHANGE_MARK: LineMark = { mark: '~', paint: 'change' };
export const REPLACE_MARK: LineMark = { mark: '±', paint: 'remove' };
export const REMOVE_MARK: LineMark = { mark: '-', paint: 'remove' };
export const KEEP_MARK: LineMark = { mark: '=', paint: 'faint' };

/** A line with its mark, in its colour. */
export function formatMarkedLine({ mark, paint }: LineMark, text: string, style: Style, indent = 4): string {
  return style[paint](`${' '.repeat(indent)}${mark} ${text}`);
}
