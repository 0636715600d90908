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
