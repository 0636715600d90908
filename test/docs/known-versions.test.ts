import { readFileSync } from 'node:fs';
import { NEWEST_LOGGED } from '../../src/catalog/engine-overheads';
import { ENGINE_PROFILES } from '../../src/catalog/engines/profiles';
import { engineOf, RUNS } from '../sizing/truth';

const PROFILES = Object.values(ENGINE_PROFILES).filter(({ flagsOf, memory }) => flagsOf ?? memory);

test.each(PROFILES.map((one) => [one.title, one] as const))(
  'docs/engines.md states the known versions of %s',
  (title, { flagsOf = 'none', memory }) => {
    const newest = NEWEST_LOGGED[memory?.engine ?? ''];
    const runs = newest === undefined ? 'no logged run' : `logged runs up to ${newest}`;
    expect(readFileSync('docs/engines.md', 'utf8')).toContain(`\n| \`${title}\` | ${flagsOf} | ${runs}`);
  },
);

test('the newest version with a logged run is that of the runs, and docs/sizing.md states it', () => {
  const versions = RUNS.map(engineOf).map(({ version }) => version);
  const [major, minor] = versions.reduce((a, b) => (b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? b : a));
  expect(NEWEST_LOGGED).toEqual({ vllm: `${major}.${minor}` });
  expect(readFileSync('docs/sizing.md', 'utf8')).toContain(`For a version after ${major}.${minor}, the newest`);
});
