import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { resourceIdOf } from '../../src/api/kinds';
import type { SourceFile } from '../../src/manifest/source-file';
import { load, summary } from './build';
import { daily } from '../daily';

const word = fc.stringMatching(/^[a-z]{1,3}$/);

const endpoints = fc.uniqueArray(
  fc.record({
    apiVersion: fc.constantFrom('fleetwright.dev/v1alpha1', 'modelplane.ai/v1alpha1'),
    kind: fc.constant('ModelEndpoint'),
    metadata: fc.record({
      name: word,
      namespace: word,
      labels: fc.dictionary(word, fc.constantFrom('x', 'true', '1.10', '', 'no', 'a-b')),
    }),
    spec: fc.record({
      url: fc.webUrl({ validSchemes: ['https'] }),
      rewritePath: fc.string({ unit: 'grapheme' }),
    }),
  }),
  { selector: ({ metadata }) => `${metadata.namespace}/${metadata.name}`, maxLength: 8 },
);
type Endpoint = typeof endpoints extends fc.Arbitrary<(infer T)[]> ? T : never;

/** Ways to write several manifests to a file. */
const writers: ((all: Endpoint[]) => string)[] = [
  (all) => all.map((one) => stringify(one)).join('---\n'),
  (all) => all.map((one) => `# comment\n---\n${stringify(one, { indentSeq: false })}...\n`).join(''),
  (all) => `\uFEFF${all.map((one) => JSON.stringify(one, undefined, 2)).join('\n---\n')}`,
  (all) => stringify({ apiVersion: 'v1', kind: 'List', items: all }),
  (all) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all }, undefined, '\t'),
  (all) =>
    all
      .map((one) => stringify(one, { collectionStyle: 'flow' }))
      .join('---\n')
      .replaceAll('\n', '\r\n'),
];

/** One of the ways to spread manifests over files. */
interface Layout {
  /** The order in which manifests are dealt, the file of each, and how each file is written. */
  readonly order: number[];
  readonly files: number[];
  readonly styles: number[];
}

const FILES = 3;
const layout: fc.Arbitrary<Layout> = fc.record({
  order: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
  files: fc.array(fc.nat({ max: FILES - 1 }), { minLength: 8, maxLength: 8 }),
  styles: fc.array(fc.nat({ max: writers.length - 1 }), { minLength: FILES, maxLength: FILES }),
});

function spread(all: Endpoint[], { order, files, styles }: Layout): Record<string, string> {
  const dealt = all.map((one, index) => ({ one, index })).sort((a, b) => order[a.index]! - order[b.index]!);
  const written = styles.map((style, file): [string, string] => {
    const own = dealt.filter(({ index }) => files[index] === file).map(({ one }) => one);
    return [`${style}${file}.yaml`, writers[style]!(own)];
  });
  return Object.fromEntries(written);
}

test('any split of manifests over files, in any order and style, loads to the same resources', () => {
  fc.assert(
    fc.property(endpoints, layout, layout, (all, one, other) => {
      const loaded = load(spread(all, one));
      expect(summary(loaded).problems).toEqual([]);
      expect(loaded.resources.map(resourceIdOf)).toEqual(
        all.map(({ kind, metadata: { name, namespace } }) => `${kind} ${namespace}/${name}`).sort(),
      );
      expect(load(spread(all, other)).resources).toEqual(loaded.resources);
    }),
    { numRuns: daily(20) },
  );
});

test('the order in which files are given decides nothing, not even which of two equals is the first', () => {
  const files: SourceFile[] = ['c', 'a', 'b'].map((path) => ({ path, text: `a: 1\n---\n${text}` }));
  expect(summary(load(Object.fromEntries(files.map(({ path, text }) => [path, text]))))).toEqual(
    summary(load(Object.fromEntries(files.toReversed().map(({ path, text }) => [path, text])))),
  );
});

const text =
  'apiVersion: fleetwright.dev/v1alpha1\nkind: ModelEndpoint\nmetadata: {name: a}\nspec: {url: https://a.example.com}\n';
