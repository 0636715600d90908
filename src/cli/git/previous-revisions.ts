import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { findPlainTextSecret } from '../../api/secret-detection';
import { attempt } from '../../base/attempt';
import { FleetwrightError } from '../../base/errors';
import { groupBy } from '../../base/order';
import { digestModel } from '../../engine/expand/choose-layouts';
import { expandLayouts } from '../../engine/expand/expand-models';
import { assemble, type Fleet, type PreviousRevision } from '../../fleet/fleet';
import type { LayoutsByDeployment } from '../../fleet/models/model-layouts';
import { EMPTY_LOCK, formatLock, type Lock, LOCK_FILE } from '../../scheduler/lock/lock';
import { parseLock } from '../../scheduler/lock/parse-lock';
import { recordRevision } from '../../scheduler/previous-revision';
import { shapeDigestOf } from '../../scheduler/shape-digest';
import { type DeclaredFleet, lockPathOf, type LockSource } from '../read-inputs';
import { readResourcesAt } from './earlier-declarations';
import { listCommits, listCommitsSince, readFileAtRevision } from './repository';

/**
 * Finds the engines of replicas whose declaration changed, if the lock does not contain them yet: the newest
 * declaration of that shape in git, no older than their lines in the lock. At that commit, declarations and lines agree.
 * Notes say which engines are not known.
 */
export function findPreviousRevisions(
  target: string,
  flags: LockSource,
  declared: DeclaredFleet,
  lock: Lock,
): { former: readonly PreviousRevision[]; notes: readonly string[] } {
  const wanted = listUnknownShapes(declared.fleet, lock);
  if (wanted.size === 0) return { former: [], notes: [] };
  const { layouts = new Map() } = lock;
  const search: RevisionSearch = { wanted: new Map(wanted), found: [], unknown: new Map(), layouts };
  const why =
    declared.source === 'files' ? searchCommits(target, flags, search, lock) : NOT_IN_GIT_REASONS[declared.source];
  const known = new Set(search.found.map(revisionKeyOf));
  for (const [key, { deployment }] of wanted)
    if (!known.has(key)) search.unknown.set(deployment, search.unknown.get(deployment) ?? why);
  const notes = [...groupBy(search.unknown, ([, reason]) => reason)].map(([reason, some]) => {
    const names = some.map(([deployment]) => deployment);
    return formatNote(names, reason);
  });
  return { former: search.found, notes };
}

function revisionKeyOf({ deployment, shape }: PreviousRevision): string {
  return `${deployment} ${shape}`;
}

interface RevisionSearch {
  /** By `namespace/name digest`. */
  readonly wanted: Map<string, Pick<PreviousRevision, 'deployment' | 'shape'>>;
  readonly found: PreviousRevision[];
  /** The layouts of the lock, with which earlier declarations were expanded. */
  readonly layouts: LayoutsByDeployment;
  /** Why the earlier engines of a deployment are unknown, as a clause. */
  readonly unknown: Map<string, string>;
}

const NOT_IN_GIT_REASONS: Readonly<Record<Exclude<DeclaredFleet['source'], 'files'>, string>> = {
  program: 'a program declares the fleet, so its earlier declarations are not in the files',
  stdin: 'the fleet comes from standard input',
};

/** Lists the shapes in lines of the lock that neither the declarations nor the lock describe. */
function listUnknownShapes({ deployments, expansions }: Fleet, { placements, shapes }: Lock): RevisionSearch['wanted'] {
  const declared = new Map(deployments.map((one) => [qualifiedNameOf(one), shapeDigestOf(one)]));
  const layouts = [...(expansions ?? [])].flatMap(([id, { variants, earlier = [] }]) =>
    [...variants, ...earlier].map(({ deployment }) => `${id} ${shapeDigestOf(deployment)}`),
  );
  const known = new Set([...layouts, ...shapes.map(({ deployment, shape }) => `${deployment} ${shape}`)]);
  const wanted: RevisionSearch['wanted'] = new Map();
  for (const { deployment, shape } of placements) {
    const current = declared.get(deployment);
    // Most lines have the declared shape.
    if (current === undefined || current === shape) continue;
    const key = `${deployment} ${shape}`;
    if (!known.has(key)) wanted.set(key, { deployment, shape });
  }
  return wanted;
}

/** The maximum number of commits to search. */
const MAX_COMMITS = 50;

/** Searches commits for shapes. Returns the reason why the remaining ones were not found. */
function searchCommits(target: string, flags: LockSource, search: RevisionSearch, lock: Lock): string {
  try {
    const [revision, path] = [flags.from ?? 'HEAD', lockPathOf(target, flags)];
    const commits = listCommitsSince(revision, path, target);
    if (commits.length === 0) return 'the lock file is not committed to a git repository';
    for (const commit of commits.slice(0, MAX_COMMITS)) searchCommit(commit, target, search);
    const lines = linesByDeployment(lock);
    for (const commit of listCommits(revision, target, MAX_COMMITS)) {
      if (search.wanted.size === 0) break;
      if (commits.includes(commit)) continue;
      keepUnchanged(search.wanted, lines, readFileAtRevision(commit, path));
      searchCommit(commit, target, search);
    }
    return 'no commit since the change of the lock file declares them';
  } catch (error) {
    if (error instanceof FleetwrightError) return 'git does not run';
    throw error;
  }
}

function searchCommit(commit: string, target: string, search: RevisionSearch): void {
  if (search.wanted.size === 0) return;
  const fleet = assemble(readResourcesAt(commit, target));
  for (const deployment of fleet.deployments) {
    for (const one of listLayouts(deployment, fleet, search.layouts)) recordDeployment(one, search);
  }
}

/** A former deployment, with the layouts that the lock has for its model. None if the lock has others. */
function listLayouts(deployment: ModelDeployment, fleet: Fleet, layouts: LayoutsByDeployment): ModelDeployment[] {
  if (!deployment.spec.model) return [deployment];
  const chosen = layouts.get(qualifiedNameOf(deployment));
  if (!chosen || chosen.spec !== digestModel(deployment)) return [];
  return expandLayouts(deployment, chosen, fleet).variants.map((variant) => variant.deployment);
}

type Lines = ReadonlyMap<string, string>;

function linesByDeployment({ placements }: Lock): Lines {
  const groups = groupBy(placements, ({ deployment }) => deployment);
  return new Map([...groups].map(([id, lines]) => [id, formatLock({ ...EMPTY_LOCK, placements: lines })]));
}

/**
 * Ends the search for deployments whose lines the lock of an earlier commit does not have. A lock can change without
 * the lines of a deployment, where that had errors or was left out: declarations and lines agree before it too.
 */
function keepUnchanged(wanted: RevisionSearch['wanted'], lines: Lines, text: string | undefined): void {
  const read = text === undefined ? undefined : attempt(() => parseLock(text, LOCK_FILE));
  const earlier = read && 'value' in read ? linesByDeployment(read.value) : new Map<string, string>();
  for (const [key, { deployment }] of wanted) {
    if (earlier.get(deployment) !== lines.get(deployment)) wanted.delete(key);
  }
}

/** Records a former deployment if its shape is wanted and it contains no secret. */
function recordDeployment(deployment: ModelDeployment, { wanted, found, unknown }: RevisionSearch): void {
  const id = qualifiedNameOf(deployment);
  const key = `${id} ${shapeDigestOf(deployment)}`;
  if (!wanted.delete(key)) return;
  const secret = findPlainTextSecret(deployment);
  const recorded = secret === undefined ? recordRevision(deployment) : undefined;
  if (recorded) found.push(recorded);
  else {
    unknown.set(
      id,
      secret === undefined
        ? 'with the defaults of the fleet, they exceed the limits of a deployment'
        : `${secret} may be a secret, which the lock file must not contain: use valueFrom.secretKeyRef`,
    );
  }
}

function formatNote(deployments: readonly string[], why: string): string {
  const [whose, replicas] = deployments.length === 1 ? ['its', 'replicas of it'] : ['their', 'replicas of them'];
  return `${deployments.join(', ')}: ${whose} engines changed, and their earlier declaration is unknown, because ${why}. The ${replicas} are replaced with downtime. To avoid that, undo the change, commit the fleet with its lock file to git, and change it again.`;
}
