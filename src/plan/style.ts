/** How parts of a text look. The plain style leaves everything as it is. */
export interface Style {
  readonly add: (text: string) => string;
  readonly remove: (text: string) => string;
  readonly change: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;

/** No colour. */
export const PLAIN: Style = { add: same, remove: same, change: same, warn: same, strong: same, faint: same };
