import { DEFAULT_LIMITS, type Limits } from '../../src/manifest/input-limits';
import { endpoint, load, summary } from './build';

interface Case {
  limits: Partial<Limits>;
  good: string | Record<string, string>;
  bad: string | Record<string, string>;
  want: string[];
}

const nested = (depth: number) => endpoint('a', `status: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`);
/** `levels` anchors, each ten times the one before. */
const bomb = (levels: number) => {
  const rows = Array.from({ length: levels }, (_, level) => {
    const item = level === 0 ? 'x' : `*a${level - 1}`;
    return `  a${level}: &a${level} [${Array.from({ length: 10 }, () => item).join(', ')}]`;
  });
  return endpoint('a', `status:\n${rows.join('\n')}`);
};

const cases: Record<string, Case> = {
  'a file of more bytes, counted as UTF-8': {
    limits: { fileBytes: 119 },
    good: { 'a.yaml': `${endpoint('a')}#${'é'.repeat(3)}` },
    bad: { 'a.yaml': `${endpoint('a')}#${'é'.repeat(4)}`, 'b.yaml': 'a: 1' },
    want: [
      'a.yaml: the file has 121 bytes, and the limit is 119 bytes a file. Split it, or remove it.',
      "b.yaml:1:1: this map has no apiVersion and no kind. Write 'apiVersion: fleetwright.dev/v1alpha1', or remove the file if it has no manifests.",
    ],
  },
  'more bytes of all files': {
    limits: { totalBytes: 230 },
    good: { 'b.yaml': endpoint('b'), 'a.yaml': endpoint('a') },
    bad: { 'b.yaml': endpoint('b'), 'a.yaml': endpoint('a'), 'c.yaml': endpoint('c'), 'd.yaml': '' },
    want: [
      'c.yaml: with this file the manifests exceed 230 bytes, the limit of a run. Use a folder that has only the fleet.',
    ],
  },
  'more documents, over all files and Lists, ours or not': {
    limits: { documents: 3 },
    good: {
      'a.yaml': endpoint('a'),
      'b.yaml': 'apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: A}]\n---\n---\n',
    },
    bad: {
      'a.yaml': endpoint('a'),
      'b.yaml': `apiVersion: v1\nkind: List\nitems: [${'{apiVersion: v1, kind: A},'.repeat(9)}]\n---\na: 1\n`,
      'c.yaml': endpoint('a'),
    },
    want: [
      'b.yaml:1:1: with this document the manifests exceed 3, the limit of a run. Use a folder that has only the fleet.',
    ],
  },
  'more words and signs in a document': {
    limits: { tokens: 60 },
    good: `${endpoint('a')}---\n${endpoint('b')}`,
    bad: endpoint('a', `status: [${'1,'.repeat(20)}]`),
    want: ['f.yaml:7:21: this document has more than 60 tokens up to here. Split it, or remove it.'],
  },
  'more levels': {
    limits: {},
    good: nested(64),
    bad: nested(65),
    want: [
      'f.yaml:7:73: values are nested more than 64 levels deep. Check for a surplus bracket, or remove the file: manifests of a fleet are less deep.',
    ],
  },
  'more levels, through aliases': {
    limits: { depth: 4 },
    good: endpoint('a', 'status: [&a [1], [*a]]'),
    bad: endpoint('a', 'status: [&a [1], [[*a]]]'),
    want: ['f.yaml:7:20: with this alias, values are nested more than 4 levels deep. Write the value out.'],
  },
  'more levels, through an alias that was used before at a lower level': {
    limits: { depth: 5 },
    good: endpoint('a', 'status: [&a [[1]], &b [*a], *b]'),
    bad: endpoint('a', 'status: [&a [[1]], &b [*a], *b, [*b]]'),
    want: ['f.yaml:7:34: with this alias, values are nested more than 5 levels deep. Write the value out.'],
  },
  'more levels, through a chain of aliases as long as the file': {
    limits: {},
    good: endpoint('a', 'status: [&a [1], &b [*a], [*b]]'),
    bad: [
      'apiVersion: v1\nkind: List\nitems:',
      `- {apiVersion: v1, kind: X, data: [&a0 [], ${Array.from({ length: 5_000 }, (_, index) => `&a${index + 1} [*a${index}]`).join(', ')}]}`,
      `- ${endpoint('a', 'status: *a5000').trimEnd().replaceAll('\n', '\n  ')}`,
    ].join('\n'),
    want: [
      expect.stringMatching(
        /^f\.yaml:4:\d+: with this alias, values are nested more than 64 levels deep\. Write the value out\.$/,
      ) as string,
    ],
  },
  'more values than aliases may repeat': {
    limits: {},
    good: bomb(5),
    bad: bomb(9),
    want: [
      'f.yaml:13:37: aliases repeat more than 1000000 values up to here. Remove the file if you did not write it, or write the values out.',
    ],
  },
  'more values than aliases may repeat in all documents together': {
    limits: { aliasedValues: 30 },
    good: `${bomb(1)}---\n${endpoint('b', 'status: [&a [1, 2], *a]')}`,
    bad: `${endpoint('a', 'status: [&a [1, 2, 3, 4, 5, 6, 7, 8, 9], *a, *a]')}---\n${endpoint('b', 'status: [&a [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], *a, *a]')}`,
    want: [
      'f.yaml:15:45: aliases repeat more than 30 values up to here. Remove the file if you did not write it, or write the values out.',
    ],
  },
};

describe('loadManifests takes what the limits allow, and refuses', () => {
  test.each(Object.entries(cases))('%s', (_, { limits, good, bad, want }) => {
    const all = { ...DEFAULT_LIMITS, ...limits };
    expect(summary(load(good, all)).problems).toEqual([]);
    expect(summary(load(bad, all)).problems).toEqual(want);
  });

  test.each(['[', '- ', '{a: ', '? ', ': '])("a megabyte of '%s' at once", (opener) => {
    const { problems } = load(opener.repeat(2 ** 20 / opener.length));
    expect(problems.map(({ code }) => code)).toEqual(['too-deep']);
  });

  test('the limits of a normal run', () => {
    expect(DEFAULT_LIMITS).toMatchObject({
      fileBytes: 10485760,
      totalBytes: 67108864,
      documents: 100000,
      depth: 64,
    });
  });
});
