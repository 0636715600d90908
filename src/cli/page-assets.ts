import { dirname, join } from 'node:path';
import { readTextFile } from '../files/read-file';
import type { PageAssets } from '../report/map/map-page';

/** Reads the script and the style of the map page, which the package build writes to the dist folder. */
export function readPageAssets(): PageAssets {
  const folder = join(dirname(require.resolve('fleetwright/package.json')), 'dist/page');
  return { script: readTextFile(join(folder, 'page.js')), style: readTextFile(join(folder, 'page.css')) };
}
