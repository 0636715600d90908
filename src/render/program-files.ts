import { isDeepEqual } from '../base/deep-equal';
import { isMap } from '../base/json';
import { identityOf, type Json, type Manifest } from '../manifest/kubernetes/manifest';
import type { ProgramChart } from '../manifest/program-charts';
import type { ManifestFile } from './fleet';

/** The file, in the folder of a cluster, of objects that a program adds to its chart. */
const ADDED_FILE = 'program.yaml';

/**
 * The files of a fleet whose program goes on after `place()`: with the objects as the charts have them at its end.
 * Objects that the program adds are in a file of their own, and each chart of its own is a folder.
 */
export function withProgramCharts(rendered: Iterable<ManifestFile>, charts: readonly ProgramChart[]): ManifestFile[] {
  const files = [...rendered];
  const changed = files.flatMap((file) => {
    const chart = charts.find(({ isCluster, name }) => isCluster && name === file.folder);
    const manifests = chart ? currentManifests(file.manifests, chart) : [];
    return manifests.length > 0 ? [{ ...file, manifests }] : [];
  });
  const known = new Set(files.flatMap(({ folder, manifests }) => manifests.map((one) => keyOf(folder, one))));
  const added = charts.flatMap(({ name, isCluster, objects }) => {
    const manifests = objects.filter((one) => !isCluster || !known.has(keyOf(name, one)));
    const file = isCluster ? ADDED_FILE : `${name}.yaml`;
    return manifests.length > 0 ? [{ folder: name, file, source: 'the program', isCluster, manifests }] : [];
  });
  return [...changed, ...added];
}

function keyOf(folder: string, manifest: Manifest): string {
  return `${folder}\0${identityOf(manifest)}`;
}

/** The objects of a file as a chart has them. Objects that the program removed are missing. */
function currentManifests(manifests: readonly Manifest[], { objects }: ProgramChart): Manifest[] {
  const byIdentity = new Map(objects.map((one) => [identityOf(one), one]));
  return manifests.flatMap((before) => {
    const after = byIdentity.get(identityOf(before));
    if (!after) return [];
    // cdk8s sorts the keys of objects.
    return [isDeepEqual(before, after) ? before : inOrderOf(before, after)];
  });
}

/** A value with its keys in the order of an earlier one. */
function inOrderOf<T extends Json>(before: Json | undefined, after: T): T;
function inOrderOf(before: Json | undefined, after: Json): Json {
  if (isList(after)) return after.map((item, index) => inOrderOf(isList(before) ? before[index] : undefined, item));
  if (!isMap(after)) return after;
  const earlier = isMap(before) ? before : {};
  const keys = [...Object.keys(earlier).filter((key) => Object.hasOwn(after, key)), ...Object.keys(after)];
  return Object.fromEntries(
    [...new Set(keys)].map((key) => [key, inOrderOf(earlier[key] as Json, after[key] as Json)]),
  );
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
