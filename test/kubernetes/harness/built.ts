import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { say, seconds } from './say';
import { atEnd } from './shutdown';

/** What is built once and kept. */
export interface Build {
  /** The first word of its folder's name. */
  readonly name: string;
  /** What is built, in words. */
  readonly what: string;
  /** The folder that keeps it. Other runs may use it at the same time. */
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
  if (kept !== undefined) {
    noteUse(kept);
    return kept;
  }
  const folder = folderOf(build);
  say(`building ${build.what}; the first time takes several minutes`);
  const start = Date.now();
  const unfinished = freshFolder(build.cache);
  await build.into(unfinished);
  keep(unfinished, folder);
  removeUnused(build.cache);
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
  const folder = join(cache, `unfinished-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Moves a folder in one step, so that the cache never holds half of it, unless another run was faster. */
function keep(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** How long a build is kept that no run uses, in milliseconds: other checkouts may need another version. */
const UNUSED = 30 * 24 * 60 * 60 * 1000;

function noteUse(folder: string): void {
  utimesSync(folder, new Date(), new Date());
}

function removeUnused(cache: string): void {
  for (const entry of readdirSync(cache)) {
    const folder = join(cache, entry);
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat?.isDirectory() && Date.now() - stat.mtimeMs > UNUSED) rmSync(folder, { recursive: true, force: true });
  }
}
