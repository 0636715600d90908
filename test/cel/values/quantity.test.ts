import * as fc from 'fast-check';
import { isQuantity, parseQuantity, Quantity } from '../../../src/cel/values/quantity';

const q = parseQuantity;

/** What a calculation is for, and what it gives as text. */
const cases: Record<string, { got: () => unknown; want: unknown }> = {
  'prints in the format it was written in': { got: () => String(q('81559Mi')), want: '81559Mi' },
  'prints with the largest suffix that loses nothing': { got: () => String(q('81920Mi')), want: '80Gi' },
  'prints no fraction': { got: () => String(q('1.5')), want: '1500m' },
  'prints small binary amounts as decimal ones': { got: () => String(q('0.5Ki')), want: '512' },
  'prints powers of ten without a suffix as an exponent': { got: () => String(q('1000E')), want: '1e21' },
  'compares across formats': { got: () => q('50M').compare(q('50Mi')), want: -1 },
  'compares what one double cannot tell apart': {
    got: () => q('9007199254740993').compare(q('9007199254740992')),
    want: 1,
  },
  'compares large exponents at once': {
    got: () => [q('1e999999999').compare(q('1')), q('-1e999999999').compare(q('-1'))],
    want: [1, -1],
  },
  'compares negative amounts by value': { got: () => q('-1e99').compare(q('-1')), want: -1 },
  'caps binary amounts at 2^63-1': { got: () => q('8Ei').compare(q('10Ei')), want: 0 },
  'caps negative binary amounts too': { got: () => String(q('-10Ei')), want: '-9223372036854775807' },
  'does not cap decimal amounts': { got: () => q('256E').compare(q('8Ei')), want: 1 },
  'rounds away from zero below a nano': { got: () => q('0.1n').compare(q('1n')), want: 0 },
  'rounds negative amounts away from zero': { got: () => String(q('-0.1n')), want: '-1n' },
  'rounds what is far below a nano at once': { got: () => q('1e-999999999').compare(q('1n')), want: 0 },
  'prints a binary amount below 1Ki as decimal': { got: () => String(q('0.9765625Ki')), want: '1k' },
  'ignores leading zeros': { got: () => q('0000000000000000000001').isInteger(), want: true },
  'stays an integer when a zero with a fraction is added': {
    got: () => [q('1').add(q('0m')).isInteger(), q('0m').add(q('1')).isInteger()],
    want: [true, true],
  },
  'adds across scales': { got: () => String(q('50k').add(q('20'))), want: '50020' },
  'adds beyond 64 bits': {
    got: () => String(q('9223372036854775807').add(q('1'))),
    want: '9223372036854775808',
  },
  'takes the format of the other side when it is zero': {
    got: () => String(q('0').add(q('1Gi'))),
    want: '1Gi',
  },
  'subtracts below zero': { got: () => String(q('1Gi').sub(q('2Gi'))), want: '-1Gi' },
  'changes the left side of a sum that is wide, and goes on sharing its number': {
    got() {
      const wide = q('1Pi');
      const sum = wide.add(q('1')).sub(q('3'));
      return [String(wide), String(sum), wide.computed, sum.computed];
    },
    want: ['1125899906842622', '1125899906842622', false, true],
  },
  'shares no number of a sum that became wide': {
    got() {
      const narrow = q('9223372036854775807');
      const sum = narrow.fresh().add(q('0'));
      return [narrow.add(q('1')), narrow, sum].map(String);
    },
    want: ['9223372036854775808', '9223372036854775808', '9223372036854775807'],
  },
  'becomes wide next to a wide one, and is what it was when it is made fresh': {
    got() {
      const one = q('1');
      const orders = [one.compare(q('1Pi')), one.isInteger(), one.order(q('1Pi')), one.isInteger()];
      return [...orders, String(one.add(q('1'))), String(one), String(one.fresh())];
    },
    want: [-1, true, -1, false, '2', '2', '1'],
  },
  'leaves the operands as they were where both are narrow': {
    got() {
      const one = q('1');
      one.add(q('1'));
      return String(one);
    },
    want: '1',
  },
  'has a sign': { got: () => [q('-1n').sign(), q('0Gi').sign(), q('1n').sign()], want: [-1, 0, 1] },
  'takes a whole number with a decimal suffix for an integer': {
    got: () => q('1.5k').asInteger(),
    want: 1500n,
  },
  'takes no number written with a needless fraction for one': {
    got: () => q('1.0').isInteger(),
    want: false,
  },
  'takes no number above 18 digits for one': { got: () => q('1234567890123456789').isInteger(), want: false },
  'takes no Pi for one': { got: () => [q('99Ti').isInteger(), q('1Pi').isInteger()], want: [true, false] },
  'takes a sum above 64 bits for none': {
    got: () => q('999999999999999999k').add(q('1')).isInteger(),
    want: false,
  },
  'takes no number that a sum brought above 64 bits for one, not even when it comes back': {
    got() {
      const large = q('999999999999999999');
      const times = Array.from({ length: 9 }, () => large);
      const sum = times.reduce((total, each) => total.add(each), large);
      return times.reduce((total, each) => total.sub(each), sum).isInteger();
    },
    want: false,
  },
  'takes no number with a large exponent for one': { got: () => q('1e999999999').isInteger(), want: false },
  'approximates as Kubernetes does, to the last digit': {
    got: () => [q('0.3').asApproximateFloat(), q('1234567890123456789').asApproximateFloat()],
    want: [3 * 0.1, Number('1234567890123456789e9') * 1e-9],
  },
  'approximates what is too large by infinity': {
    got: () => q('1e500').asApproximateFloat(),
    want: Infinity,
  },
  'shows nothing to one who goes over its keys': { got: () => Object.keys(q('1')), want: [] },
};

describe('a quantity', () => {
  test.each(Object.entries(cases))('%s', (_, { got, want }) => {
    expect(got()).toEqual(want);
  });

  test('refuses to become an integer that it is not', () => {
    expect(() => q('1500m').asInteger()).toThrow('cannot convert value to integer: 1500m');
  });

  test('refuses a sum that would take gigabytes', () => {
    expect(() => q('1e999999').add(q('1'))).toThrow(/exponents differ/);
  });
});

describe('the text of a quantity', () => {
  const rejected: Record<string, string> = {
    '': 'is a number and a suffix',
    '80 Gi': 'is a number and a suffix',
    '1.2.3': 'is a number and a suffix',
    '200K': "'K' is not a suffix",
    '1e99999999999': "'e99999999999' is not a suffix",
    Ei: 'has no digits',
  };

  test.each(Object.entries(rejected))("'%s' is rejected with what is wrong", (text, want) => {
    expect(isQuantity(text)).toBe(false);
    expect(() => q(text)).toThrow(want);
    expect(() => q(text)).toThrow(`'${text}'`);
  });
});

describe('quantities', () => {
  const text = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.bigInt({ min: 0n, max: 10n ** 22n }),
      fc.option(fc.nat({ max: 10 ** 6 }), { nil: undefined }),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Ei', 'e3', 'E-3'),
    )
    .map(
      ([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${suffix}`,
    );

  test('are in a total order', () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const [x, y, z] = [q(a), q(b), q(c)];
        expect(x.compare(y)).toBe(-y.compare(x) + 0);
        if (x.compare(y) <= 0 && y.compare(z) <= 0) expect(x.compare(z)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test('equal what they print, which is its own print', () => {
    fc.assert(
      fc.property(text, (written) => {
        const print = String(q(written));
        expect(q(print).compare(q(written))).toBe(0);
        expect(String(q(print))).toBe(print);
      }),
    );
  });

  test('come back when what was added is subtracted', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(q(a).add(q(b)).sub(q(b)).compare(q(a))).toBe(0);
      }),
    );
  });

  test('of 64 bits are the integers they are made of', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(Quantity.of(value).asInteger()).toBe(value);
      }),
    );
  });
});
