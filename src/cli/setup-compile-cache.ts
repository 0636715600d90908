import * as nodeModule from 'node:module';
import { join } from 'node:path';

const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
const { XDG_CACHE_HOME, HOME } = process.env;
const folder = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));

/*
 * Keeps the compiled code of the command between runs, where this release of Node can: from 22.8 on. Import it before
 * all other modules. The folder is one that no other user writes, unlike the default of Node below the folder for
 * temporary files: Node runs what it finds there. `NODE_DISABLE_COMPILE_CACHE=1` turns it off.
 */
if (folder) enableCompileCache?.(join(folder, 'fleetwright'));
