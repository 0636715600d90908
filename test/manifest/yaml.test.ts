import * as fc from 'fast-check';
import { parse, parseAllDocuments } from 'yaml';
import { formatDocuments } from '../../src/manifest/format-yaml';
import type { Json, Manifest } from '../../src/manifest/kubernetes/manifest';

function withSpec(spec: Record<string, Json>): Manifest {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', labels: {} }, spec };
}

const HEAD = '# note\napiVersion: v1\nkind: Thing\nmetadata:\n  name: a\n  labels: {}\nspec:\n';

describe('text that some YAML reader takes for something else is quoted', () => {
  const cases: Record<string, { text: string; want: string }> = {
    'a boolean of YAML 1.1': { text: 'yes', want: '"yes"' },
    'a single letter that is one': { text: 'n', want: '"n"' },
    'an octal of YAML 1.1': { text: '0777', want: '"0777"' },
    'an octal of YAML 1.2': { text: '0o17', want: '"0o17"' },
    'an octal with a sign, which Go reads': { text: '+0o7', want: '"+0o7"' },
    'a number with underscores, which Go reads': { text: '-_0', want: '"-_0"' },
    'a time, base 60': { text: '1:20', want: '"1:20"' },
    'a date': { text: '2026-01-01', want: '"2026-01-01"' },
    'a version that is a number': { text: '1.10', want: '"1.10"' },
    'a merge key': { text: '<<', want: '"<<"' },
    'a default value': { text: '=', want: '"="' },
    nothing: { text: '', want: '""' },
    null: { text: '~', want: '"~"' },
    'a number with an underscore in its exponent, which Go reads': { text: '1e3_', want: '"1e3_"' },
    'a hexadecimal with an underscore before its x, which Go reads': { text: '0_x1f', want: '"0_x1f"' },
    'a hexadecimal': { text: '0x1F', want: '"0x1F"' },
    'a binary': { text: '0b11', want: '"0b11"' },
    'a number with an exponent': { text: '1e3', want: '"1e3"' },
    'an exponent alone, which JavaScript reads': { text: 'e0', want: '"e0"' },
    'an exponent with signs, which JavaScript reads': { text: '-E+5', want: '"-E+5"' },
    'a number that begins with its point': { text: '-.5', want: '"-.5"' },
    'a number that is none': { text: '.NaN', want: '".NaN"' },
    'an infinite number': { text: '-.inf', want: '"-.inf"' },
    'a date with a time': { text: '2026-01-01 10:00:00', want: '"2026-01-01 10:00:00"' },
    'a boolean in capitals': { text: 'OFF', want: '"OFF"' },
    'a space at its start': { text: ' a', want: '" a"' },
    'a space at its end': { text: 'a ', want: '"a "' },
    'a tab within': { text: 'a\tb', want: '"a\\tb"' },
    'what begins a list': { text: '- a', want: '"- a"' },
    'a dash alone': { text: '-', want: '"-"' },
    'what begins a key': { text: 'a: b', want: '"a: b"' },
    'what ends a key': { text: 'a:', want: '"a:"' },
    'what begins a comment': { text: 'a #b', want: '"a #b"' },
    'what begins an anchor': { text: '&a', want: '"&a"' },
    'what begins a directive': { text: '%YAML', want: '"%YAML"' },
    'the end of a document': { text: '--- a', want: '"--- a"' },
    'double quotes, in single ones': { text: '"a"', want: '\'"a"\'' },
    'double quotes next to a tab': { text: 'a\t"', want: '"a\\t\\""' },
    'both quotes': { text: `"it's"`, want: '"\\"it\'s\\""' },
    'a carriage return': { text: 'a\r\nb', want: '"a\\r\\nb"' },
    'a line break that is a control character': { text: 'a\u0085b', want: '"a\\u0085b"' },
    'a byte order mark': { text: '\uFEFFa', want: '"\\ufeffa"' },
    'half a character': { text: 'a\uD83D', want: '"a\\ud83d"' },
    'a block that begins with a space': { text: ' a\nb', want: '" a\\nb"' },
    'a block that begins with a break': { text: '\na', want: '"\\na"' },
    'a block that ends in spaces': { text: 'a\n  ', want: '"a\\n  "' },
    'a block with a tab after its indentation': { text: 'a\n \tb', want: '"a\\n \\tb"' },
    'a delete character': { text: 'a\u007Fb', want: '"a\\u007fb"' },
    'a bell': { text: 'a\u0007b', want: '"a\\u0007b"' },
    'a line break of Unicode': { text: 'a\u2028b', want: '"a\\u2028b"' },
    'lines of which the first begins with a tab': { text: '\ta\nb', want: '"\\ta\\nb"' },
  };
  test.each(Object.entries(cases))('%s', (_, { text, want }) => {
    expect(formatDocuments([withSpec({ value: text })], 'note')).toBe(`${HEAD}  value: ${want}\n`);
  });
});

describe('text that no one misreads stays as it is', () => {
  const cases: Record<string, { text: string; want: string }> = {
    'an argument': { text: '--served_model_name=a', want: '--served_model_name=a' },
    'an image': { text: 'vllm/vllm-openai:v0.11.0', want: 'vllm/vllm-openai:v0.11.0' },
    'a long line is not folded': { text: 'word '.repeat(60).trim(), want: 'word '.repeat(60).trim() },
    'a selector keeps its double quotes': {
      text: `device.attributes["gpu.nvidia.com"].productName == "H100"`,
      want: `device.attributes["gpu.nvidia.com"].productName == "H100"`,
    },
    'a quantity': { text: '200Gi', want: '200Gi' },
    'an address': { text: '10.96.0.0/16', want: '10.96.0.0/16' },
    'a version of three parts': { text: '1.36.0', want: '1.36.0' },
    'a name with underscores': { text: '--flag_name', want: '--flag_name' },
    'a URL': { text: 'https://example.com/#a', want: 'https://example.com/#a' },
    'letters of other scripts': { text: 'é\u{1F600}', want: 'é\u{1F600}' },
    'lines without a last break': { text: 'a\n\nb', want: '|-\n    a\n\n    b' },
    'lines with several last breaks': { text: 'a\nb\n\n', want: '|+\n    a\n    b\n' },
    'a script keeps its lines': { text: 'set -e\n  run\n', want: '|\n    set -e\n      run' },
  };
  test.each(Object.entries(cases))('%s', (_, { text, want }) => {
    expect(formatDocuments([withSpec({ value: text })], 'note')).toBe(`${HEAD}  value: ${want}\n`);
  });
});

test('documents are distinguished, after a comment, with a line break at the end', () => {
  const text = formatDocuments([withSpec({ a: 1 }), withSpec({ b: [] })], 'note');
  expect(text).toBe(`${HEAD}  a: 1\n---\n${HEAD.slice('# note\n'.length)}  b: []\n`);
});

test('keys are in the order in which they were built, and absent ones are left out', () => {
  const manifest = { ...withSpec({}), spec: { b: 1, absent: undefined, a: 2 } };
  expect(formatDocuments([manifest], 'note')).toBe(`${HEAD}  b: 1\n  a: 2\n`);
});

test('lists of lists and of maps begin on the line of their dash', () => {
  const spec = { list: [['a', ['b']], { c: 1, d: [2] }, [], {}, 'x\ny'] };
  const want =
    '  list:\n    - - a\n      - - b\n    - c: 1\n      d:\n        - 2\n    - []\n    - {}\n    - |-\n      x\n      y\n';
  expect(formatDocuments([withSpec(spec)], 'note')).toBe(HEAD + want);
});

describe('keys', () => {
  const cases: Record<string, { key: string; want: string }> = {
    'are quoted as values are': { key: 'on', want: '  "on": 1\n' },
    'have no block': { key: 'a\nb', want: '  "a\\nb": 1\n' },
    'that are too long for readers to look for their colon are announced': {
      key: 'k'.repeat(1100),
      want: `  ? ${'k'.repeat(1100)}\n  : 1\n`,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { key, want }) => {
    const written = formatDocuments([withSpec({ [key]: 1 })], 'note');
    expect(written).toBe(HEAD + want);
    expect(parse(written)).toEqual(withSpec({ [key]: 1 }));
  });
});

describe('numbers', () => {
  const cases: Record<string, { number: number; want: string }> = {
    'are decimal': { number: -1.5, want: '-1.5' },
    'have a point before their exponent, which YAML 1.1 needs': { number: 1e21, want: '1.0e+21' },
    'may have one already': { number: 1.5e-7, want: '1.5e-7' },
  };
  test.each(Object.entries(cases))('%s', (_, { number, want }) => {
    expect(formatDocuments([withSpec({ number })], 'note')).toBe(`${HEAD}  number: ${want}\n`);
  });

  test('that are none are a bug', () => {
    expect(() => formatDocuments([withSpec({ number: Number.NaN })], 'note')).toThrow('bug: NaN');
  });
});

test('what is in it twice is written twice, without an anchor', () => {
  const shared = { a: 1 };
  expect(formatDocuments([withSpec({ one: shared, two: shared })], 'note')).not.toMatch(/[&*]/);
});

const awkward = fc.array(
  fc.constantFrom(
    ...'ab \n\t-:#"\'|>%01_.ex\\{]},&*!?\r\u0085é~=<',
    '\u{1F600}',
    'no',
    '0x',
    '_',
    '+',
    '0b',
    'null',
    '---',
    '1:2',
    '\u2028',
    '\uFEFF',
  ),
  { maxLength: 8 },
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  awkward.map((parts) => parts.join('')),
);
const json: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

test('any data reads back the same under YAML 1.1 and 1.2', () => {
  fc.assert(
    fc.property(fc.dictionary(text, json, { maxKeys: 4, noNullPrototype: true }), (spec) => {
      const manifest = withSpec(spec);
      const written = formatDocuments([manifest], 'note');
      for (const version of ['1.1', '1.2'] as const) expect(parse(written, { version })).toEqual(manifest);
    }),
    { numRuns: 300 },
  );
});

test('any number of documents reads back as that number', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const manifests = texts.map((value) => withSpec({ value }));
      const read = parseAllDocuments(formatDocuments(manifests, 'note'));
      expect([...read].map((document) => document.toJS())).toEqual(manifests);
    }),
  );
});
