import * as fc from 'fast-check';
import { parse, parseAllDocuments } from 'yaml';
import type { Json, Manifest } from '../../src/render/manifest';
import { formatManifests } from '../../src/render/yaml';

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
    'a delete character': { text: 'a\u007Fb', want: '"a\\u007fb"' },
    'a bell': { text: 'a\u0007b', want: '"a\\u0007b"' },
    'a line break of Unicode': { text: 'a\u2028b', want: '"a\\u2028b"' },
    'lines of which the first begins with a tab': { text: '\ta\nb', want: '"\\ta\\nb"' },
  };
  test.each(Object.entries(cases))('%s', (_, { text, want }) => {
    expect(formatManifests([withSpec({ value: text })], 'note')).toBe(`${HEAD}  value: ${want}\n`);
  });
});

describe('text that nobody misreads stays as it is', () => {
  const cases: Record<string, { text: string; want: string }> = {
    'an argument': { text: '--served_model_name=a', want: '--served_model_name=a' },
    'an image': { text: 'vllm/vllm-openai:v0.11.0', want: 'vllm/vllm-openai:v0.11.0' },
    'a long line is not folded': { text: 'word '.repeat(60).trim(), want: 'word '.repeat(60).trim() },
    'a script keeps its lines': { text: 'set -e\n  run\n', want: '|\n    set -e\n      run' },
  };
  test.each(Object.entries(cases))('%s', (_, { text, want }) => {
    expect(formatManifests([withSpec({ value: text })], 'note')).toBe(`${HEAD}  value: ${want}\n`);
  });
});

test('documents are told apart, after a comment, with a line break at the end', () => {
  const text = formatManifests([withSpec({ a: 1 }), withSpec({ b: [] })], 'note');
  expect(text).toBe(`${HEAD}  a: 1\n---\n${HEAD.slice('# note\n'.length)}  b: []\n`);
});

test('keys stand in the order in which they were built, and absent ones are left out', () => {
  const manifest = { ...withSpec({}), spec: { b: 1, absent: undefined, a: 2 } };
  expect(formatManifests([manifest], 'note')).toBe(`${HEAD}  b: 1\n  a: 2\n`);
});

test('what stands there twice is written twice, without an anchor', () => {
  const shared = { a: 1 };
  expect(formatManifests([withSpec({ one: shared, two: shared })], 'note')).not.toMatch(/[&*]/);
});

const awkward = fc.array(
  fc.constantFrom(...'ab \n\t-:#"\'|>%01_.ex\\{]},&*!?\r\u0085é~=<', '\u{1F600}', 'no', '0x'),
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
    fc.boolean(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

test('any data reads back the same under YAML 1.1 and 1.2', () => {
  fc.assert(
    fc.property(fc.dictionary(text, json, { maxKeys: 4, noNullPrototype: true }), (spec) => {
      const manifest = withSpec(spec);
      const written = formatManifests([manifest], 'note');
      for (const version of ['1.1', '1.2'] as const) expect(parse(written, { version })).toEqual(manifest);
    }),
    { numRuns: 300 },
  );
});

test('any number of documents reads back as that number', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const manifests = texts.map((value) => withSpec({ value }));
      const read = parseAllDocuments(formatManifests(manifests, 'note'));
      expect([...read].map((document) => document.toJS())).toEqual(manifests);
    }),
  );
});
