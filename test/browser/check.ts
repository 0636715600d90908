import type { Browser } from 'playwright-core';

/** What checks are given: a browser, and the files of the maps by name. */
export interface Given {
  readonly browser: Browser;
  readonly maps: Readonly<Record<MapName, string>>;

  /** Prints a figure that someone wants to see. */
  readonly figure: (text: string) => void;
}

export type MapName = 'small' | 'unplaced' | 'compared' | 'regional' | 'wide' | 'warned' | 'hostile' | 'large';

/** Sentences about how the page behaves, each with what shows that it does. */
export type Checks = Readonly<Record<string, (given: Given) => Promise<void>>>;
