import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARNING_CODES } from '../../src/plan/warning-codes';

/** Where warnings come from. */
const SOURCES = ['src/lint', 'src/engine/checks', 'src/plan', 'src/provision', 'src/routing/lints'];

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
  return texts.flatMap((text) => [...text.matchAll(/\bcode: '([a-z-]+)'/g)].map(([, code]) => code!));
}

test('every warning can be silenced by its code, and every code is of a warning', () => {
  const found = new Set(SOURCES.flatMap(codesIn).filter((code) => !OTHERS.has(code)));
  expect([...found].sort()).toEqual(Object.keys(WARNING_CODES).sort());
});
