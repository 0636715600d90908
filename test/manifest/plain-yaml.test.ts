import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { resourceIdOf } from '../../src/api/kinds';
import type { Path } from '../../src/api/resource';
import type { Diagnostic } from '../../src/base/diagnostic';
import { offsetOf, plainOffsetOf } from '../../src/manifest/field-positions';
import { DEFAULT_LIMITS } from '../../src/manifest/input-limits';
import { loadManifests } from '../../src/manifest/load-manifests';
import { NotPlain } from '../../src/manifest/plain-scalars';
import { type EntryOffsets, hasPlainCharacters, readPlainDocument } from '../../src/manifest/plain-yaml';
import { PlainFileReader } from '../../src/manifest/read-plain-file';
import { DeclarationInterner, type FileReading } from '../../src/manifest/reuse-declarations';
import { openSource } from '../../src/manifest/source-file';
import { readDocuments } from '../../src/manifest/yaml-documents';
import { collectAnchors } from '../../src/manifest/yaml-nodes';
import { readValue } from '../../src/manifest/yaml-values';

/** FLEETWRIGHT_RUNS=100000 for the long run. */
const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_RUNS'] ?? 120), seed: 30 };

const ROOT = join(__dirname, '../..');

/** The texts of all YAML files of the repository. Many files, and more documents, are the same. */
const CORPUS = distinct(
  ['examples', 'recipes', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.ya?ml$/.test(path) && !path.includes('node_modules'))
      .map((path) => readFileSync(join(ROOT, folder, path), 'utf8')),
  ),
);

const DOCUMENTS = distinct(CORPUS.flatMap((text) => text.split(/^---\n/m)));

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** A document as the plain reader reads it. Undefined if it leaves it to the YAML library. */
function plain(text: string): { value: unknown; start?: number; offsets: number[] } | undefined {
  if (!hasPlainCharacters(text)) return undefined;
  try {
    const offsets: EntryOffsets = new Map();
    const document = readPlainDocument(text, 0, text.length, { maxDepth: 20, offsets });
    if (!document) return { value: null, offsets: [] };
    return { ...document, offsets: offsetsOf(document.value, (path) => plainOffsetOf(document, path, offsets)) };
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** A document as the YAML library reads it, with its faults. */
function exact(text: string): { value: unknown; start?: number; offsets: number[]; faults: unknown[] } {
  const documents = [...readDocuments(openSource({ path: 'f.yaml', text }), DEFAULT_LIMITS)];
  const faults: unknown[] = documents.filter((one) => 'problem' in one);
  const [first] = documents.flatMap((one) => ('document' in one ? [one.document] : []));
  const root = first?.contents;
  if (documents.length > 1 || (first?.warnings.length ?? 0) > 0) faults.push('several documents or warnings');
  if (!root) return { value: null, offsets: [], faults };
  const report = (fault: Diagnostic<number>) => faults.push(fault);
  const context = { anchors: collectAnchors(root), limits: DEFAULT_LIMITS, budget: { remaining: 1000 }, report };
  const { anchors } = context;
  const read = readValue(root, context);
  return {
    value: read,
    start: root.range[0],
    offsets: offsetsOf(read, (path) => offsetOf(root, path, anchors)),
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

/** Texts that readers of YAML disagree on, or that need more than the plain subset, and some that look like these. */
const UNUSUAL = [
  'yes ;; no ;; on ;; off ;; y ;; n ;; null ;; ~ ;; Null ;; nUll ;; true ;; TRUE ;; tRue ;; 012 ;; 0o7 ;; 0x1F',
  '0b11 ;; 1_000 ;; 1:20 ;; 190:20:30 ;; 2026-01-01 ;; 2026-01-01 10:00:00 ;; -0 ;; +1 ;; .5 ;; 5. ;; 1.10 ;; 9.0.0',
  '1e3 ;; 1E+3 ;; .inf ;; -.INF ;; .nan ;; 12345678901234567890 ;; 0.1000000000000000055511151231257827 ;; 007 ;; --',
  '- ;; -  ;; --- ;; ... ;; << ;; = ;; ! ;; !!str a ;; &a ;; *a ;; &a b ;; %YAML 1.2 ;; @a ;; `a` ;; ? ;; ? a ;; : ;; a:b',
  `a: b ;; a #b ;; a#b ;; #a ;; # a ;; "a" ;; 'a' ;; 'it''s' ;; "a\\nb" ;; "\\u0041" ;; "\\x41" ;; "a ;; 'a ;; "a" b`,
  '{} ;; [] ;; {a: 1} ;; { a: 1, b: [x, y] } ;; [a, b ;; {a} ;; [a: b] ;; {a: 1,} ;; [a,, b] ;; {"a":1} ;; {a:1} ;; [ -a ]',
  '| ;; |- ;; |+ ;; > ;; >- ;; |2 ;; | # a ;; a\tb ;; \ta ;; a\r ;; é ;; \u00a0 ;; \u0085 ;; \u2028 ;; \uFEFF ;; \u{1F600}',
  'http://a/b:c ;; a, b ;; a] ;; x{y} ;; $(A) ;; /a ;; .a ;; +a ;; -a ;; 80Gi ;; a   ;; __proto__ ;; constructor ;; 1',
].flatMap((texts) => texts.split(' ;; '));

const value = fc.oneof(fc.constantFrom(...UNUSUAL), fc.constantFrom('a', 'b c', '8', '"x"', "'y'"));
const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e-f', '"g"') }, value);
const line = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`) },
  { weight: 3, arbitrary: key.map((name) => `${name}:`) },
  { weight: 2, arbitrary: fc.tuple(key, value).map(([name, text]) => `- ${name}: ${text}`) },
  { weight: 2, arbitrary: value.map((text) => `- ${text}`) },
  { weight: 1, arbitrary: value },
  { weight: 1, arbitrary: fc.constantFrom('', '# note', '   ', '-') },
);
const indented = fc.tuple(fc.constantFrom(0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 6), line);

/** Lines of any indentation: few of these are documents. */
const wild = fc.array(indented, { minLength: 1, maxLength: 7 }).map(joined);

/** Documents whose lines are indented as their structure asks for. */
const tame: fc.Arbitrary<string> = fc
  .letrec<{ lines: string[] }>((tie) => {
    return {
      lines: fc
        .array(
          fc.oneof(
            { depthSize: 'medium', maxDepth: 4 },
            fc.tuple(key, value).map(([name, text]) => [`${name}: ${text}`]),
            fc.tuple(key, tie('lines'), fc.constantFrom('', ' ', '  ', '    ')).map(([...parts]) => nested(...parts)),
            fc
              .tuple(key, fc.array(value, { minLength: 1, maxLength: 3 }), fc.constantFrom('- ', '  - ', '  '))
              .map(([name, texts, by]) => nested(name, texts, by)),
            fc
              .tuple(key, tie('lines'))
              .map(([name, [first = 'x', ...rest]]) => [`${name}:`, `- ${first}`, ...indent(rest, '  ')]),
            fc
              .tuple(
                key,
                fc.constantFrom('|', '|-'),
                fc.array(fc.constantFrom('a', ' b', '', '# c', 'd: e'), { maxLength: 4 }),
              )
              .map(([name, sign, texts]) => [`${name}: ${sign}`, ...indent(texts, '  ')]),
            fc.constantFrom(['# note'], ['']),
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((groups) => groups.flat()),
    };
  })
  .lines.map((lines) => `${lines.join('\n')}\n`);

/** Documents of the repository with an edit. */
const edited = fc
  .tuple(
    fc.nat(),
    fc.nat(),
    fc.nat(8),
    fc.oneof(fc.constantFrom('', ' ', '\n', ': ', '- ', ' #', '"', "'", ','), value),
  )
  .map(([which, at, removed, inserted]) => {
    const text = (DOCUMENTS[which % DOCUMENTS.length] ?? '').slice(0, 3000);
    const place = at % (text.length + 1);
    return text.slice(0, place) + inserted + text.slice(place + removed);
  });

function indent(lines: string[], by: string): string[] {
  return lines.map((one) => by + one);
}

function nested(name: string, below: string[], by: string): string[] {
  return [`${name}:`, ...indent(below, by)];
}

function joined(lines: (readonly [number, string])[]): string {
  return lines.map(([indent, text]) => `${' '.repeat(indent)}${text}\n`).join('');
}

test.each(Object.entries({ wild, tame, edited }))(
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
