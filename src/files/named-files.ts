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
import { DEFINITION, type NamedDefinition } from './model-definitions';
import { readTextFile } from './read-file';

/** Files that resources name, and that are no manifests. */
export interface NamedFiles extends HardwareFiles {
  readonly snapshots: readonly SourceFile[];
  readonly policies?: SourceFile | undefined;
  readonly definitions: readonly NamedDefinition[];
  /** Names of no file. */
  readonly missing: readonly Problem[];
}

/** What was read, told apart. */
export interface Separated extends NamedFiles {
  readonly manifests: readonly SourceFile[];
}

type Role = 'snapshots' | 'catalogue' | 'prices' | 'policies' | 'definitions';

/** What to tell where a field names no file. */
const HINTS: Readonly<Record<Role, { readonly code: string; readonly hint: string }>> = {
  snapshots: {
    code: 'no-snapshot',
    hint: "Record one with 'kubectl get nodes,pods,resourceslices -A -o yaml > CLUSTER.yaml', or remove the line",
  },
  catalogue: { code: 'no-file', hint: 'Correct the path, or remove the line' },
  prices: { code: 'no-file', hint: 'Correct the path, or remove the line' },
  policies: { code: 'no-file', hint: 'Correct the path, or remove the line' },
  definitions: { code: 'no-file', hint: 'Correct the path, or remove the line' },
};

const ROLES = Object.keys(HINTS) as Role[];

/** The words without which a text names no file. */
const WORDS = ['snapshots', 'catalogue', 'prices', 'policies', 'modelDefinition'];

/** Tells manifests from the files that one of them names, be these among the files read or elsewhere. */
export function separateNamed(files: readonly SourceFile[]): Separated {
  // Only a file that says one of the words can name others: the rest need not be parsed twice.
  const likely = files.filter(({ text }) => WORDS.some((word) => text.includes(word)));
  if (likely.length === 0) return { manifests: files, snapshots: [], definitions: [], missing: [] };
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
  const missing: Problem[] = [];
  const definitions: NamedDefinition[] = [];
  const paths: Record<Role, Map<string, string>> = {
    snapshots: new Map(),
    catalogue: new Map(),
    prices: new Map(),
    policies: new Map(),
    definitions: new Map(),
  };
  for (const resource of resources) {
    for (const { role, name, path } of namesIn(resource)) {
      const where = locate(resource, path);
      const found = filesMatching(isAbsolute(name) ? name : join(folderOf(where), name));
      for (const one of found) paths[role].set(realpathSync(one), one);
      if (found.length === 0) missing.push({ where, what: `no file matches '${name}'`, ...HINTS[role] });
      if (role === 'definitions') definitions.push(...readAll(found).map((file) => ({ where, file })));
    }
  }
  const [catalogue] = readAll(paths.catalogue.values());
  const [prices] = readAll(paths.prices.values());
  const [policies] = readAll(paths.policies.values());
  return {
    files: {
      snapshots: readAll(paths.snapshots.values()),
      catalogue,
      prices,
      policies,
      definitions,
      missing,
    },
    paths: ROLES.flatMap((role) => [...paths[role].values()]),
  };
}

interface Name {
  readonly role: Role;
  readonly name: string;
  readonly path: Path;
}

function namesIn(resource: Resource): Name[] {
  if (resource.kind === 'Fleet') return namesInFleet(resource);
  if (resource.kind !== 'ModelDeployment') return [];
  const name = resource.spec.template.spec.modelDefinition;
  return name === undefined ? [] : [{ role: 'definitions', name, path: DEFINITION }];
}

function namesInFleet({ spec }: FleetSettings): Name[] {
  return [
    ...spec.snapshots.map(
      (name, index): Name => ({ role: 'snapshots', name, path: ['spec', 'snapshots', index] }),
    ),
    ...(['catalogue', 'prices', 'policies'] as const).flatMap((role): Name[] => {
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
