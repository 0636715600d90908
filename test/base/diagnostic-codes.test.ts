import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosticsPage } from '../../scripts/diagnostics-page';
import { DIAGNOSTIC_AREAS, DIAGNOSTIC_CODES, SILENCEABLE } from '../../src/base/diagnostic-codes';

/** Where warnings come from. */
const SOURCES = ['src/scheduler/lint', 'src/engine/checks', 'src/plan', 'src/provision', 'src/routing/lints'];

/** Folders with other things besides, whose warnings are in files of that name. */
const MIXED = new Set(['src/plan', 'src/routing/lints']);

/** Codes of what is no warning, or of a warning about silences themselves. */
const OTHERS = new Set(['bad-silence']);

function codesIn(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const warning = MIXED.has(folder) ? /warnings?\.ts$/ : /./;
  const texts = files
    .filter((file) => warning.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const given = /(?:\bcode: |\b(?:errorAt|warningAt|found)\)?\(\s*)'([a-z-]+)'/g;
  return texts.flatMap((text) => [...text.matchAll(given)].map(([, code]) => code!));
}

test('every warning can be silenced by its code, and every code is of a warning', () => {
  const found = new Set(SOURCES.flatMap(codesIn).filter((code) => !OTHERS.has(code)));
  expect([...found].sort()).toEqual(Object.keys(SILENCEABLE).sort());
});

test('files of warnings report no error', () => {
  const files = [...MIXED].flatMap((folder) =>
    readdirSync(folder)
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith('warnings.ts')),
  );
  const wrong = [...files, 'src/engine/checks/devices.ts', 'src/plan/warnings/collect-warnings.ts'].filter(
    (file) => readFileSync(file, 'utf8').includes('errorAt'),
  );
  expect(wrong).toEqual([]);
});

test('every code is reported somewhere', () => {
  const texts = ['src', 'constructs', 'stacks'].flatMap((layer) =>
    readdirSync(layer, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('diagnostic-codes.ts'))
      .map((file) => readFileSync(join(layer, file), 'utf8')),
  );
  const quoted = new Set(texts.flatMap((text) => text.match(/'[a-z0-9-]+'/g) ?? []));
  expect(Object.keys(DIAGNOSTIC_CODES).filter((code) => !quoted.has(`'${code}'`))).toEqual([]);
});

test('every code is in one area, with one line of meaning', () => {
  const listed = DIAGNOSTIC_AREAS.flatMap(({ codes }) => Object.keys(codes));
  expect(listed.sort()).toEqual(Object.keys(DIAGNOSTIC_CODES).sort());
  const odd = Object.values(DIAGNOSTIC_CODES).filter(
    (meaning) => !/^[A-Z][^\n.]*(\.\w+[^\n.]*)*$/.test(meaning),
  );
  expect(odd).toEqual([]);
});

test('docs/diagnostics.md is what the codes say; `npm run generate` writes a change of them', () => {
  expect(readFileSync('docs/diagnostics.md', 'utf8')).toBe(diagnosticsPage());
});
