import { execFileSync } from 'node:child_process';
import { formatBounds, formatChange, formatCommandArguments } from '../../src/base/text';

const cases: Record<string, { target: string; lock?: string; want: string }> = {
  'plain names stand as they are': {
    target: './fleets/eu_1',
    lock: 'a@b/lock.yaml',
    want: './fleets/eu_1 --lock a@b/lock.yaml',
  },
  'no lock is named where it is where it belongs': { target: '.', want: '.' },
  'spaces and signs of a shell are in double quotes': {
    target: 'my fleet',
    lock: "it's; #1*.yaml",
    want: '"my fleet" --lock "it\'s; #1*.yaml"',
  },
  'what double quotes do not hold is in single ones': {
    target: '$HOME',
    lock: 'a"b`c\\d!',
    want: "'$HOME' --lock 'a\"b`c\\d!'",
  },
  'a single quote among it is its own': { target: "$it's", want: "'$it'\\''s'" },
};

test.each(Object.entries(cases))('%s, and a shell reads the same', (_, { target, lock, want }) => {
  const words = formatCommandArguments(target, lock);
  expect(words).toBe(want);
  const read = execFileSync('bash', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' });
  expect(read.split('\0').slice(0, -1)).toEqual([target, ...(lock === undefined ? [] : ['--lock', lock])]);
});

test('large counts have separators of thousands', () => {
  expect(formatBounds({ least: 4, most: 1500 })).toBe('4 to 1,500');
  expect(formatBounds({ least: 1500, most: 1500 })).toBe('1,500');
  expect(formatChange(29757, 29741)).toBe('29,757 -> 29,741');
  expect(formatChange('1500m', '1600m')).toBe('1500m -> 1600m');
});
