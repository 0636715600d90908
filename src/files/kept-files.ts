import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { mergeNamespaceFiles } from '../manifest/kubernetes/merge-namespaces';
import {
  cacheFileNameOf,
  deploymentFileNameOf,
  GATEWAYS_FILE,
  NAMESPACES_FILE,
} from '../manifest/kubernetes/object-names';
import { ROUTING_FILE } from '../routing/routing-document';

/** What cannot be rendered, because its declaration has errors. The files of an earlier run stay in its place. */
export interface KeptManifests {
  /** The deployments with replicas on each cluster. */
  readonly deployments: readonly { readonly cluster: string; readonly namespace: string; readonly name: string }[];
  readonly caches: readonly { readonly namespace: string; readonly name: string }[];

  /** Whether the routes of all services stay, because it is not known which of them lead to what is kept. */
  readonly routing: boolean;
}

interface EarlierOutput {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly read: (path: string) => string | undefined;
}

/** Whether a path in the output folder is of a file that depends on the routes of services. */
function isRoutingFile(path: string): boolean {
  const file = path.split('/').at(-1) ?? '';
  return path === ROUTING_FILE || file === GATEWAYS_FILE || file.startsWith('zz_routes.');
}

/** The files of a run without those for which the earlier ones stay. */
export function dropReplaced(files: ReadonlyMap<string, string>, kept: KeptManifests): ReadonlyMap<string, string> {
  return kept.routing ? new Map([...files].filter(([path]) => !isRoutingFile(path))) : files;
}

/**
 * Finds the earlier files that stay, and the namespaces that they need.
 *
 * @throws FleetwrightError when the folder lacks a file that must stay
 */
export function collectKeptFiles(
  files: ReadonlyMap<string, string>,
  kept: KeptManifests,
  earlier: EarlierOutput,
): ReadonlyMap<string, string> {
  refuseMissingFiles(kept, earlier);
  const stays = keptPathTest(kept);
  const found = new Map<string, string>();
  for (const path of earlier.paths) {
    const text = !files.has(path) && stays(path) ? earlier.read(path) : undefined;
    if (text !== undefined) found.set(path, text);
  }
  const clusters = new Set([...found.keys()].flatMap((path) => (path.includes('/') ? [clusterOf(path)] : [])));
  for (const cluster of clusters) {
    const path = `${cluster}/${NAMESPACES_FILE}`;
    const before = earlier.paths.includes(path) ? earlier.read(path) : undefined;
    const namespaces = kept.deployments.filter((one) => one.cluster === cluster).map(({ namespace }) => namespace);
    if (before !== undefined) found.set(path, mergeNamespaceFiles(files.get(path), before, new Set(namespaces)));
  }
  return found;
}

function clusterOf(path: string): string {
  return path.split('/')[0] ?? '';
}

/** Tests whether the earlier file of a path stays, unless this run writes one. */
function keptPathTest({ deployments, caches, routing }: KeptManifests): (path: string) => boolean {
  const paths = new Set(deployments.map((one) => `${one.cluster}/${deploymentFileNameOf(one)}`));
  const cacheFiles = new Set(caches.map(cacheFileNameOf));
  // A deployment mounts caches of its namespace. Which ones is not known.
  const prefixes = deployments.map(({ cluster, namespace }) => `${cluster}/01_cache.${namespace}.`);
  return (path) =>
    paths.has(path) ||
    cacheFiles.has(path.split('/').at(-1) ?? '') ||
    prefixes.some((prefix) => path.startsWith(prefix)) ||
    (routing && isRoutingFile(path));
}

function refuseMissingFiles({ deployments, routing }: KeptManifests, { folder, paths }: EarlierOutput): void {
  const problems = deployments.flatMap((one): Diagnostic[] => {
    const path = `${one.cluster}/${deploymentFileNameOf(one)}`;
    if (paths.includes(path)) return [];
    const what = `ModelDeployment ${one.namespace}/${one.name} has errors, and its earlier manifest ${path} does not exist`;
    return [errorAt('no-files-to-keep', folder, what, KEEP_HINT)];
  });
  if (problems.length === 0 && routing && paths.length === 0) {
    const what = 'the routes of resources with errors cannot be rendered, and earlier routes do not exist';
    problems.push(errorAt('no-files-to-keep', folder, what, KEEP_HINT));
  }
  if (problems.length > 0) throw new FleetwrightError(problems);
}

const KEEP_HINT = 'Correct the declarations, or use the folder with the manifests of the last run';
