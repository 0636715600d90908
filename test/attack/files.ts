import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The bytes of a file as `latin1`, in which each character is a byte; or a symbolic link. */
export type Content = string | { readonly link: string };

/** Files by path, with forward slashes. */
export type Files = Readonly<Record<string, Content>>;

/** A text as the bytes of UTF-8. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function textOf(bytes: Content): string {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes.link;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const at = join(folder, path);
    mkdirSync(dirname(at), { recursive: true });
    if (typeof content === 'string') writeFileSync(at, content, 'latin1');
    else symlinkSync(content.link, at);
  }
}

/** Every file below a folder. Links are not followed; empty folders are left out. */
export function readFiles(folder: string, keep: (path: string) => boolean = () => true, path = ''): Files {
  const found: Record<string, Content> = {};
  for (const name of readdirSync(join(folder, path)).sort()) {
    const inner = path === '' ? name : `${path}/${name}`;
    const stat = lstatSync(join(folder, inner));
    if (!keep(inner)) continue;
    if (stat.isDirectory()) Object.assign(found, readFiles(folder, keep, inner));
    else if (stat.isSymbolicLink()) found[inner] = { link: readlinkSync(join(folder, inner)) };
    else if (stat.isFile()) found[inner] = readFileSync(join(folder, inner), 'latin1');
  }
  return found;
}

/** The files with the name of their folder before theirs. */
export function below(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
}

/** The paths that two states of a folder do not have alike. */
export function changedPaths(before: Files, after: Files): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => JSON.stringify(before[path]) !== JSON.stringify(after[path])).sort();
}
