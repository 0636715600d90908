/** Functions that style parts of a text. The plain style returns each text unchanged. */
export interface Style {
  /** Styles what is placed or created. */
  readonly add: (text: string) => string;
  /** Styles what is removed. */
  readonly remove: (text: string) => string;
  /** Styles what moves, changes or is leaving. */
  readonly change: (text: string) => string;
  /** Styles what needs attention. */
  readonly warn: (text: string) => string;
  /** Styles titles and names. */
  readonly strong: (text: string) => string;
  /** Styles secondary text. */
  readonly faint: (text: string) => string;
}

const unchanged = (text: string): string => text;

export const PLAIN_STYLE: Style = {
  add: unchanged,
  remove: unchanged,
  change: unchanged,
  warn: unchanged,
  strong: unchanged,
  faint: unchanged,
};
