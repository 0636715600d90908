import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { FleetSettings } from '../api/fleet';
import type { Resource } from '../api/kinds';
import type { Locate } from '../api/locate';
import type { Path } from '../api/resource';
import type { Problem } from '../errors';
import type { HardwareFiles } from '../hardware/read-hardware';
import { loadManifests } from '../manifest/load';
import type { SourceFile } from '../manifest/source';
import { filesMatching } from './files-matching';
import { readTextFile } from './read-file';

/** Files that a Fleet names, and that are no manifests. */
export interface NamedFiles extends HardwareFiles {
  readonly snapshots: readonly SourceFile[];
  /** Names of no file. */
  readonly problems: readonly Problem[];
}

/** What was read, told apart. */
export interface Separated extends NamedFiles {
  readonly manifests: readonly SourceFile[];
}

type Role = keyof Pick<FleetSettings['spec'], 'snapshots' | 'catalogue' | 'prices'>;

/** What to tell where a field names no file. */
const HINTS: Readonly<Record<Role, { readonly code: string; readonly hint: string }>> = {
  snapshots: {
    code: 'no-snapshot',
    hint: "Record one with 'kubectl get nodes,pods,resourceslices -A -o yaml > CLUSTER.yaml', or remove the line",
  },
  catalogue: { code: 'no-file', hint: 'Correct the path, or remove the line' },
  prices: { code: 'no-file', hint: 'Correct the path, or remove the line' },
};

const ROLES = Object.keys(HINTS) as Role[];

/** Tells manifests from the files that one of them names, be these among the files read or elsewhere. */
export function separateNamed(files: readonly SourceFile[]): Separated {
  // Only a file that says both words can name others: the rest need not be parsed twice.
  const likely = files.filter(
    ({ text }) => text.includes('Fleet') && ROLES.some((role) => text.includes(role)),
  );
  if (likely.length === 0) return { manifests: files, snapshots: [], problems: [] };
  const { resources, locate } = loadManifests(likely);
  const named = namedBy(resources, locate, folderOf);
  const found = new Set(named.paths.map(realPath));
  const manifests = found.size > 0 ? files.filter(({ path }) => !found.has(realPath(path))) : files;
  return { manifests, ...named.files };
}

/**
 * The files that a program names.
 *
 * @param folder where relative paths start
 */
export function namedByProgram(resources: readonly Resource[], locate: Locate, folder: string): NamedFiles {
  return namedBy(resources, locate, () => folder).files;
}

interface Found {
  readonly files: NamedFiles;
  readonly paths: readonly string[];
}

function namedBy(resources: readonly Resource[], locate: Locate, folderOf: (where: string) => string): Found {
  const problems: Problem[] = [];
  const paths: Record<Role, Map<string, string>> = {
    snapshots: new Map(),
    catalogue: new Map(),
    prices: new Map(),
  };
  for (const settings of resources) {
    if (settings.kind !== 'Fleet') continue;
    for (const { role, name, path } of namesIn(settings)) {
      const where = locate(settings, path);
      const found = filesMatching(isAbsolute(name) ? name : join(folderOf(where), name));
      for (const one of found) paths[role].set(realpathSync(one), one);
      if (found.length === 0) problems.push({ where, what: `no file matches '${name}'`, ...HINTS[role] });
    }
  }
  const [catalogue] = readAll(paths.catalogue.values());
  const [prices] = readAll(paths.prices.values());
  return {
    files: { snapshots: readAll(paths.snapshots.values()), catalogue, prices, problems },
    paths: ROLES.flatMap((role) => [...paths[role].values()]),
  };
}

function namesIn({ spec }: FleetSettings): { role: Role; name: string; path: Path }[] {
  return [
    ...spec.snapshots.map((name, index) => ({
      role: 'snapshots' as const,
      name,
      path: ['spec', 'snapshots', index],
    })),
    ...(['catalogue', 'prices'] as const).flatMap((role) => {
      const name = spec[role];
      return name === undefined ? [] : [{ role, name, path: ['spec', role] }];
    }),
  ];
}

function readAll(paths: Iterable<string>): SourceFile[] {
  return [...paths].map((path) => ({ path, text: readTextFile(path) }));
}

/** A place starts with the path of its file. */
function folderOf(where: string): string {
  return dirname(where.replace(/:\d+:\d+$/, ''));
}

function realPath(path: string): string {
  return path === '-' ? path : realpathSync(path);
}
