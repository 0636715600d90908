import type { Level } from '../../src/live/finding';
import { levelMark } from '../../src/live/level-mark';
import { PLAIN, type Style } from '../../src/plan/style';

/** Names colours instead of using them. */
const NAMED = Object.fromEntries(
  Object.keys(PLAIN).map((name) => [name, (text: string) => `${name}(${text})`]),
) as unknown as Style;

const marks: Record<Level, string> = {
  ok: 'add(ok     )',
  warning: 'warn(warning)',
  failure: 'remove(FAILURE)',
  unknown: 'change(unknown)',
};

test.each(Object.entries(marks))('%s has a colour, and is as wide as the others', (level, want) => {
  expect(levelMark(level as Level, NAMED)).toBe(want);
});
