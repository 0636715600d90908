import { wrapLines } from '../../src/cli/terminal';

const cases: Record<string, { text: string; width?: number; want: string }> = {
  'nothing is broken where no one knows how wide it is': {
    text: 'a '.repeat(100),
    want: 'a '.repeat(100),
  },
  'a line that fits stays': { text: `${'a'.repeat(39)} b`, width: 41, want: `${'a'.repeat(39)} b` },
  'a longer one goes on below, indented': {
    text: `  + us/0   ${'word '.repeat(9)}end`,
    width: 40,
    want: `  + us/0   ${'word '.repeat(5)}word\n      word word word end`,
  },
  'a word stays whole': {
    text: `  see ${'x'.repeat(60)} here`,
    width: 40,
    want: `  see\n      ${'x'.repeat(60)}\n      here`,
  },
  'colours take no room': {
    text: `\u001B[32m${'a'.repeat(38)}\u001B[39m b`,
    width: 40,
    want: `\u001B[32m${'a'.repeat(38)}\u001B[39m b`,
  },
  'in very little room lines stay': { text: 'a '.repeat(50), width: 20, want: 'a '.repeat(50) },
};

test.each(Object.entries(cases))('%s', (_, { text, width, want }) => {
  expect(wrapLines(text, width)).toBe(want);
});
