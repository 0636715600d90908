import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Workspace } from '../../cli/cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const EXAMPLE = 'examples/typed-selectors';

/** The manifests below a folder, by path. */
function manifestsIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  const files = paths.filter((path) => statSync(join(folder, path)).isFile()).sort();
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

test('both doors of examples/typed-selectors yield the same manifests', () => {
  const { code, err } = work.run(`synth ${EXAMPLE}/yaml --ephemeral --out ./out`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(manifestsIn(work.path('out'))).toEqual(manifestsIn(join(EXAMPLE, 'expected')));
});

test('its silences are of warnings that there are', () => {
  const { notes } = JSON.parse(work.run(`plan ${EXAMPLE}/yaml --json`).out) as { notes: string[] };
  expect(notes.filter((note) => note.includes('silences'))).toHaveLength(1);
});
