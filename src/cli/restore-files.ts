import { type Resource, resourceIdOf } from '../api/kinds';
import { qualifiedNameOf } from '../api/resource';
import type { Diagnostic } from '../base/diagnostic';
import { showOnOneLine } from '../base/untrusted-text';
import { isSeparableKind, type Remainder, type SetAside } from '../files/set-aside';
import { loadManifests } from '../manifest/load-manifests';
import type { Inputs } from './decide-fleet';
import { listCommitsSafely, readFileAtRevision } from './git/repository';
import type { LockSource } from './read-inputs';

/** What a fleet declares, with earlier declarations of the files that are not YAML. */
export interface RestoredFiles extends Remainder<Inputs['input']> {
  /** The IDs of the resources of each of these files, by the subject of its error. */
  readonly members: ReadonlyMap<string, readonly string[]>;
}

/** An earlier text of a file that is not YAML. */
interface EarlierFile {
  readonly path: string;
  readonly commit: string;
  readonly resources: readonly Resource[];
}

/** The number of commits that are searched for a file that can be read. */
const MAX_COMMITS = 20;

/**
 * Replaces files that are not YAML by the last text in git that can be read. Where this is not possible, because such a
 * file may declare what the whole fleet needs, or what only the lock knows, their errors say that the fleet is refused.
 */
export function restoreFiles(target: string, flags: LockSource, { input, lock }: Inputs): RestoredFiles {
  const unchanged = { value: input, problems: [], aside: new Map(), members: new Map() };
  const broken = input.problems.filter(({ subject }) => subject === undefined);
  if (input.source !== 'files' || broken.length === 0) return unchanged;
  const paths = (input.paths ?? []).filter((path) => broken.some(isIn(path)));
  const commits = listCommitsSafely(flags.from ?? 'HEAD', target, MAX_COMMITS);
  const files = paths.map((path) => readEarlier(path, commits));
  const known = files.filter((file) => file !== undefined);
  const restored = known.length === paths.length ? setFilesAside(input, known) : undefined;
  const isComplete = lock.placements.every((line) => restored?.declared.has(line.deployment));
  const isSyntax = broken.every((one) => one.code === 'bad-yaml' && paths.some((path) => isIn(path)(one)));
  if (restored && isComplete && isSyntax) return restored;
  return { ...unchanged, value: { ...input, problems: input.problems.map((one) => explainRefusal(one, known)) } };
}

function isIn(path: string): (problem: Pick<Diagnostic, 'at'>) => boolean {
  return ({ at }) => at.startsWith(`${path}:`);
}

/** Reads the last text of a file that is without errors. Undefined if git does not have one. */
function readEarlier(path: string, commits: readonly string[]): EarlierFile | undefined {
  for (const commit of commits) {
    const text = readFileAtRevision(commit, path);
    if (text === undefined) continue;
    const { resources, problems } = loadManifests([{ path, text }]);
    if (problems.length === 0) return { path, commit, resources };
  }
  return undefined;
}

type SetAsideFiles = RestoredFiles & { readonly declared: ReadonlySet<string> };

/** Undefined if one of the files declares what the whole fleet needs. */
function setFilesAside(input: Inputs['input'], files: readonly EarlierFile[]): SetAsideFiles | undefined {
  const earlier = files.flatMap(({ resources }) => resources);
  if (!earlier.every(({ kind }) => isSeparableKind(kind))) return undefined;
  const isBroken = (one: Pick<Diagnostic, 'at'>): boolean => files.some(({ path }) => isIn(path)(one));
  const resources = input.resources.filter((one) => !isBroken({ at: input.locate(one, ['metadata', 'name']) }));
  const ids = new Set(resources.map(resourceIdOf));
  const aside = new Map(earlier.flatMap((one) => (ids.has(resourceIdOf(one)) ? [] : [[resourceIdOf(one), one]])));
  const removed = new Set(input.problems.filter(isBroken).map(({ subject }) => subject));
  return {
    value: {
      ...input,
      resources,
      problems: input.problems.filter((one) => !isBroken(one)),
      unread: input.unread.filter(({ id }) => id !== undefined && !removed.has(id)),
    },
    problems: files.flatMap((file) => input.problems.filter(isIn(file.path)).map((one) => explainRestored(one, file))),
    aside: aside as SetAside,
    members: new Map(files.map((file) => [subjectOf(file), file.resources.map(resourceIdOf)])),
    declared: new Set([...resources, ...earlier].map(qualifiedNameOf)),
  };
}

function subjectOf({ path }: EarlierFile): string {
  return `file ${showOnOneLine(path)}`;
}

const SHORT = 8;

function explainRestored(problem: Diagnostic, file: EarlierFile): Diagnostic {
  const until = `Until then, its resources are those of commit ${file.commit.slice(0, SHORT)}`;
  return { ...problem, hint: [problem.hint ?? 'Correct it', until].join('. '), subject: subjectOf(file) };
}

/** Says what a file that is not YAML stops, and how to go on without the change. */
function explainRefusal(problem: Diagnostic, known: readonly EarlierFile[]): Diagnostic {
  if (problem.code !== 'bad-yaml') return problem;
  const file = known.find(({ path }) => isIn(path)(problem));
  const restore =
    file && `To undo the change: git checkout ${file.commit.slice(0, SHORT)} -- ${showOnOneLine(file.path)}`;
  const until =
    'Until then, the whole fleet is refused and nothing is written, because any resource could be in this file';
  return { ...problem, hint: [problem.hint ?? 'Correct it', until, ...(restore ? [restore] : [])].join('. ') };
}
