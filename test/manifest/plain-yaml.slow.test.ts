import * as fc from 'fast-check';
import { resourceIdOf } from '../../src/api/kinds';
import type { Path } from '../../src/api/resource';
import type { Diagnostic } from '../../src/base/diagnostic';
import { offsetOf, plainOffsetOf } from '../../src/manifest/field-positions';
import { DEFAULT_LIMITS } from '../../src/manifest/input-limits';
import { loadManifests } from '../../src/manifest/load-manifests';
import { hasPlainCharacters, NotPlain } from '../../src/manifest/plain-scalars';
import { type EntryOffsets, readPlainDocument } from '../../src/manifest/plain-yaml';
import { PlainFileReader } from '../../src/manifest/read-plain-file';
import { DeclarationInterner, type FileReading } from '../../src/manifest/reuse-declarations';
import { openSource } from '../../src/manifest/source-file';
import { readDocuments } from '../../src/manifest/yaml-documents';
import { collectAnchors } from '../../src/manifest/yaml-nodes';
import { readValue } from '../../src/manifest/yaml-values';
import { anchored, CORPUS, DOCUMENTS, edited, tame, UNUSUAL, wild } from './yaml-texts';

/** FLEETWRIGHT_RUNS=100000 for the long run. */
const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_RUNS'] ?? 120), seed: 30 };

interface Reading {
  value: unknown;
  start?: number;
  offsets: number[];
  /** The number of values that aliases repeat. */
  repeated: number;
}

/** A document as the plain reader reads it. Undefined if it leaves it to the YAML library. */
function plain(text: string): Reading | undefined {
  if (!hasPlainCharacters(text)) return undefined;
  try {
    const offsets: EntryOffsets = new Map();
    const document = readPlainDocument(text, 0, text.length, { maxDepth: 20, offsets });
    if (!document) return { value: null, offsets: [], repeated: 0 };
    const all = offsetsOf(document.value, (path) => plainOffsetOf(document, path, offsets));
    return { ...document, offsets: all };
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** A document as the YAML library reads it, with its faults. */
function exact(text: string): Reading & { faults: unknown[] } {
  const documents = [...readDocuments(openSource({ path: 'f.yaml', text }), DEFAULT_LIMITS)];
  const faults: unknown[] = documents.filter((one) => 'problem' in one);
  const [first] = documents.flatMap((one) => ('document' in one ? [one.document] : []));
  const root = first?.contents;
  if (documents.length > 1 || (first?.warnings.length ?? 0) > 0) faults.push('several documents or warnings');
  if (!root) return { value: null, offsets: [], repeated: 0, faults };
  const report = (fault: Diagnostic<number>) => faults.push(fault);
  const [anchors, budget] = [collectAnchors(root), { remaining: 1000 }];
  const read = readValue(root, { anchors, limits: DEFAULT_LIMITS, budget, report });
  return {
    value: read,
    start: root.range[0],
    offsets: offsetsOf(read, (path) => offsetOf(root, path, anchors)),
    repeated: 1000 - budget.remaining,
    faults,
  };
}

/** The offsets of all fields of a value, and of one below each that does not exist. */
function offsetsOf(read: unknown, offset: (path: Path) => number, path: Path = []): number[] {
  const inner = typeof read === 'object' && read !== null ? Object.entries(read) : [];
  return [
    offset(path),
    offset([...path, 'none']),
    ...inner.flatMap(([part, below]) => offsetsOf(below, offset, [...path, Array.isArray(read) ? Number(part) : part])),
  ];
}

/** Both readings, where the plain reader reads the document at all: otherwise the exact one twice. */
function bothReadings(text: string) {
  const quick = plain(text);
  const want = exact(text);
  return { quick: quick ? { ...quick, faults: [] } : want, want };
}

test.each(Object.entries({ wild, tame, anchored, edited }))(
  'the plain reader reads %s documents as the YAML library',
  (_, texts) => {
    let read = 0;
    fc.assert(
      fc.property(texts, (text) => {
        if (plain(text)) read += 1;
        const { quick, want } = bothReadings(text);
        expect({ text, ...quick }).toEqual({ text, ...want });
      }),
      RUNS,
    );
    expect(read).toBeGreaterThan(RUNS.numRuns / 50);
  },
);

describe('what readers of YAML disagree on is left to the library', () => {
  test.each(UNUSUAL.map((text) => [JSON.stringify(text), text]))('%s', (_, text) => {
    for (const document of [`a: ${text}\n`, `- ${text}\n`, `a: [${text}]\n`, `${text}: a\n`, `a:\n  - ${text}\n`]) {
      const { quick, want } = bothReadings(document);
      expect({ document, ...quick }).toEqual({ document, ...want });
    }
  });
});

test.each(['b', '8', '"b"', '[b]', '{ b: c }'])('the plain reader reads a comment behind %s', (text) => {
  const want = plain(`a: ${text}\nd:\n  - ${text}\n`)?.value;
  expect(plain(`a: ${text} # note\nd:\n  - ${text}  # note\n`)?.value).toEqual(want);
  expect(plain(`a: ${text} # note\n`)).toBeDefined();
});

const ANCHORS = {
  'of a text': { text: 'a: &x b\nc: *x\n', repeated: 1 },
  'of a text of several lines': { text: 'a: &x |\n  b\nc: *x\n', repeated: 1 },
  'of a map below': { text: 'a: &x\n  b: 1\n  c: [d, e]\nf: *x\n', repeated: 5 },
  'of a map in braces': { text: 'a: &x { b: 1 }\nf: *x # note\n', repeated: 2 },
  'of a list at the column of its key': { text: 'a: &x # note\n- b\n- c\nd: *x\n', repeated: 3 },
  'of items': { text: 'a:\n  - &x b\n  - *x\n  - &y\n    c: d\n  - e: *y\n', repeated: 3 },
  'of an item below its dash': { text: 'a:\n  - &x\n      - b\n  - *x\n', repeated: 2 },
  'of a part of an anchored value': { text: 'a: &x\n  b: &y 1\nc: *y\nd: *x\n', repeated: 3 },
};

describe('the plain reader reads anchors and aliases', () => {
  test.each(Object.entries(ANCHORS))('%s', (_, { text, repeated }) => {
    const { quick, want } = bothReadings(text);
    expect(quick).toEqual(want);
    expect(plain(text)?.repeated).toBe(repeated);
  });
});

describe('left to the library is', () => {
  test.each([
    ['an alias above its anchor', 'a: *x\nb: &x c\n'],
    ['an alias inside its own anchor', 'a: &x\n  b: *x\n'],
    ['an alias inside the value of another anchor', 'a: &x b\nc: &y\n  d: *x\n'],
    ['a name that is given twice', 'a: &x b\nc: &x d\ne: *x\n'],
    ['an anchor without a value', 'a: &x\nb: *x\n'],
    ['an anchor of an item without a value', 'a:\n  - &x\n  - b\n'],
    ['an anchor of a key', '&x a: b\n'],
    ['an anchor of the first key of an item', 'a:\n  - &x b: c\n'],
    ['an alias as a key', 'a: &x b\n*x : c\n'],
    ['an alias that goes on below', 'a: &x b\nc: *x\n  d\n'],
    ['an alias with more than spaces behind it', 'a: &x b\nc: *x d\n'],
    ['an alias in brackets', 'a: &x b\nc: [*x]\n'],
    ['an alias of too deep a value', `a: &x ${'['.repeat(19)}${']'.repeat(19)}\nb:\n  c: *x\n`],
  ])('%s', (_, text) => {
    expect(plain(text)).toBeUndefined();
  });
});

test('an alias repeats the value of its anchor as the same object', () => {
  const read = plain('a: &x\n  - b\nc: *x\nd: [e]\nf: *x\n')?.value;
  expect(read).toEqual({ a: ['b'], c: ['b'], d: ['e'], f: ['b'] });
  const [a, c, , f] = Object.values(read ?? {});
  expect([c === a, f === a]).toEqual([true, true]);
});

test('the plain reader reads the files of the repository as the YAML library', () => {
  const read = DOCUMENTS.filter((text) => {
    const { quick, want } = bothReadings(text);
    expect({ text, ...quick }).toEqual({ text, ...want });
    return quick !== want;
  });
  expect(read.length / DOCUMENTS.length).toBeGreaterThan(0.8);
});

/** A line that only the YAML library reads, and that means nothing. */
const LIBRARY_ONLY = '\n#\t\n';

describe('a file that the plain reader reads', () => {
  const files = CORPUS.filter((text) => /^apiVersion: (?:fleetwright|modelplane)/m.test(text));

  test('has the resources, their positions and no problem, as the YAML library reads it', () => {
    const found = files.filter((text) => {
      if (!readPlain(text)) return false;
      const [quick, want] = [text, text + LIBRARY_ONLY].map((one) => loadManifests([{ path: 'f.yaml', text: one }]));
      expect(quick?.resources).toEqual(want?.resources);
      expect(want?.problems).toEqual([]);
      for (const one of want?.resources ?? []) {
        for (const path of [[], ['kind'], ['metadata', 'name'], ['spec'], ...pathsOf(one.spec, ['spec'])]) {
          expect(quick?.locate(one, path)).toBe(want?.locate(one, path));
        }
      }
      return true;
    });
    expect(found.length).toBeGreaterThan(files.length / 2);
  });

  test('repeats as many values as are left in the run', () => {
    const text = ['first', 'second'].map((name) => repeating(name, 'Qwen/Qwen3-8B')).join('---\n');
    const reader = new PlainFileReader(DEFAULT_LIMITS, new DeclarationInterner());
    expect(reader.read(text, 1)).toBeUndefined();
    expect(reader.read(text, 2)?.repeated).toBe(2);
  });

  test('takes what a spec repeats from its own document', () => {
    const models = ['Qwen/Qwen3-8B', 'Qwen/Qwen3-14B'];
    const reading = readPlain(models.map((model, m) => repeating(`model-${m}`, model)).join('---\n'));
    const specs = reading?.resources.map(({ resource }) => resource.spec);
    expect(specs).toEqual(
      models.map((repository) => expect.objectContaining({ model: expect.objectContaining({ repository }) })),
    );
  });

  test('shares the specs of deployments with the same text, and checks the names of all', () => {
    const [first, second] = readDeployments('first', 'second')?.resources ?? [];
    expect(second?.resource.spec).toBe(first?.resource.spec);
    expect(second && resourceIdOf(second.resource)).toBe('ModelDeployment ml/second');
    for (const wrong of ['Second', 'x'.repeat(64), 'second, labels: 1', 'second }\nspec: {}\nstatus: { a: b']) {
      expect(readDeployments('first', wrong)).toBeUndefined();
    }
  });
});

const DEPLOYMENT = `apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { namespace: ml, name: first }
spec:
  replicas: 1
  model: { repository: Qwen/Qwen3-8B, context: 4096, hardware: [l4] }
`;

/** A deployment whose spec repeats the name of the model, which is in its metadata. */
function repeating(name: string, model: string): string {
  const metadata = `metadata:\n  namespace: ml\n  name: ${name}\n  annotations:\n    example.com/model: &model ${model}\n`;
  return `apiVersion: fleetwright.dev/v1alpha1\nkind: ModelDeployment\n${metadata}spec:
  replicas: 1
  model:
    repository: *model
    context: 4096
    hardware: [l4]
`;
}

function readPlain(text: string): FileReading | undefined {
  return new PlainFileReader(DEFAULT_LIMITS, new DeclarationInterner()).read(text);
}

function readDeployments(...names: string[]): FileReading | undefined {
  return readPlain(names.map((name) => DEPLOYMENT.replace('name: first', `name: ${name}`)).join('---\n'));
}

/** The paths of all fields, one level deep in each list. */
function pathsOf(spec: unknown, path: (string | number)[]): (string | number)[][] {
  if (typeof spec !== 'object' || spec === null || path.length > 3) return [path];
  const entries: [string | number, unknown][] = Array.isArray(spec)
    ? [...spec.entries()].slice(0, 1)
    : Object.entries(spec);
  return [path, ...entries.flatMap(([name, one]) => pathsOf(one, [...path, name]))];
}
