import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { DELETE_LIST_FILE } from '../manifest/kubernetes/delete-list';
import { isWrittenBySynth } from '../manifest/kubernetes/synth-header';
import { tolerate } from './fs-error';
import { isOutputPath } from './output-inventory';

/**
 * Finds the manifests and lists in the folders of clusters that `synth` wrote and its inventory does not list: git has
 * restored the inventory after a run whose new files stayed. Left there, they would start replicas that no lock has.
 */
export function findUnlistedOutput(folder: string, listed: readonly string[]): string[] {
  const known = new Set(listed);
  const clusters = entriesOf(folder).filter((entry) => entry.isDirectory());
  return clusters.flatMap(({ name: cluster }) =>
    entriesOf(join(folder, cluster)).flatMap((entry) => {
      const path = `${cluster}/${entry.name}`;
      const mayBeOurs = entry.name.endsWith('.yaml') || entry.name === DELETE_LIST_FILE;
      if (!mayBeOurs || !entry.isFile() || known.has(path) || !isOutputPath(path)) return [];
      return isWrittenBySynth(readStart(join(folder, path))) ? [path] : [];
    }),
  );
}

function entriesOf(folder: string) {
  return tolerate(UNREADABLE, [], () => readdirSync(folder, { withFileTypes: true }));
}

const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'] as const;

/** Enough for the longest header: two names of 253 characters, and a path. */
const START_BYTES = 1024;

/** The first bytes of a file as text. Empty where it cannot be read. */
function readStart(path: string): string {
  return tolerate(UNREADABLE, '', () => {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(START_BYTES);
      return bytes.toString('utf8', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  });
}
