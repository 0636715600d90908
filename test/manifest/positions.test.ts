import * as fc from 'fast-check';
import { stringify } from 'yaml';
import type { Path } from '../../src/api/resource';
import { type EntrySide, offsetOf } from '../../src/manifest/field-positions';
import { openSource } from '../../src/manifest/source-file';
import { reparseDocument } from '../../src/manifest/yaml-documents';
import { collectAnchors } from '../../src/manifest/yaml-nodes';
import { endpoint, load } from './build';

interface Case {
  text: string;
  path: Path;
  side?: EntrySide;
  want: string;
}

const cases: Record<string, Case> = {
  'a word or text has the place of the value': { text: 'a:\n  b: c\n', path: ['a', 'b'], want: '2:6' },
  'a map has the place of the key that introduces it': {
    text: 'x: 1\na:\n  b: c\n',
    path: ['a'],
    want: '2:1',
  },
  'a list has the place of its key, also in brackets': {
    text: 'a: {b: [1]}\n',
    path: ['a', 'b'],
    want: '1:5',
  },
  'an item has its own place': { text: 'a:\n  - b\n  -   c\n', path: ['a', 1], want: '3:7' },
  'an item that is a map has the place of its first key': {
    text: 'a:\n  - b: 1\n',
    path: ['a', 0],
    want: '2:5',
  },
  'a text block has the place of its sign': { text: 'a: |\n  b\n', path: ['a'], want: '1:4' },
  'an empty value has the place of its key': { text: 'x: 1\na:\nb: 1\n', path: ['a'], want: '2:1' },
  'an empty text has a place of its own': { text: 'a: ""\n', path: ['a'], want: '1:4' },
  'a missing field has the place of what should hold it': {
    text: 'a:\n  b: 1\n',
    path: ['a', 'c', 'd'],
    want: '1:1',
  },
  'a missing field of an item has the place of the item': {
    text: 'a:\n- b: 1\n',
    path: ['a', 0, 'c'],
    want: '2:3',
  },
  'a missing item has the place of the list': { text: 'x: 1\na: [1]\n', path: ['a', 1], want: '2:1' },
  'a field of a word has the place of the word': { text: 'a: b\n', path: ['a', 'c'], want: '1:4' },
  'an index into a map finds nothing': { text: 'a: {"0": 1}\n', path: ['a', 0, 'x'], want: '1:10' },
  'a key in a list finds nothing': { text: 'x: 1\na: [1]\n', path: ['a', '0'], want: '2:1' },
  'the document has the place of its first key': { text: '# c\n\na: 1\n', path: [], want: '3:1' },
  'a field that should not be there has the place of its key': {
    text: 'a: {b: c}\n',
    path: ['a', 'b'],
    side: 'key',
    want: '1:5',
  },
  'fields above it have the place of their value': {
    text: 'a: b\n',
    path: ['a', 'c'],
    side: 'key',
    want: '1:4',
  },
  'the first of two equal keys counts': { text: 'a: 1\na: 2\n', path: ['a'], want: '1:4' },
  'a key in quotes is found by its meaning': { text: '"\\x61": 1\n', path: ['a'], want: '1:9' },
  'a key that is a number is found as written': { text: '1.10: x\n', path: ['1.10'], want: '1:7' },
  'a value that an alias repeats has the place of the alias': {
    text: 'a: &x {b: 1}\nc: *x\n',
    path: ['c'],
    want: '2:4',
  },
  'what is in it has the place where it is written': {
    text: 'a: &x {b: 1}\nc: *x\n',
    path: ['c', 'b'],
    want: '1:11',
  },
};

function placeOf(text: string, path: Path, side?: EntrySide): string {
  const root = reparseDocument(text)!;
  return openSource({ path: '', text })
    .place(offsetOf(root, path, collectAnchors(root), side))
    .slice(1);
}

describe('offsetOf', () => {
  test.each(Object.entries(cases))('%s', (_, { text, path, side, want }) => {
    expect(placeOf(text, path, side)).toBe(want);
  });
});

const at = "metadata.name, in line and column of the word 'needle'";
const json = JSON.stringify({
  apiVersion: 'fleetwright.dev/v1alpha1',
  kind: 'ModelEndpoint',
  metadata: { name: 'needle' },
  spec: { url: 'https://x.example.com' },
});
const item = endpoint('needle').trimEnd().replaceAll('\n', '\n    ');

const wherever: Record<string, string> = {
  'in a lone document': endpoint('needle'),
  'in a later document, after comments': `# a\n---\n${endpoint('a')}---\n# b\n\n${endpoint('needle')}`,
  'in a document that starts on the line of its mark': `--- ${json}\n`,
  'in an item of a List': `apiVersion: v1\nkind: List\nitems:\n  - ${item}\n  - ${item.replaceAll('needle', 'b')}\n`,
  'in an item on a line of its own': `apiVersion: v1\nkind: List\nitems:\n  -\n    ${item}\n`,
  'in a List in JSON': `{"apiVersion": "v1", "kind": "List", "items": [\n  ${json.replace('needle', 'b')},\n  ${json}]}`,
  'in indented JSON': JSON.stringify(JSON.parse(json), undefined, '\t'),
  'with CRLF line ends': `# a\r\n---\r\n${endpoint('needle').replaceAll('\n', '\r\n')}`,
  'behind an anchor': `apiVersion: v1\nkind: List\nitems:\n  - &it\n    ${item}\n`,
};

describe(`locate gives the place of ${at}`, () => {
  test.each(Object.entries(wherever))('%s', (_, text) => {
    const { resources, locate } = load(text);
    const needle = resources.find(({ metadata }) => metadata.name === 'needle')!;
    const before = text.slice(0, text.search(/(?<=name: ?|"name": ?")"?needle/)).replace(/"$/, '');
    const lines = before.split('\n');
    expect(locate(needle, ['metadata', 'name'])).toBe(`f.yaml:${lines.length}:${lines.at(-1)!.length + 1}`);
  });

  test('for one resource after another', () => {
    const { resources, locate } = load(`${endpoint('a')}---\n${endpoint('b')}`);
    expect([...resources, ...resources].map((resource) => locate(resource, ['spec', 'url']))).toEqual([
      'f.yaml:6:8',
      'f.yaml:13:8',
      'f.yaml:6:8',
      'f.yaml:13:8',
    ]);
  });

  test('for a changed copy of a resource', () => {
    const { resources, locate } = load(endpoint('a'));
    expect(locate({ ...resources[0]! }, ['spec', 'url'])).toBe('f.yaml:6:8');
  });

  test('or the identity of a resource that no file declares', () => {
    const [resource] = load(endpoint('a')).resources;
    expect(load('').locate(resource!, ['spec'])).toBe('ModelEndpoint default/a');
  });
});

/** Maps and lists in each other, in which every key and every word is used once. */
const documents = fc.letrec<{ node: Shape }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    fc.constant('word' as const),
    fc.record({ map: fc.array(tie('node'), { maxLength: 4 }) }),
    fc.record({ list: fc.array(tie('node'), { maxLength: 4 }) }),
  ),
})).node;
type Shape = 'word' | { map: Shape[] } | { list: Shape[] };

interface Spot {
  path: Path;
  /** What stands at the place, in any style. */
  want: RegExp;
}

/** The value of a shape, and what must be found at each of its parts. */
function grow(shape: Shape, path: Path, key: string | undefined, spots: Spot[]): unknown {
  if (shape === 'word') {
    const word = `n${spots.length}`;
    spots.push({ path, want: new RegExp(`^"?${word}\\b`) });
    return word;
  }
  const spot = { path, want: key ? new RegExp(`^"?${key}\\b`) : /^[[-]/ };
  const prefix = `k${spots.push(spot)}`;
  if ('list' in shape) return shape.list.map((item, index) => grow(item, [...path, index], undefined, spots));
  if (!key) spot.want = new RegExp(`^(\\{|"?${prefix}x0\\b)`);
  const entries = shape.map.map((value, index): [string, unknown] => {
    const name = `${prefix}x${index}`;
    return [name, grow(value, [...path, name], name, spots)];
  });
  return Object.fromEntries(entries);
}

const styles: Record<string, (value: unknown) => string> = {
  'in blocks': (value) => stringify(value),
  'in blocks with lists that are not indented': (value) => stringify(value, { indentSeq: false, indent: 4 }),
  'in brackets': (value) => stringify(value, { collectionStyle: 'flow' }),
  'in JSON on one line': (value) => JSON.stringify(value),
  'in JSON on many lines': (value) => JSON.stringify(value, undefined, 2),
};

test.each(Object.entries(styles))('every key and word of any document %s is found where it is', (_, print) => {
  fc.assert(
    fc.property(documents, (shape) => {
      const spots: Spot[] = [];
      const text = print({ root: grow(shape, ['root'], 'root', spots) });
      const root = reparseDocument(text)!;
      const anchors = collectAnchors(root);
      for (const { path, want } of spots) expect(text.slice(offsetOf(root, path, anchors))).toMatch(want);
    }),
    { numRuns: 100 },
  );
});
