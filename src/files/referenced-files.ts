import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { FleetSettings } from '../api/fleet-settings';
import { type Locate, type Resource, resourceIdOf } from '../api/kinds';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { sortedBy } from '../base/order';
import type { HardwareFiles } from '../fleet/hardware/read-hardware';
import { loadManifests } from '../manifest/load-manifests';
import type { SourceFile } from '../manifest/source-file';
import { tolerate, wrapFsErrors } from './fs-error';
import { MODEL_DEFINITION_PATH, type ReferencedDefinition } from './model-definitions';
import { describeOutside, isInside } from './inside-folder';
import { readTextFile } from './read-file';

/** Files that resources refer to and that are not manifests. */
export interface ReferencedFiles extends HardwareFiles {
  readonly snapshots: readonly SourceFile[];

  /** Where snapshots are looked for. Absent if the fleet names none. */
  readonly snapshotPatterns?: readonly SnapshotPattern[];

  /** Summaries of the parts of a split fleet. */
  readonly otherParts: readonly SourceFile[];
  readonly models?: SourceFile | undefined;
  readonly policies?: SourceFile | undefined;
  readonly definitions: readonly ReferencedDefinition[];
  /** Problems of references that match no file, except those of summaries. */
  readonly missing: readonly Diagnostic[];

  /** Problems of references to summaries that match no file. */
  readonly missingParts?: readonly Diagnostic[];
}

/** A path of snapshots, as the fleet names it. */
export interface SnapshotPattern {
  /** The position of the field. */
  readonly at: string;
  readonly name: string;

  /** The path that the name means, with `*` in its last part. */
  readonly path: string;
}

type SeparatedFiles = ReferencedFiles & { readonly manifests: readonly SourceFile[] };

const ROLES = ['snapshots', 'otherParts', 'catalogue', 'models', 'prices', 'policies', 'definitions'] as const;

type FileRole = (typeof ROLES)[number];

function mapRoles<T>(create: () => T): Record<FileRole, T> {
  return Object.fromEntries(ROLES.map((role) => [role, create()])) as Record<FileRole, T>;
}

/** The field names of references other than `models`. A text without any of them contains no reference. */
const REFERENCE_FIELDS = ['snapshots', 'otherParts', 'catalogue', 'prices', 'policies', 'modelDefinition'];

/**
 * Separates manifests from the files that they refer to, which can be among the given files or elsewhere.
 *
 * @param within the real path of a folder that the files must be in. Default: they may be anywhere
 */
export function separateReferencedFiles(files: readonly SourceFile[], within?: string): SeparatedFiles {
  // Only files with one of the field names can contain references; the others need not be parsed twice.
  const candidates = files.filter(({ text }) => mayRefer(text));
  if (candidates.length === 0) return { manifests: files, snapshots: [], otherParts: [], definitions: [], missing: [] };
  const { resources, locate } = loadManifests(candidates);
  const named = readReferences(resources, locate, folderOfPosition, within);
  const found = new Set(named.paths.map(toRealPath));
  const manifests = found.size > 0 ? files.filter(({ path }) => !found.has(toRealPath(path))) : files;
  return { manifests, ...named.files };
}

/** Many manifests have the word `models`, but only a Fleet can have the field. */
function mayRefer(text: string): boolean {
  const isOfFleet = text.includes('models') && text.includes('Fleet');
  return isOfFleet || REFERENCE_FIELDS.some((word) => text.includes(word));
}

/**
 * Reads the files that the resources of a program refer to.
 *
 * @param folder the base of relative paths
 * @param within the real path of a folder that the files must be in. Default: they may be anywhere
 */
export function readProgramReferences(
  resources: readonly Resource[],
  locate: Locate,
  folder: string,
  within?: string,
): ReferencedFiles {
  return readReferences(resources, locate, () => folder, within).files;
}

function readReferences(
  resources: readonly Resource[],
  locate: Locate,
  folderOf: (where: string) => string,
  within: string | undefined,
): { readonly files: ReferencedFiles; readonly paths: readonly string[] } {
  const missing: Diagnostic[] = [];
  const missingParts: Diagnostic[] = [];
  const definitions: ReferencedDefinition[] = [];
  const snapshotPatterns: SnapshotPattern[] = [];
  const paths = mapRoles(() => new Map<string, string>());
  for (const resource of resources) {
    for (const { role, name, path } of referencesIn(resource)) {
      const where = locate(resource, path);
      const meant = isAbsolute(name) ? name : join(folderOf(where), name);
      const { found, outside } = findNamed(meant, within);
      const subject = resourceIdOf(resource);
      missing.push(...outside.map((one) => ({ ...describeOutside(where, `'${one ?? name}'`), subject })));
      if (outside.length > 0) continue;
      for (const one of found) paths[role].set(realpathSync(one), one);
      const unmatched = role === 'otherParts' ? missingParts : missing;
      if (found.length === 0) unmatched.push({ ...describeMissingFile(role, name, where), subject });
      if (role === 'snapshots') snapshotPatterns.push({ at: where, name, path: meant });
      if (role === 'definitions') definitions.push(...readFiles(found).map((file) => ({ where, file })));
    }
  }
  const read = (role: FileRole): SourceFile[] => readFiles(paths[role].values());
  const named = { catalogue: read('catalogue')[0], models: read('models')[0], prices: read('prices')[0] };
  const several = { snapshots: read('snapshots'), otherParts: read('otherParts'), definitions };
  return {
    files: { ...named, ...several, policies: read('policies')[0], snapshotPatterns, missing, missingParts },
    paths: Object.values(paths).flatMap((one) => [...one.values()]),
  };
}

interface NamedFiles {
  readonly found: readonly string[];

  /** Files that are not in the folder of the fleet. Undefined for the name as a whole, which is then not looked up. */
  readonly outside: readonly (string | undefined)[];
}

function findNamed(path: string, within: string | undefined): NamedFiles {
  if (within === undefined) return { found: globFiles(path), outside: [] };
  if (!isInside(within, path)) return { found: [], outside: [undefined] };
  const found = globFiles(path);
  return { found, outside: found.filter((one) => !isInside(within, one)) };
}

function describeMissingFile(role: FileRole, name: string, where: string): Diagnostic {
  const what = `no file matches '${name}'`;
  if (role === 'otherParts') {
    return errorAt('no-file', where, what, "Write one of each part with 'fleetwright plan PART --summary FILE'");
  }
  if (role !== 'snapshots') return errorAt('no-file', where, what, 'Correct the path, or remove the line');
  const command = 'kubectl get nodes,pods,resourceslices -A -o yaml > CLUSTER.yaml';
  return errorAt('no-snapshot', where, what, `Record one with '${command}', or remove the line`);
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
    ...(['snapshots', 'otherParts'] as const).flatMap((role) =>
      spec[role].map((name, index): FileReference => ({ role, name, path: ['spec', role, index] })),
    ),
    ...(['catalogue', 'models', 'prices', 'policies'] as const).flatMap((role): FileReference[] => {
      const name = spec[role];
      return name === undefined ? [] : [{ role, name, path: ['spec', role] }];
    }),
  ];
}

function readFiles(paths: Iterable<string>): SourceFile[] {
  return [...paths].map((path) => ({ path, text: readTextFile(path) }));
}

function folderOfPosition(where: string): string {
  return dirname(where.replace(/:\d+:\d+$/, ''));
}

function toRealPath(path: string): string {
  return path === '-' ? path : realpathSync(path);
}

/**
 * Lists the files that match a path, sorted. `*` in its last part matches any text, except a dot at the start.
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
  return wrapFsErrors('unreadable', folder, () => tolerate(['ENOENT'], [], () => readdirSync(folder)));
}

/** Matches a name with a pattern. A regular expression with many stars could be slow. */
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

/** Whether a path exists and is not a folder. Reading it later reports whether it is readable. */
function isNoFolder(path: string): boolean {
  const stat = wrapFsErrors('unreadable', path, () => statSync(path, { throwIfNoEntry: false }));
  return stat?.isDirectory() === false;
}
