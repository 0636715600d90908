import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosticsPage } from '../../scripts/diagnostics-page';
import { DIAGNOSTIC_AREAS, SILENCEABLE } from '../../src/base/diagnostic-codes';

/** Every code with its meaning. */
const CODES = Object.values(DIAGNOSTIC_AREAS).flatMap((codes) => Object.entries(codes));

/** Where warnings come from. */
const SOURCES = [
  'src/scheduler/lint',
  'src/engine/checks',
  'src/plan/policy',
  'src/plan/warnings',
  'src/provision',
  'src/routing/checks',
  'src/routing',
];

/** Folders whose errors stay errors; those of the others are warnings for manifests of the peer, or where data is old. */
const MIXED = new Set(['src/plan/policy', 'src/plan/warnings', 'src/routing', 'src/routing/checks']);

/** Warnings that no annotation silences, about silences themselves and of policies, and errors. */
const OTHERS = new Set(['bad-silence', 'no-adapters', 'no-metric', 'warned']);

/** Warnings about memory, which are errors where there is no doubt, and about load: their codes are in tables. */
const OF_SIZE = [
  'cache-too-small',
  'high-load',
  'large-weights',
  'long-context',
  'undivided-blocks',
  'undivided-heads',
];

function codesIn(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const given = MIXED.has(folder)
    ? /\b(?:warningAt|found)\)?\(\s*'([a-z-]+)'/g
    : /(?:\bcode: |\b(?:errorAt|warningAt|found)\)?\(\s*)'([a-z-]+)'/g;
  return texts.flatMap((text) => [...text.matchAll(given)].map(([, code]) => code!));
}

test('every warning can be silenced by its code, and every code is of a warning', () => {
  const found = new Set([...SOURCES.flatMap(codesIn).filter((code) => !OTHERS.has(code)), ...OF_SIZE]);
  expect([...found].sort()).toEqual(Object.keys(SILENCEABLE).sort());
});

test('files of warnings report no error', () => {
  const files = readdirSync('src/plan/warnings').map((file) => join('src/plan/warnings', file));
  const wrong = files.filter((file) => readFileSync(file, 'utf8').includes('errorAt'));
  expect(wrong).toEqual([]);
});

test('every code is reported somewhere', () => {
  const texts = ['src', 'constructs', 'stacks'].flatMap((layer) =>
    readdirSync(layer, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('diagnostic-codes.ts'))
      .map((file) => readFileSync(join(layer, file), 'utf8')),
  );
  const quoted = new Set(texts.flatMap((text) => text.match(/'[a-z0-9-]+'/g) ?? []));
  expect(CODES.filter(([code]) => !quoted.has(`'${code}'`))).toEqual([]);
});

test('every code is in one area, with one line of meaning', () => {
  expect(new Set(CODES.map(([code]) => code)).size).toBe(CODES.length);
  const odd = CODES.filter(([, meaning]) => !/^[A-Z][^\n.]*(\.\w+[^\n.]*)*$/.test(meaning));
  expect(odd).toEqual([]);
});

test('docs/diagnostics.md is what the codes say; `npm run generate` writes a change of them', () => {
  expect(readFileSync('docs/diagnostics.md', 'utf8')).toBe(diagnosticsPage());
});
