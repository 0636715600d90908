import type { Diagnostic } from '../../src/base/diagnostic';
import { DEFAULT_LIMITS } from '../../src/manifest/input-limits';
import { reparseDocument } from '../../src/manifest/yaml-documents';
import { collectAnchors } from '../../src/manifest/yaml-nodes';
import { readValue } from '../../src/manifest/yaml-values';

const cases: Record<string, { text: string; want: unknown }> = {
  'words that YAML 1.1 takes for booleans are text': {
    text: '[yes, no, on, off, y]',
    want: ['yes', 'no', 'on', 'off', 'y'],
  },
  'true, false and null in the forms of YAML 1.2': {
    text: '[true, False, NULL, ~, ]',
    want: [true, false, null, null],
  },
  'what a %YAML line says does not matter': { text: '%YAML 1.1\n---\n[yes, 017]\n', want: ['yes', 17] },
  'an empty value is null': { text: 'a:', want: { a: null } },
  'numbers in the forms of YAML 1.2': {
    text: '[12, +1, -3, 0o17, 0x1F, 017, 1e3, 1.5]',
    want: [12, 1, -3, 15, 31, 17, 1000, 1.5],
  },
  'a date is text': { text: '2026-01-02', want: '2026-01-02' },
  'the largest integer that a number holds is a number': { text: '9007199254740991', want: 9007199254740991 },
  'integers beyond that keep their digits': {
    text: '[9007199254740993, -9223372036854775808, +9223372036854775807, 0xFFFFFFFFFFFFFFFF, 0o1000000000000000000001]',
    want: [
      9007199254740993n,
      -9223372036854775808n,
      9223372036854775807n,
      0xffffffffffffffffn,
      0o1000000000000000000001n,
    ],
  },
  'a float beyond that is a number': { text: '[9007199254740993.0, 1e300]', want: [9007199254740992, 1e300] },
  'digits in quotes are text': { text: '"9007199254740993"', want: '9007199254740993' },
  'keys that are no text are taken as written': {
    text: '{1.10: a, true: b, null: c, 0x1: d}',
    want: { '1.10': 'a', true: 'b', null: 'c', '0x1': 'd' },
  },
  'an escaped key is its meaning': { text: '"\\x61": 1', want: { a: 1 } },
  'an alias repeats a value, also as a key': {
    text: '{a: &x b, *x : [*x, *x]}',
    want: { a: 'b', b: ['b', 'b'] },
  },
  'an alias takes the last anchor above it': { text: '[&x 1, *x, &x 2, *x]', want: [1, 1, 2, 2] },
  'a tag of YAML 1.2 decides the type': { text: '[!!str 12, ! 12, !!int "12"]', want: ['12', '12', 12] },
  'a quoted << is a key': { text: '{"<<": 1}', want: { '<<': 1 } },
  'JSON escapes': { text: '"\\ud83d\\ude00\\/"', want: '😀/' },
};

function read(text: string, limits = DEFAULT_LIMITS): { value: unknown; faults: Diagnostic<number>[] } {
  const root = reparseDocument(text)!;
  const faults: Diagnostic<number>[] = [];
  const budget = { remaining: limits.aliasedValues };
  const value = readValue(root, {
    anchors: collectAnchors(root),
    limits,
    budget,
    report: (fault) => faults.push(fault),
  });
  return { value, faults };
}

describe('readValue', () => {
  test.each(Object.entries(cases))('%s', (_, { text, want }) => {
    expect(read(text)).toEqual({ value: want, faults: [] });
  });

  test('shares what aliases repeat', () => {
    const value = read('{a: &x [1], b: *x, c: *x}').value as Record<string, unknown>;
    expect(value['b']).toBe(value['c']);
  });

  test('a key of the prototype is a key', () => {
    const { value } = read('{__proto__: {polluted: true}, constructor: 1, toString: 2}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 'toString']);
    expect((value as { polluted?: true }).polluted).toBeUndefined();
  });
});
