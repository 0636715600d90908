import * as fc from 'fast-check';
import { prepareDevice } from '../../src/cel/device';
import { compileSelector, type SelectorOutcome } from '../../src/cel/selector';
import { device, long, outcome } from './build';

const match: SelectorOutcome = { kind: 'match' };
const noMatch: SelectorOutcome = { kind: 'no-match' };
const error = (message: string): SelectorOutcome => ({ kind: 'error', message });

const cases: Record<string, { expression: string; want: SelectorOutcome }> = {
  'reads a name without a domain in the domain of the driver': {
    expression: 'A.architecture == "Ada Lovelace"',
    want: match,
  },
  'reads a name with a domain in that one': {
    expression: 'device.attributes["resource.kubernetes.io"].pcieRoot == "pci0000:00"',
    want: match,
  },
  'reads no name of another domain in that of the driver': {
    expression: '"pcieRoot" in A.links',
    want: noMatch,
  },
  'takes an unknown domain for empty': {
    expression: 'size(device.attributes["other.example.com"]) == 0',
    want: match,
  },
  'knows that an unknown domain is not there': {
    expression: '"other.example.com" in device.attributes',
    want: noMatch,
  },
  'counts only the domains that are there': { expression: 'device.attributes.size() == 2', want: match },
  'goes over the domains of a device': {
    expression: 'device.attributes.exists(d, d == "resource.kubernetes.io")',
    want: match,
  },
  'fails for a name that is not published': { expression: 'A.nope == "x"', want: error('no such key: nope') },
  'lets has() ask first': { expression: 'has(A.nope) && A.nope == "x"', want: noMatch },
  'lets has() look through an index': { expression: 'has(A.architecture)', want: match },
  'lets has() look at a capacity': { expression: 'has(C.memory) && !has(C.nope)', want: match },
  'lets an optional give a default': { expression: 'A.?nope.orValue("x") == "x"', want: match },
  'absorbs an error on the left of a false &&': { expression: 'A.nope == "x" && false', want: noMatch },
  'absorbs an error on the right of a false &&': { expression: 'false && A.nope == "x"', want: noMatch },
  'absorbs an error on the left of a true ||': { expression: 'A.nope == "x" || true', want: match },
  'absorbs an error on the right of a true ||': { expression: 'true || A.nope == "x"', want: match },
  'keeps an error that && does not settle': {
    expression: 'A.nope == "x" && true',
    want: error('no such key: nope'),
  },
  'keeps an error that || does not settle': {
    expression: 'A.nope == "x" || false',
    want: error('no such key: nope'),
  },
  'takes nothing for true but true': {
    expression: 'A.architecture',
    want: error('the result is of type string, not bool'),
  },
  'takes a number for neither': { expression: 'A.index', want: error('the result is of type int, not bool') },
  'counts in 64 bits': {
    expression: '9223372036854775807 + A.index > 0',
    want: error('integer overflow: 9223372036854775810'),
  },
  'divides integers as integers': { expression: 'A.index / 2 == 1', want: match },
  'compares a version with a version only': {
    expression: 'A.cudaComputeCapability == "9.0.0"',
    want: error('no such overload: a version is compared with a value of another type; write semver("1.2.3")'),
  },
  'takes a version for another than anything that is none': {
    expression: 'A.cudaComputeCapability != "9.0.0" && "9.0.0" != A.cudaComputeCapability',
    want: match,
  },
  'compares texts with anything': { expression: 'A.architecture == 3', want: noMatch },
  'goes over no version': {
    expression: 'A.cudaComputeCapability.exists(x, true)',
    want: error('expected a list or a map to go over, got a value of type version'),
  },
  'lets parentheses settle a relation behind an equality': {
    expression: 'true == ("gpu.nvidia.com" in device.attributes)',
    want: match,
  },
  'takes a relation before an equality': { expression: 'A.index > 1 == true', want: match },
  'takes an equality in parentheses before a relation in others': {
    expression: '(A.index == 3) && (A.index > 1)',
    want: match,
  },
  'indexes a field that is called device': {
    expression: '{"device": {"a": 1}}.device["a"] == 1',
    want: match,
  },
  'knows a map of a device for itself': { expression: 'device.attributes == device.attributes', want: match },
  'takes lists as long as an expression can be': {
    expression: `3 in [${'1,'.repeat(4000)}3]`,
    want: match,
  },
  'reads patterns as RE2 does': { expression: 'A.productName.matches("(?i)nvidia l[0-9]+$")', want: match },
  'lowers ASCII letters only': { expression: '"ÄB".lowerAscii() == "Äb"', want: match },
  'knows that devices are not shared by default': {
    expression: 'device.allowMultipleAllocations',
    want: noMatch,
  },
  'leaves a name of ours inside a text alone': {
    expression: '"has(x) map(" == "ha" + "s(x) map("',
    want: match,
  },
  'leaves a name of ours in a comment alone': { expression: 'true // has(', want: match },
  'accepts a comment without a line end, and a line end without a comment': {
    expression: 'true\n  && true // so',
    want: match,
  },
};

describe('a selector', () => {
  test.each(Object.entries(cases))('%s', (_, { expression, want }) => {
    expect(outcome(expression)).toEqual(want);
  });

  test('runs on a device with integers above 2^53', () => {
    const big = device({ attributes: { id: { int: 9223372036854775807n } } });
    expect(outcome('A.id == 9223372036854775807', big)).toEqual(match);
  });

  test('reads all forms of a list', () => {
    const lists = device({
      attributes: {
        strings: { strings: ['a', 'b'] },
        ints: { ints: [1, 2n] },
        bools: { bools: [true] },
        versions: { versions: ['1.0.0', '2.0.0'] },
      },
    });
    const all =
      '"a" in A.strings && A.ints[0] / 2 == 0 && 2 in A.ints && A.bools.includes(true) && A.versions.includes(semver("2.0.0"))';
    expect(outcome(all, lists)).toEqual(match);
    expect(outcome('A.strings.includes("c")', lists)).toEqual(noMatch);
  });

  test('may be kept from what a feature gate guards', () => {
    expect(() => compileSelector(long('A.links.includes("x")'), { listAttributes: false })).toThrow('includes');
    expect(() => compileSelector(long('A.links.all(x, true)'), { listAttributes: false })).toThrow('not a list');
    expect(() => compileSelector('device.allowMultipleAllocations', { consumableCapacity: false })).toThrow(
      "unknown field 'allowMultipleAllocations'",
    );
  });

  test('starts from the amounts that are published, whatever an evaluation did to them', () => {
    const wide = device({ capacity: { memory: { value: '1Pi' } } });
    const selector = compileSelector(long('C.memory.add(1).compareTo(quantity("1Pi").add(1)) == 0'));
    expect([selector.match(wide), selector.match(wide)]).toEqual([match, match]);
    expect(outcome('C.memory.isInteger() || C.memory.compareTo(quantity("1Pi")) == 0', wide)).toEqual(match);
  });

  test('says the same twice, and of devices in any order', () => {
    const devices = [device(), device({ attributes: {} }), device({ driver: 'other' })];
    const expression = fc.constantFrom(...Object.values(cases).map((row) => row.expression));
    fc.assert(
      fc.property(expression, fc.array(fc.nat({ max: 2 }), { maxLength: 6 }), (text, order) => {
        const selector = compileSelector(long(text));
        const first = devices.map((each) => selector.match(each));
        for (const i of order) expect(selector.match(devices[i]!)).toEqual(first[i]);
      }),
    );
  });
});

describe('the facts of a device', () => {
  test('are refused with the name of a version that is none', () => {
    const attributes = { driverVersion: { version: '9.0' } };
    expect(() => prepareDevice({ driver: 'd', attributes, capacity: {} })).toThrow(
      "attribute 'driverVersion': '9.0' is not a semantic version",
    );
  });

  test('are refused with the name of a capacity that is none', () => {
    const capacity = { memory: { value: '80 Gi' } };
    expect(() => prepareDevice({ driver: 'd', attributes: {}, capacity })).toThrow("capacity 'memory': '80 Gi'");
  });
});
