import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the sources of the layer import of providers. */
function imported(): string[] {
  const texts = readdirSync('stacks').map((file) => readFileSync(join('stacks', file), 'utf8'));
  const from = /^import (?!type).* from '(@pulumi\/(?:kubernetes|aws|gcp)[^']*)'/gm;
  return texts.flatMap((text) => [...text.matchAll(from)].map(([, name]) => name!)).toSorted();
}

/** What every class of a provider needs. */
const COMMON: ReadonlySet<string> = new Set([
  'kubernetes/path',
  'kubernetes/types/enums/index',
  'kubernetes/types/input',
  'kubernetes/utilities',
]);

/** The files of providers that are loaded for that, in a process of its own. */
function loaded(): string[] {
  const script = `${JSON.stringify(imported())}.forEach(require); console.log(Object.keys(require.cache).join('\\n'))`;
  const files = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).split('\n');
  return files
    .flatMap((file) => /@pulumi\/((?:kubernetes|aws|gcp)\/.*)\.js$/.exec(file)?.[1] ?? [])
    .toSorted();
}

test('fleetwright/stacks loads the classes of providers that it uses, and what those need', () => {
  const own = imported().map((name) => name.replace('@pulumi/', ''));
  expect(loaded().filter((file) => !own.includes(file) && !COMMON.has(file))).toEqual([]);
  expect(loaded()).toEqual(expect.arrayContaining(own));
}, 60_000);
