import { outcome, rejection } from './build';

/** Expressions that hold, as the real compiler says. */
const holding: Record<string, readonly string[]> = {
  'numbers become texts as Go writes them': [
    'string(100000000.0) == "1e+08" && string(1234567.5) == "1.2345675e+06" && string(1e-7) == "1e-07"',
    'string(100000.0) == "100000" && string(0.0001) == "0.0001" && string(3.0) == "3"',
    'string(7u) == "7" && string(true) == "true" && string(-1) == "-1"',
  ],
  'texts become numbers': [
    'int("+5") == 5 && int("-0") == 0 && uint("4") == 4u',
    'double("1_0") == 10.0 && double("1e3") == 1000.0 && double("inf") > 1e300',
  ],
  'numbers become numbers': ['int(3u) == 3 && int(-1.9) == -1 && uint(1.9) == 1u && double(2u) == 2.0'],
  'places in a text are counted in characters': [
    '"ab\u{1F680}c".indexOf("c") == 3 && "ab\u{1F680}c".lastIndexOf("c") == 3',
    '"a\u{1F680}b".substring(1, 2) == "\u{1F680}" && "a\u{1F680}b".split("").size() == 3',
  ],
  'a search from behind the end finds nothing': [
    '"abc".indexOf("c", 10) == -1 && "abc".lastIndexOf("c", 30) == -1 && "abc".indexOf("", 10) == 10',
  ],
  'a text is split into at most so many parts': [
    '"a,b,c".split(",", 2) == ["a", "b,c"] && "a,b,c".split(",", 0) == [] && "a,b".split(",", -1).size() == 2',
  ],
  'the keys of a map are what they were': ['{1: "a"}.all(x, x == 1) && {2: 3}.exists(k, v, k + v == 5)'],
  'a list is searched for anything': ['[1, 2].indexOf(A.architecture) == -1 && [1, 2].lastIndexOf(A.index) == -1'],
  'a binding may fail that no one uses': ['cel.bind(x, 1 / 0, true)'],
};

const failing: Record<string, { expression: string; want: RegExp }> = {
  'a number in another base': { expression: 'int("0" + "b11") == 3', want: /is not an int/ },
  'an unsigned number with a sign': { expression: 'uint("+" + "5") == 5u', want: /is not a uint/ },
  'a hexadecimal double': { expression: 'double("0x" + "10") == 16.0', want: /is not a double/ },
  'a fraction below zero that would be unsigned': { expression: 'uint(0.0 - 0.5) == 0u', want: /is not a uint/ },
  'an unsigned integer above the signed ones': {
    expression: 'int(18446744073709551615u - 1u) > 0',
    want: /does not fit/,
  },
  'a binding that is used': { expression: 'cel.bind(x, 1 / 0, x == 1)', want: /division by zero/ },
  'a search from before the beginning': { expression: '"abc".indexOf("c", -1) == 0', want: /out of range/ },
  'an equality with a computed amount': {
    expression: 'C.memory == C.memory.add(1)',
    want: /computed amount/,
  },
};

const rejected: Record<string, { expression: string; want: RegExp }> = {
  'a choice inside a choice without parentheses': {
    expression: 'true ? true ? true : false : false',
    want: /needs parentheses/,
  },
  'a comma behind the last argument': { expression: 'isSemver("1", )', want: /an argument is missing after/ },
  'a key that is no text': { expression: 'device.attributes[1].x == 1', want: /are of type string, not int/ },
  'the order of a list of maps': { expression: '[{}].isSorted()', want: /unknown function 'isSorted'/ },
  'a text in a list of numbers': { expression: '[1].indexOf("a") == 0', want: /has no element/ },
  'the sum of texts': { expression: '["a"].sum() == "a"', want: /unknown function 'sum'/ },
  'a field of a number': { expression: '1u.x == 1', want: /has no fields/ },
  'the name of a library by itself': {
    expression: 'lists == 1',
    want: /unknown variable 'lists'|no such overload/,
  },
  'the smallest integer, negated': { expression: '-(-9223372036854775808) == 1', want: /does not fit/ },
};

describe('CEL as Kubernetes converts and cuts', () => {
  test.each(Object.entries(holding))('%s', (_, expressions) => {
    expect(expressions.filter((expression) => outcome(expression).kind !== 'match')).toEqual([]);
  });

  test.each(Object.entries(failing))('fails at %s', (_, { expression, want }) => {
    expect(outcome(expression)).toEqual({ kind: 'error', message: expect.stringMatching(want) });
  });

  test.each(Object.entries(rejected))('rejects %s', (_, { expression, want }) => {
    expect(rejection(expression).message).toMatch(want);
  });
});
