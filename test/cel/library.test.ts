import { outcome } from './build';

/** Expressions that are true in Kubernetes, and the functions and macros that are ours in them. */
const holding: Record<string, string[]> = {
  'charAt counts characters, and ends with nothing': [
    '"ünï".charAt(1) == "n"',
    '"😀a".charAt(1) == "a"',
    '"abc".charAt(3) == ""',
  ],
  'replace replaces all, or the first few': [
    '"aaa".replace("a", "b") == "bbb"',
    '"aaa".replace("a", "b", 2) == "bba"',
    '"aaa".replace("a", "b", -1) == "bbb"',
    '"aaa".replace("a", "b", 0) == "aaa"',
    '"ab".replace("", "-") == "-a-b-"',
  ],
  'find and findAll read patterns': [
    '"H100 80GB".find("[0-9]+") == "100"',
    '"H100".find("x") == ""',
    '"H100 80GB".findAll("[0-9]+") == ["100", "80"]',
    '"H100 80GB".findAll("[0-9]+", 1) == ["100"]',
    '"H100 80GB".findAll("[0-9]+", -1).size() == 2',
  ],
  'matches finds a part': ['matches("abc", "b")', '!"abc".matches("^b")'],
  'upperAscii leaves other letters alone': ['"ünï".upperAscii() == "üNï"'],
  'lists have functions': [
    '[1, 2, 3].sum() == 6 && [1.5, 2.5].sum() == 4.0',
    '[3, 1, 2].max() == 3 && [2.5, 1.5].min() == 1.5',
    '[1, 2, 2].indexOf(2) == 1 && [1, 2, 2].lastIndexOf(2) == 2 && [1].indexOf(3) == -1',
    '[1, 2].isSorted() && ![2, 1].isSorted()',
    '[1, 2, 3].slice(0, 2) == [1, 2]',
    '[[1], [2, 3]].flatten() == [1, 2, 3]',
    '[1, 1, 2].distinct() == [1, 2] && [[1], [2], [1]].distinct() == [[1], [2]]',
    '[3, 1].sort() == [1, 3] && [1, 2].reverse() == [2, 1]',
    'lists.range(3) == [0, 1, 2]',
  ],
  'lists are sets': [
    'sets.contains([1, 2], [1]) && !sets.contains([1], [1, 2])',
    'sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [2])',
    'sets.equivalent([1, 2], [2, 1, 1]) && !sets.equivalent([1], [2])',
  ],
  'includes takes a scalar for a list of one': [
    'A.index.includes(3) && A.index.includes(3.0) && !A.index.includes(2.5)',
    'A.cudaComputeCapability.includes(semver("8.9.0"))',
  ],
  'macros have one variable': [
    '[1, 2].all(x, x > 0) && ![1, 2].all(x, x > 1)',
    '[1, 2].exists_one(x, x > 1) && ![1, 2].exists_one(x, x > 0)',
    '[1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6]',
    '[1, 2, 3].map(x, x > 1, x * 2) == [4, 6]',
    '[].all(x, x > 0) && ![].exists(x, x > 0)',
    '{"a": 1}.map(k, k) == ["a"] && {"a": 1}.filter(k, k == "b").size() == 0',
    'device.attributes.filter(d, d == "gpu.nvidia.com").size() == 1',
  ],
  'macros have two variables': [
    '[1, 2].all(i, v, i < v) && [5].exists(i, v, i == 0 && v == 5)',
    '{"a": 1, "b": 2}.existsOne(k, v, v > 1) && [1].exists_one(i, v, v == 1)',
    'A.exists(k, v, k == "index" && v == 3)',
    '[1, 2].transformList(i, v, i + v) == [1, 3]',
    '[1, 2].transformList(i, v, v > 1, i) == [1]',
    '{"a": 1}.transformMap(k, v, v + 1) == {"a": 2}',
    '{"a": 1, "b": 2}.transformMap(k, v, v > 1, v) == {"b": 2}',
    '[7].transformMap(i, v, v) == {0: 7}',
  ],
  'quantifiers absorb errors that another element settles': [
    '[1, 2].exists(x, 10 / (x - 1) > 5)',
    '![1, 2].all(x, 10 / (x - 1) > 50)',
  ],
  'macros nest and see the variables around them': [
    '[1, 2].all(x, [3, 4].all(y, x < y))',
    'cel.bind(a, 2, [1, 2].exists(x, x == a))',
    '[[1], [2]].map(x, x.map(y, y + 1)) == [[2], [3]]',
  ],
  'has looks into optionals': ['has({"a": {"b": 1}}.?a.b)', '!has({"a": {"b": 1}}.?c.b)'],
  'optionals have macros': [
    'A.?nope.optMap(v, v == "x").orValue(true)',
    'A.?index.optMap(v, v + 1).value() == 4',
    'A.?index.optFlatMap(v, optional.of(v)).hasValue()',
    '!optional.ofNonZeroValue("").hasValue() && optional.ofNonZeroValue([1]).hasValue()',
    'A.?index.hasValue() && !A.?nope.hasValue()',
  ],
  'quantities and versions have functions': [
    'sign(C.memory) == 1 && C.memory.add(1).sub(C.memory) == quantity("1")',
    'C.memory.asApproximateFloat() > 1e9 && C.memory.isInteger()',
    'semver("v1.2", true).minor() == 2 && !isSemver("1.2")',
    'semver("18446744073709551615.0.0").major() == -1',
  ],
};

const failing: Record<string, { expression: string; want: RegExp }> = {
  'charAt beyond the end': { expression: '"a".charAt(2) == ""', want: /index out of range: 2/ },
  'slice beyond the end': { expression: '[1].slice(0, 2) == [1]', want: /index out of range: 0 to 2/ },
  'the largest of nothing': { expression: '[1].filter(x, x > 1).max() == 1', want: /empty list/ },
  'the order of what has none': { expression: '[dyn([1]), dyn([2])].sort().size() == 2', want: /no order/ },
  'a sum above 64 bits': {
    expression: '[9223372036854775807, 1].sum() > 0',
    want: /does not fit into 64 bits/,
  },
  'an error that exists_one meets': {
    expression: '[0, 1].exists_one(x, 1 / x == 1)',
    want: /division by zero/,
  },
  'an error that no element settles': { expression: '[0].exists(x, 1 / x == 1)', want: /division by zero/ },
  'a condition that turns out to be no truth': {
    expression: 'A.links.filter(x, A.index).size() == 0',
    want: /type int/,
  },
  'a pattern that turns out to be none': {
    expression: '"a".matches("[" + A.architecture)',
    want: /not a regular expression/,
  },
  'optMap of what turns out to be no optional': {
    expression: 'A.index.optMap(v, v).hasValue()',
    want: /expected an optional/,
  },
  'has() of what turns out to be no map': { expression: 'has(A.index.x)', want: /has\(\) needs a map/ },
};

describe('CEL as Kubernetes has it', () => {
  test.each(Object.entries(holding))('%s', (_, expressions) => {
    const wrong = expressions.map((expression) => [expression, outcome(expression)] as const);
    expect(wrong.filter(([, { kind }]) => kind !== 'match')).toEqual([]);
  });

  test.each(Object.entries(failing))('fails at %s', (_, { expression, want }) => {
    expect(outcome(expression)).toEqual({ kind: 'error', message: expect.stringMatching(want) });
  });
});
