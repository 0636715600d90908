import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { FleetSettings } from '../api/fleet-settings';
import type { Locate, Resource } from '../api/kinds';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { DiagnosticCode } from '../base/diagnostic-codes';
import { sortedBy } from '../base/order';
import type { HardwareFiles } from '../fleet/hardware/read-hardware';
import { loadManifests } from '../manifest/load-manifests';
import type { SourceFile } from '../manifest/source-file';
import { errorCodeOf, wrapFsErrors } from './fs-error';
import { MODEL_DEFINITION_PATH, type ReferencedDefinition } from './model-definitions';
import { readTextFile } from './read-file';

/** Files that resources name, and that are no manifests. */
export interface ReferencedFiles extends HardwareFiles {
  readonly snapshots: readonly SourceFile[];
  readonly policies?: SourceFile | undefined;
  readonly definitions: readonly ReferencedDefinition[];
  /** Names of no file. */
  readonly missing: readonly Diagnostic[];
}

/** What was read, told apart. */
export interface SeparatedFiles extends ReferencedFiles {
  readonly manifests: readonly SourceFile[];
}

type FileRole = 'snapshots' | 'catalogue' | 'prices' | 'policies' | 'definitions';

/** What to tell where a field names no file. */
const MISSING_FILE_HINTS: Readonly<
  Record<FileRole, { readonly code: DiagnosticCode; readonly hint: string }>
> = {
  snapshots: {
    code: 'no-snapshot',
    hint: "Record one with 'kubectl get nodes,pods,resourceslices -A -o yaml > CLUSTER.yaml', or remove the line",
  },
  catalogue: { code: 'no-file', hint: 'Correct the path, or remove the line' },
  prices: { code: 'no-file', hint: 'Correct the path, or remove the line' },
  policies: { code: 'no-file', hint: 'Correct the path, or remove the line' },
  definitions: { code: 'no-file', hint: 'Correct the path, or remove the line' },
};

const FILE_ROLES = Object.keys(MISSING_FILE_HINTS) as FileRole[];

/** The words without which a text names no file. */
const REFERENCE_FIELDS = ['snapshots', 'catalogue', 'prices', 'policies', 'modelDefinition'];

/** Tells manifests from the files that one of them names, be these among the files read or elsewhere. */
export function separateReferencedFiles(files: readonly SourceFile[]): SeparatedFiles {
  // Only a file that says one of the words can name others: the rest need not be parsed twice.
  const likely = files.filter(({ text }) => REFERENCE_FIELDS.some((word) => text.includes(word)));
  if (likely.length === 0) return { manifests: files, snapshots: [], definitions: [], missing: [] };
  const { resources, locate } = loadManifests(likely);
  const named = readReferences(resources, locate, folderOfPosition);
  const found = new Set(named.paths.map(toRealPath));
  const manifests = found.size > 0 ? files.filter(({ path }) => !found.has(toRealPath(path))) : files;
  return { manifests, ...named.files };
}

/**
 * The files that a program names.
 *
 * @param folder where relative paths start
 */
export function readProgramReferences(
  resources: readonly Resource[],
  locate: Locate,
  folder: string,
): ReferencedFiles {
  return readReferences(resources, locate, () => folder).files;
}

interface FoundFiles {
  readonly files: ReferencedFiles;
  readonly paths: readonly string[];
}

function readReferences(
  resources: readonly Resource[],
  locate: Locate,
  folderOf: (where: string) => string,
): FoundFiles {
  const missing: Diagnostic[] = [];
  const definitions: ReferencedDefinition[] = [];
  const paths: Record<FileRole, Map<string, string>> = {
    snapshots: new Map(),
    catalogue: new Map(),
    prices: new Map(),
    policies: new Map(),
    definitions: new Map(),
  };
  for (const resource of resources) {
    for (const { role, name, path } of referencesIn(resource)) {
      const where = locate(resource, path);
      const found = globFiles(isAbsolute(name) ? name : join(folderOf(where), name));
      for (const one of found) paths[role].set(realpathSync(one), one);
      const { code, hint } = MISSING_FILE_HINTS[role];
      if (found.length === 0) missing.push(errorAt(code, where, `no file matches '${name}'`, hint));
      if (role === 'definitions') definitions.push(...readFiles(found).map((file) => ({ where, file })));
    }
  }
  const [catalogue] = readFiles(paths.catalogue.values());
  const [prices] = readFiles(paths.prices.values());
  const [policies] = readFiles(paths.policies.values());
  return {
    files: {
      snapshots: readFiles(paths.snapshots.values()),
      catalogue,
      prices,
      policies,
      definitions,
      missing,
    },
    paths: FILE_ROLES.flatMap((role) => [...paths[role].values()]),
  };
}

interface FileReference {
  readonly role: FileRole;
  readonly name: string;
  readonly path: Path;
}

function referencesIn(resource: Resource): FileReference[] {
  if (resource.kind === 'Fleet') return referencesInFleet(resource);
  if (resource.kind !== 'ModelDeployment') return [];
  const name = resource.spec.template.spec.modelDefinition;
  return name === undefined ? [] : [{ role: 'definitions', name, path: MODEL_DEFINITION_PATH }];
}

function referencesInFleet({ spec }: FleetSettings): FileReference[] {
  return [
    ...spec.snapshots.map(
      (name, index): FileReference => ({ role: 'snapshots', name, path: ['spec', 'snapshots', index] }),
    ),
    ...(['catalogue', 'prices', 'policies'] as const).flatMap((role): FileReference[] => {
      const name = spec[role];
      return name === undefined ? [] : [{ role, name, path: ['spec', role] }];
    }),
  ];
}

function readFiles(paths: Iterable<string>): SourceFile[] {
  return [...paths].map((path) => ({ path, text: readTextFile(path) }));
}

/** A place starts with the path of its file. */
function folderOfPosition(where: string): string {
  return dirname(where.replace(/:\d+:\d+$/, ''));
}

function toRealPath(path: string): string {
  return path === '-' ? path : realpathSync(path);
}

/**
 * The files that a path names, sorted. `*` in its last part stands for any text, but not for a dot at the start.
 *
 * @throws FleetwrightError if the folder cannot be read
 */
export function globFiles(path: string): string[] {
  const [folder, name] = [dirname(path), basename(path)];
  const names = name.includes('*') ? listFolder(folder).filter((one) => matchesPattern(one, name)) : [name];
  return sortedBy(names, (one) => one)
    .map((one) => join(folder, one))
    .filter(isNoFolder);
}

function listFolder(folder: string): string[] {
  return wrapFsErrors('unreadable', folder, () => {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT') return [];
      throw error;
    }
  });
}

/** Without a regular expression: a row of stars would make one slow. */
function matchesPattern(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** What is there and no folder: whoever reads it tells whether it can be read. */
function isNoFolder(path: string): boolean {
  return wrapFsErrors('unreadable', path, () => {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  });
}
