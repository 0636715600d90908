import type * as Yaml from 'yaml';

let library: typeof Yaml | undefined;

/** The YAML library, loaded on first use: most fleets are read without it, and it takes as long to load as all commands. */
export function yaml(): typeof Yaml {
  return (library ??= require('yaml') as typeof Yaml);
}
