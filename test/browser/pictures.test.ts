import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAPS } from './maps';
import { digestOf, PICTURE_NAMES, readDigests } from './pictures';

test('docs/map.png and docs/change.png show what is; `WRITE_PICTURES=1 npm run test:browser -- change` draws them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-pictures-'));
  try {
    const map = MAPS.compared(folder);
    expect(readDigests()).toEqual(Object.fromEntries(PICTURE_NAMES.map((name) => [name, digestOf(name, map)])));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
