import * as nodeModule from 'node:module';

/**
 * Keeps the compiled code of the command between runs, where this release of Node can: from 22.8 on. Import it before
 * all other modules. `NODE_DISABLE_COMPILE_CACHE=1` turns it off.
 */
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();
