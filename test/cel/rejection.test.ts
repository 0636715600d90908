import { rejection } from './build';

interface Case {
  expression: string;
  /** `line:column message`, with the hint behind a bar. */
  want: string;
}

const memory = 'device.capacity["d"].memory';
const version = 'device.attributes["d"].version';

const cases: Record<string, Case> = {
  'an assignment': {
    expression: 'device.driver = "gpu.nvidia.com"',
    want: "1:15 syntax error: unexpected character: = | Write '==' to compare",
  },
  'an empty text': { expression: '', want: '1:1 syntax error: unexpected token: the end' },
  'a bracket that is not closed': {
    expression: '(true',
    want: "1:6 syntax error: expected ')', got the end",
  },
  'an error on a later line': {
    expression: 'true &&\n  nope',
    want: "2:3 unknown variable 'nope' | Selectors read the variable 'device'",
  },
  'an error behind a function of ours, at its own column': {
    expression: 'has(device.attributes["d"].x) && nope',
    want: "1:34 unknown variable 'nope' | Selectors read the variable 'device'",
  },
  'an error inside a function of ours, in its own name': {
    expression: '"a".matches(1)',
    want: "1:1 found no matching overload for 'string.matches(int)'",
  },
  'a name of ours that is not in CEL': {
    expression: 'Has(device.driver)',
    want: "1:1 unknown function 'Has'",
  },
  'a field that a device does not have, with the nearest': {
    expression: 'device.atributes["d"].x',
    want: "1:8 unknown field 'atributes' | Write 'attributes'",
  },
  'an amount without quotes': {
    expression: `${memory} >= 22Gi`,
    want: `1:34 syntax error: unexpected character: 'i' | Write ${memory}.compareTo(quantity("22Gi")) >= 0`,
  },
  'an amount without quotes in a part of a selector': {
    expression: `(has(device.driver) && ${memory} < 22Gi)`,
    want: `1:56 syntax error: expected ')', got a name | Write ${memory}.compareTo(quantity("22Gi")) < 0`,
  },
  'an amount without quotes that is not compared by its order': {
    expression: `${memory} == 22Gi`,
    want: `1:34 syntax error: unexpected character: 'i' | Write quantity("40Gi") for an amount`,
  },
  'an amount without quotes and without its driver': {
    expression: 'device.capacity.memory >= 44Gi',
    want: `1:29 syntax error: unexpected character: 'i' | Write device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("44Gi")) >= 0`,
  },
  'an amount without quotes in place of a field of a device': {
    expression: 'device.memory >= 44Gi',
    want: `1:20 syntax error: unexpected character: 'i' | Write device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("44Gi")) >= 0`,
  },
  'an amount without its driver, which the selector names': {
    expression: 'device.driver == "gpu.amd.com" && device.capacity.memory.compareTo(quantity("44Gi")) >= 0',
    want: `1:35 found no matching overload for 'map.compareTo(kubernetes.Quantity)' | Write device.capacity["gpu.amd.com"].memory`,
  },
  'an amount without its driver, compared by an operator': {
    expression: 'device.capacity.memory >= quantity("44Gi")',
    want: `1:1 no such overload: map<string, kubernetes.Quantity> >= kubernetes.Quantity | Write device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("44Gi")) >= 0`,
  },
  'an attribute without its driver': {
    expression: 'device.attributes.productName == "NVIDIA L4"',
    want: `1:1 no such overload: map<string, dyn> == string | Write device.attributes["gpu.nvidia.com"].productName`,
  },
  'a capacity in place of a field of a device': {
    expression: 'device.memory > 22',
    want: `1:8 unknown field 'memory' | Write device.capacity["gpu.nvidia.com"].memory`,
  },
  'an attribute in place of a field of a device': {
    expression: 'device.productName == "x"',
    want: `1:8 unknown field 'productName' | Write device.attributes["gpu.nvidia.com"] and the name behind it`,
  },
  'a field of a device under has()': {
    expression: 'has(device.nope)',
    want: "1:12 unknown field 'nope'",
  },
  'has() of what is no selection': {
    expression: 'has(device.attributes["d"])',
    want: '1:5 has() takes a selection such as device.attributes["gpu.example.com"].name',
  },
  'a device that is indexed': {
    expression: 'true && device["driver"] == "d"',
    want: "1:9 'device' cannot be indexed | Write device.driver, with a dot",
  },
  'a result that is no truth': {
    expression: 'device.driver',
    want: '1:1 the selector must evaluate to bool or the unknown type, not string | Compare it with something',
  },
  'an optional as a result': {
    expression: 'device.attributes["d"].?x',
    want: '1:1 the selector must evaluate to bool or the unknown type, not optional<dyn> | Compare it with something',
  },
  'a relation behind an equality': {
    expression: '"a" == "k" in device.attributes',
    want: "1:12 'in' behind '==' needs parentheses: both bind equally in CEL | Put parentheses around the part to evaluate first",
  },
  'a relation behind an equality with an optional': {
    expression: 'true == device.attributes["d"].?x.orValue(1) < 2',
    want: "1:46 '<' behind '==' needs parentheses: both bind equally in CEL | Put parentheses around the part to evaluate first",
  },
  'a quantity compared by an operator': {
    expression: `${memory} >= quantity("1Gi")`,
    want: `1:1 no such overload: kubernetes.Quantity >= kubernetes.Quantity | Write ${memory}.compareTo(quantity("1Gi")) >= 0`,
  },
  'quantities compared by an operator, none of which is stated': {
    expression: `${memory} >= ${memory}`,
    want: '1:1 no such overload: kubernetes.Quantity >= kubernetes.Quantity | Compare quantities with compareTo, isGreaterThan or isLessThan',
  },
  'a version compared by an operator': {
    expression: `${version} >= semver("1.0.0")`,
    want: `1:1 no such overload: dyn >= kubernetes.Semver | Write ${version}.compareTo(semver("1.0.0")) >= 0`,
  },
  'a quantity compared with a text': {
    expression: `${memory} == "40Gi"`,
    want: '1:1 no such overload: kubernetes.Quantity == string | Write quantity("40Gi") for an amount',
  },
  'a version compared with a text by a method': {
    expression: `${version}.isGreaterThan("8.0.0")`,
    want: `1:46 'isGreaterThan' takes a quantity or a version | Write quantity("40Gi") or semver("1.2.3")`,
  },
  'the sign of a quantity as a method': {
    expression: `${memory}.sign() == 1`,
    want: "1:1 found no matching overload for 'kubernetes.Quantity.sign()' | Write sign(quantity)",
  },
  'a function that no one has': {
    expression: 'bogus(device.driver)',
    want: "1:1 found no matching overload for 'bogus(string)'",
  },
  'a list that is sorted by what has no order': {
    expression: '[1].sortBy(x, [x]) == [1]',
    want: '1:1 values of type list<int> have no order',
  },
  'a map that is sorted': {
    expression: '{"a": 1}.sortBy(x, x) == ["a"]',
    want: '1:1 only lists are sorted',
  },
  'entries of a map that are none': {
    expression: '[1].transformMapEntry(i, v, i) == {}',
    want: '1:1 the entries are those of a map, not of a value of type int',
  },
  'a function of a namespace as a method': {
    expression: 'device.driver.quote("a") == "d"',
    want: "1:1 unknown function 'quote'",
  },
  'a namespace as a variable': {
    expression: 'true && ip == 1',
    want: "1:9 unknown variable 'ip' | Selectors read the variable 'device'",
  },
  'a namespace as only the library spells it': {
    expression: 'Ip.isCanonical("::1")',
    want: "1:1 unknown variable 'Ip'",
  },
  'a function of a namespace with another argument, in its own name': {
    expression: 'ip.isCanonical(1)',
    want: "1:1 found no matching overload for 'ip.isCanonical(int)'",
  },
  'a format with a value too few': {
    expression: 'true && "%s-%d".format(["a"]) == "a-1"',
    want: '1:9 the format has clauses for 2 values, and the list has 1',
  },
  'a format with a value of another type, at the value': {
    expression: '"%d".format(["a"]) == "a"',
    want: '1:14 the clause is for integers, and the value is of type string',
  },
  'a format with a value of another type within a list': {
    expression: '"%s".format([["a", {"k": ip("::1")}]]) == "a"',
    want: '1:26 the clause is for texts, numbers, lists and maps, and the value is of type net.IP',
  },
  'a format that is none': {
    expression: '"%q".format([1]) == "a"',
    want: "1:1 '%q' is not a format: '%' is followed by one of s d f e b o x X",
  },
  'a method of the library that Kubernetes does not have': {
    expression: 'b"a".hex() == "61"',
    want: "1:1 unknown function 'hex'",
  },
  'an integer above 64 bits': {
    expression: 'true || 9223372036854775808 > 0',
    want: '1:9 9223372036854775808 does not fit into 64 bits',
  },
  'a constant that does not convert, where evaluation never comes': {
    expression: 'true || int("x") == 1',
    want: "1:9 'x' is not an int",
  },
  'a constant that converts to more than 64 bits': {
    expression: 'int(1e30) == 0',
    want: '1:1 1000000000000000019884624838656 does not fit into 64 bits',
  },
  'a pattern that is none': {
    expression: 'true || "a".matches("a(?=b)")',
    want: "1:21 'a(?=b)' is not a regular expression: invalid or unsupported Perl syntax: `(?=` | Patterns are in the syntax of RE2, which has no lookaround and no back-references",
  },
  'a pattern of the function that is none': {
    expression: 'matches("a", "[")',
    want: "1:14 '[' is not a regular expression: missing closing ]: `[` | Patterns are in the syntax of RE2, which has no lookaround and no back-references",
  },
  'a macro over what is no list': {
    expression: 'device.driver.all(x, true)',
    want: "1:8 expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)",
  },
  'a macro whose condition is no truth': {
    expression: '[1].exists(x, x + 1)',
    want: "1:15 expected type 'bool' but found 'int'",
  },
  'a macro without a name for its element': {
    expression: '[1].all(1, true)',
    want: '1:9 the argument must be a simple name',
  },
  'brackets without end': { expression: '('.repeat(300), want: '1:251 the selector is nested too deep' },
  'a sum without end': {
    expression: `1${'+1'.repeat(5000)} > 0`,
    want: '1:1 the selector is nested too deep',
  },
};

/** A selector of a number of bytes of UTF-8, half as many characters. */
function padded(bytes: number): string {
  return `true //${'ä'.repeat((bytes - 8) / 2)} `;
}

describe('a selector is rejected for', () => {
  test.each(Object.entries(cases))('%s', (_, { expression, want }) => {
    const { line, column, message, hint } = rejection(expression);
    expect(`${line}:${column} ${message}${hint ? ` | ${hint}` : ''}`).toBe(want);
  });

  test('more than 10 KiB of UTF-8, and not for 10 KiB', () => {
    expect(rejection(padded(10 * 1024 + 2)).message).toBe(
      'the selector has 10242 bytes, and Kubernetes accepts at most 10240',
    );
    expect(() => rejection(padded(10 * 1024))).toThrow('compiles');
  });
});
