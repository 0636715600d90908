import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARNING_CODES } from '../../../src/plan/warnings/warning-codes';

/** Where warnings come from. */
const SOURCES = [
  'src/scheduler/lint',
  'src/engine/checks',
  'src/plan/warnings',
  'src/plan/policy',
  'src/provision',
  'src/routing/checks',
];

/** Codes of errors, and of a warning about silences themselves. */
const OTHERS = new Set([
  'bad-path',
  'bad-silence',
  'duplicate-host',
  'external-endpoint',
  'insecure-gateway',
  'model-not-served',
  'no-adapters',
  'selects-nothing',
  'too-many-members',
  'too-many-rules',
]);

function codesIn(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(/\bcode: '([a-z-]+)'/g)].map(([, code]) => code!));
}

test('every warning can be silenced by its code, and every code is of a warning', () => {
  const found = new Set(SOURCES.flatMap(codesIn).filter((code) => !OTHERS.has(code)));
  expect([...found].sort()).toEqual(Object.keys(WARNING_CODES).sort());
});
