import type { Advice } from '../../../src/report/diff/choices';
import { formatRefusedLines } from '../../../src/report/diff/gate-text';
import { formatAdvised } from '../../../src/report/pull-request/refusal-lines';

const RENAMED = { hint: 'Serve both names', steps: ['Add the new one', 'Remove the old one'] };

test.each<[string, Advice & { readonly why?: string }, string[]]>([
  [
    'steps are a numbered list below what they are for, behind the reason',
    { ...RENAMED, why: 'Why: it is new.' },
    ['Why: it is new.', 'Serve both names.', '1. Add the new one.', '2. Remove the old one.'],
  ],
  ['what needs no steps comes before the reason', { hint: 'Undo it', why: 'Why: so.' }, ['Undo it.', 'Why: so.']],
])('in a comment, %s', (_, advice, want) => {
  expect(formatAdvised('It is gone', '', advice)).toEqual([
    '- :x: **It is gone.**',
    ...want.map((line) => `  ${line}`),
  ]);
});

test('in a terminal, steps are a numbered list too', () => {
  expect(formatRefusedLines({ what: 'it is gone', ...RENAMED })).toBe(
    'refused: it is gone. Serve both names.\n  1. Add the new one.\n  2. Remove the old one.\n',
  );
});
