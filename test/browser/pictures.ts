import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The comment of the change that the pictures show. */
export const COMMENT = join(__dirname, '../../examples/pull-request/comment.md');

/** The pictures of the docs, and the files that each shows in addition to the map. */
const SHOWN = { map: [], change: [COMMENT] } as const;

export type PictureName = keyof typeof SHOWN;

export const PICTURE_NAMES = Object.keys(SHOWN) as PictureName[];

/** The digests of what the pictures showed when they were written. */
const DIGESTS = join(__dirname, 'picture-digests.json');

export function readDigests(): Partial<Record<PictureName, string>> {
  return JSON.parse(readFileSync(DIGESTS, 'utf8')) as Partial<Record<PictureName, string>>;
}

/** Computes a digest of what a picture shows: the page of the map, and the comment. */
export function digestOf(name: PictureName, map: string): string {
  const hash = createHash('sha256');
  for (const path of [map, ...SHOWN[name]]) hash.update(readFileSync(path));
  return hash.digest('hex');
}

/** Records what a picture shows, next to the digests of the others. */
export function recordDigest(name: PictureName, map: string): void {
  const digests = { ...readDigests(), [name]: digestOf(name, map) };
  const sorted = Object.fromEntries(Object.entries(digests).sort());
  writeFileSync(DIGESTS, `${JSON.stringify(sorted, null, 2)}\n`);
}
