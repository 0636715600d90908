import { join } from 'node:path';
import { run, type RunOptions } from './engine.cjs';

const root = process.cwd();

/** How a program is run from sources: a preview without configuration, where nothing else is said. */
export const FROM_SOURCES = {
  root,
  project: 'fleetwright',
  require: join(root, 'scripts/typescript-hook.cjs'),
  config: {},
  preview: true,
};

/** Runs the program of Pulumi.yaml on the small engine. */
export function runMain(options: Partial<RunOptions>): ReturnType<typeof run> {
  return run({ ...FROM_SOURCES, program: join(root, 'stacks/main.ts'), ...options });
}
