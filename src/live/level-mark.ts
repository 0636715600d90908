import type { Style } from '../plan/style';
import type { Level } from './finding';

/** The colour of each level. */
export const LEVEL_COLOURS: Readonly<Record<Level, keyof Style>> = {
  ok: 'add',
  warning: 'warn',
  failure: 'remove',
  unknown: 'change',
};

/** All as wide as the widest. */
const WIDTH = 'warning'.length;

/** A level at the start of a line: `FAILURE`, `ok     `. */
export function levelMark(level: Level, style: Style): string {
  const mark = level === 'failure' ? 'FAILURE' : level;
  return style[LEVEL_COLOURS[level]](mark.padEnd(WIDTH));
}
