import { isSemver, parseSemver } from '../../../src/cel/values/semver';

/** The order of semver.org, each lower than the next. */
const ASCENDING = [
  '0.0.0',
  '0.9.9',
  '1.0.0-1',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '1.1.0',
  '1.10.0',
  '2.0.0',
  '18446744073709551615.0.0',
];

const rejected = ['', '1', '1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0+', '1.0.0-01', '1.0.0-a..b', ' 1.0.0', '1.0.0 '];
const normalized: Record<string, string> = {
  v1: '1.0.0',
  '01.02': '1.2.0',
  '1.2.3': '1.2.3',
  'v01.002.0003-rc.1+b': '1.2.3-rc.1+b',
  '1.2.00': '1.2.0',
};

describe('a semantic version', () => {
  test('is ordered number by number, and a pre-release before its release', () => {
    const versions = ASCENDING.map((text) => parseSemver(text));
    const orders = versions.flatMap((a, i) => versions.map((b, j) => [a.compare(b), Math.sign(i - j)]));
    expect(orders.filter(([got, want]) => got !== want)).toEqual([]);
  });

  test('is equal to itself with another build', () => {
    expect(parseSemver('1.0.0+a').compare(parseSemver('1.0.0+b'))).toBe(0);
  });

  test('prints what was read', () => {
    expect(String(parseSemver('550.90.7-rc.1+build5'))).toBe('550.90.7-rc.1+build5');
  });

  test.each(rejected)("is not '%s'", (text) => {
    expect(isSemver(text)).toBe(false);
    expect(() => parseSemver(text)).toThrow(`'${text}' is not a semantic version`);
  });

  test('has numbers of 64 bits', () => {
    expect(isSemver('18446744073709551616.0.0')).toBe(false);
    expect(isSemver('1.0.0-18446744073709551616')).toBe(false);
  });

  test.each(Object.entries(normalized))("reads '%s' as %s when asked to", (text, want) => {
    expect(String(parseSemver(text, true))).toBe(want);
  });

  test('is no short version with a pre-release, even then', () => {
    expect(['1.0-rc.1', '1.0-rc', '1+b'].filter((text) => isSemver(text, true))).toEqual([]);
  });

  test('shows nothing to one who goes over its keys', () => {
    expect(Object.keys(parseSemver('1.0.0'))).toEqual([]);
  });
});
