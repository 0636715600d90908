import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { say, seconds } from './say';
import { atEnd } from './shutdown';

/** What is built once and kept. */
export interface Build {
  /** The first word of its folder's name. */
  readonly name: string;
  /** What is built, in words. */
  readonly what: string;
  /** The folder that keeps it, which the caller has claimed. */
  readonly cache: string;
  /** The folder of the Go module that it is made from. */
  readonly module: string;
  /** What else it depends on: versions, flags, texts. */
  readonly inputs: readonly string[];
  /** Puts everything into a folder. */
  readonly into: (folder: string) => Promise<void>;
}

/** The folder with what is built, if all of its inputs are as they were. */
export function keptBuild(build: Build): string | undefined {
  const folder = folderOf(build);
  return existsSync(folder) ? folder : undefined;
}

/** The folder with what is built: kept from before, or built now where any of its inputs has changed. */
export async function built(build: Build): Promise<string> {
  const kept = keptBuild(build);
  if (kept !== undefined) return kept;
  const folder = folderOf(build);
  say(`building ${build.what}; the first time takes several minutes`);
  const start = Date.now();
  const unfinished = freshFolder(build.cache);
  await build.into(unfinished);
  // In one step, so that the cache never holds half of it.
  renameSync(unfinished, folder);
  removeOthers(build, folder);
  say(`built in ${seconds(Date.now() - start)}`);
  return folder;
}

function folderOf(build: Build): string {
  return join(build.cache, `${build.name}-${keyOf(build)}`);
}

/** Hexadecimal digits over everything that it is made from. */
function keyOf({ module, inputs }: Build): string {
  const hash = createHash('sha256').update(inputs.join(' '));
  const files = readdirSync(module, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(go|mod|sum)$/.test(file),
  );
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(module, file)));
  return hash.digest('hex').slice(0, 12);
}

function freshFolder(cache: string): string {
  const folder = join(cache, 'unfinished');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function removeOthers({ cache, name }: Build, kept: string): void {
  for (const entry of readdirSync(cache)) {
    const folder = join(cache, entry);
    if (entry.startsWith(`${name}-`) && folder !== kept) rmSync(folder, { recursive: true, force: true });
  }
}
