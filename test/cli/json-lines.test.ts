import * as fc from 'fast-check';
import { formatJsonLines } from '../../src/cli/json-lines';
import { guardOutput } from '../../src/cli/output';

function toJson(_: string, one: unknown): unknown {
  if (one instanceof Map) return Object.fromEntries(one);
  return typeof one === 'bigint' ? one.toString() : one;
}

/** What `JSON.stringify` makes of a value, with maps as objects and integers without bounds as texts. */
function formatWhole(value: object): string {
  return `${JSON.stringify(value, toJson, 2)}\n`;
}

const cases: Record<string, object> = {
  'an empty document': {},
  'fields without a value are left out, also the last': { a: undefined, b: 1, c: undefined },
  'an object of such fields is empty': { a: { b: undefined, c: () => 1 }, d: [] },
  'a list keeps the place of what has no value': { a: [undefined, null, Symbol('a'), [], [[]], {}] },
  'numbers that JSON lacks are null': { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: -0, d: 0, e: 1e21 },
  'equal values of other types stay apart': { a: [1, '1', true, 'true', null, 'null', 1n] },
  'texts and keys are escaped': { 'a"\n': '"\n\u2028\uD800', '': 'é漢' },
  'a map is an object': {
    a: new Map<string, unknown>([
      ['b', new Map()],
      ['c', 1],
    ]),
  },
  'what has a form of its own has it': { a: new Date(0), b: { toJSON: () => ({ c: [1] }) } },
  'the same object is written at each of its places': (() => {
    const shared = { a: [1, { b: 2 }] };
    return { shared, more: [shared, shared], last: shared };
  })(),
  'what the fleet costs has a line for each figure': { cost: { perHour: 1, usage: { gpu: 1 } } },
};
test.each(Object.entries(cases))('%s', (_, value) => {
  expect(formatJsonLines(value).parts.join('')).toBe(formatWhole(value));
});

/** The lines of replicas in a document. */
function linesOf(...replicas: readonly object[]): string[] {
  const { parts, lines = [] } = formatJsonLines({ all: replicas });
  const found = parts.join('').match(/.*\n/g) ?? [];
  expect(new Set(lines)).toEqual(new Set(found));
  return found.slice(2, -2).map((line) => line.trim());
}

describe('what replicas take and cost', () => {
  const [usage, cost] = [[{ pool: 'a', nodes: 1 }, { pool: 'b' }], { perHour: 1, sources: [], more: { bytes: 2n } }];

  test('is on one line', () => {
    expect(linesOf({ usage, cost, index: 0 }, { cost })).toEqual([
      '{',
      '"usage": [ { "pool": "a", "nodes": 1 }, { "pool": "b" } ],',
      '"cost": { "perHour": 1, "sources": [], "more": { "bytes": "2" } },',
      '"index": 0',
      '},',
      '{',
      '"cost": { "perHour": 1, "sources": [], "more": { "bytes": "2" } }',
      '}',
    ]);
  });

  test('is written at each of its places', () => {
    expect(linesOf({ usage }, { usage }, { usage }).filter((line) => line.includes('usage'))).toHaveLength(3);
  });

  test('has a line for each value where one line would be long', () => {
    const long = { perHour: 1, sources: Array.from({ length: 80 }, (_, i) => i) };
    expect(linesOf({ cost: long }, { cost: long })).toHaveLength(2 * (80 + 7));
  });

  test('keeps line breaks and spaces of texts', () => {
    expect(linesOf({ cost: { note: 'a\n  b' } })).toEqual(['{', '"cost": { "note": "a\\n  b" }', '}']);
  });
});

test('any document is as JSON.stringify writes it, of the lines that it names', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const { parts, lines = [] } = formatJsonLines(value);
      const text = parts.join('');
      expect(text).toBe(formatWhole(value));
      expect(new Set(lines)).toEqual(new Set(text.match(/.*\n/g)));
    }),
    { numRuns: 300, seed: 5 },
  );
});

test('a document of more lines than are remembered is complete', () => {
  const value = { all: Array.from({ length: 210_000 }, (_, i) => i) };
  const { parts, lines } = formatJsonLines(value);
  expect(parts.join('') === formatWhole(value)).toBe(true);
  expect(lines).toBeUndefined();
});

test('a document of more costs than are remembered is complete', () => {
  const value = { all: Array.from({ length: 110_000 }, (_, i) => ({ index: i, cost: { perHour: i, sources: [] } })) };
  const { parts, lines } = formatJsonLines(value);
  expect(JSON.parse(parts.join(''))).toEqual(value);
  expect(lines).toBeUndefined();
});

/** What the command line prints of a document. */
function printed(value: object, secret?: string): string {
  let out = '';
  const raw = { out: (part: string) => (out += part), err: () => {}, terminal: false, env: {}, stdin: () => '' };
  const io = guardOutput(raw);
  if (secret !== undefined) io.hide(secret);
  io.nameFleet('fleet');
  io.outDocument('Plan', value);
  return out;
}

describe('a printed document', () => {
  const KEY = 'hf_abcdefghijklmnopqrstuvwx';
  const guarded: Record<string, { value: object; secret?: string; want: string }> = {
    'hides a key': { value: { a: KEY }, want: '"a": "(hidden)"' },
    'hides a value below its name': { value: { name: 'TOKEN', value: '3Xk9fQ2mZ81pLw7cYt5R' }, want: '"(hidden)"' },
    'hides a secret of the run': { value: { a: 'plain-value' }, secret: 'plain-value', want: '"a": "(hidden)"' },
    'shows an invisible character': { value: { a: 'b\u202Ec' }, want: '"a": "b\\u202ec"' },
    'names the fleet in commands': { value: { a: 'run fleetwright lock DIR' }, want: '"run fleetwright lock fleet"' },
  };
  test.each(Object.entries(guarded))('%s', (_, { value, secret, want }) => {
    expect(printed(value, secret)).toContain(want);
  });
});
