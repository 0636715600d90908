import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '../base/order';
import { DELETE_LIST_FILE, updateDeleteList } from '../manifest/kubernetes/delete-list';
import { wrapFsErrors } from './fs-error';
import { collectKeptFiles, dropReplaced, type KeptManifests } from './kept-files';
import { readTextFile } from './read-file';
import { findUnlistedOutput } from './unlisted-output';
import { type OutputResult, writeOutput } from './write-output';

/** The result of writing the manifests of clusters. */
export interface ClusterOutput extends OutputResult {
  /** The lists of objects to delete, with their paths in the folder. */
  readonly deleteLists: readonly { readonly path: string; readonly objects: number }[];
}

/** What is known of the files that earlier runs wrote. */
export interface EarlierOutput {
  /** What cannot be rendered, whose earlier files stay. Default: nothing. */
  readonly kept?: KeptManifests;

  /** Whether a file has a text, as far as it was read before. Default: none was. */
  readonly isUnchanged?: ((path: string, text: string) => boolean) | undefined;
}

/**
 * Writes the files of clusters to a folder like `writeOutput`, and in the folder of each cluster the list of the
 * objects that earlier runs wrote there and this one does not. A file that starts as `synth` starts its files is one of
 * an earlier run, also where the inventory does not list it: someone has restored the inventory, or lost it.
 *
 */
export function writeClusterFiles(
  folder: string,
  rendered: ReadonlyMap<string, string>,
  { kept = NOTHING_KEPT, isUnchanged = () => false }: EarlierOutput = {},
): ClusterOutput {
  let deleteLists: ClusterOutput['deleteLists'] = [];
  const current = new Set<string>();
  const files = dropReplaced(rendered, kept);
  const addFiles = (old: readonly string[]): ReadonlyMap<string, string> => {
    const read = (path: string): string | undefined => readEarlierFile(join(folder, path));
    const staying = collectKeptFiles(files, kept, { folder, paths: old, read });
    const lists = listDeletions({ folder, old, current, isUnchanged }, new Map([...files, ...staying]));
    deleteLists = lists.map(({ path, objects }) => ({ path, objects }));
    return new Map([...staying, ...lists.map(({ path, text }): [string, string] => [path, text])]);
  };
  const findUnlisted = (listed: readonly string[]): readonly string[] => findUnlistedOutput(folder, listed);
  const result = writeOutput(folder, files, { findUnlisted, addFiles, isCurrent: (path) => current.has(path) });
  return { ...result, deleteLists };
}

const NOTHING_KEPT: KeptManifests = { deployments: [], caches: [], routing: false };

interface PlacedList {
  readonly path: string;
  readonly text: string;
  readonly objects: number;
}

/** The folder before a run. */
interface EarlierFolder {
  readonly folder: string;

  /** The paths that earlier runs wrote. */
  readonly old: readonly string[];

  /** Gets the paths of files that have their new content already: large folders take long to read twice. */
  readonly current: Set<string>;
  readonly isUnchanged: (path: string, text: string) => boolean;
}

function listDeletions(
  { folder, old, current, isUnchanged }: EarlierFolder,
  files: ReadonlyMap<string, string>,
): PlacedList[] {
  const after = groupBy(files.keys(), clusterOf);
  return [...groupBy(old, clusterOf)].flatMap(([cluster, paths]) => {
    if (cluster === '') return [];
    const changed = paths.flatMap((path) => {
      const wanted = files.get(path);
      if (wanted !== undefined && (isUnchanged(path, wanted) || hasContent(join(folder, path), wanted))) {
        current.add(path);
        return [];
      }
      const text = readEarlierFile(join(folder, path));
      return text === undefined || text === wanted ? [] : [text];
    });
    if (changed.length === 0) return [];
    const texts = (after.get(cluster) ?? []).flatMap((path) => files.get(path) ?? []);
    const list = updateDeleteList({ cluster, before: changed, after: texts });
    return list ? [{ path: `${cluster}/${DELETE_LIST_FILE}`, ...list }] : [];
  });
}

/** The cluster that a file belongs to. Empty for other files. */
function clusterOf(path: string): string {
  const [cluster = '', file, ...deeper] = path.split('/');
  const isOfCluster =
    file !== undefined && deeper.length === 0 && (file.endsWith('.yaml') || file === DELETE_LIST_FILE);
  return isOfCluster ? cluster : '';
}

/** Whether a file has exactly the bytes of a text. */
function hasContent(path: string, text: string): boolean {
  return wrapFsErrors('unreadable', path, () => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    const bytes = Buffer.from(text);
    return stat?.isFile() === true && stat.size === bytes.length && readFileSync(path).equals(bytes);
  });
}

/** The text of a file, if nothing else took its place. */
function readEarlierFile(path: string): string | undefined {
  const stat = wrapFsErrors('unreadable', path, () => lstatSync(path, { throwIfNoEntry: false }));
  return stat?.isFile() ? readTextFile(path) : undefined;
}
