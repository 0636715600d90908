import type { Style } from '../plan/style';

/** How a line of a comparison begins, and how it looks. */
export interface Mark {
  readonly mark: string;
  readonly paint: keyof Style;
}

export const ADD: Mark = { mark: '+', paint: 'add' };
export const MOVE: Mark = { mark: '>', paint: 'change' };
export const CHANGE: Mark = { mark: '~', paint: 'change' };
export const REPLACE: Mark = { mark: '±', paint: 'remove' };
export const REMOVE: Mark = { mark: '-', paint: 'remove' };
export const KEEP: Mark = { mark: '=', paint: 'faint' };

/** A line with its mark, in its colour. */
export function marked({ mark, paint }: Mark, text: string, style: Style, indent = 4): string {
  return style[paint](`${' '.repeat(indent)}${mark} ${text}`);
}
