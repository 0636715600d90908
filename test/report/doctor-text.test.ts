import type { FindingLevel } from '../../src/live/finding';
import { formatLevel } from '../../src/report/doctor-text';
import type { Style } from '../../src/report/document/document';
import { PLAIN_STYLE, writeTerminal } from '../../src/report/document/write-terminal';

/** Names colours instead of using them. */
const NAMED = Object.fromEntries(
  Object.keys(PLAIN_STYLE).map((name) => [name, (text: string) => `${name}(${text})`]),
) as unknown as Style;

const marks: Record<FindingLevel, string> = {
  ok: 'add(ok     )',
  warning: 'warn(warning)',
  failure: 'remove(FAILURE)',
  unknown: 'change(unknown)',
};

test.each(Object.entries(marks))('%s has a colour, and is as wide as the others', (level, want) => {
  expect(writeTerminal([{ text: [formatLevel(level as FindingLevel)] }], { style: NAMED })).toBe(want);
});
