import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { findPlainTextSecret } from '../../api/secret-detection';
import { FleetwrightError } from '../../base/errors';
import { groupBy } from '../../base/order';
import { assemble, type Fleet, type PreviousRevision } from '../../fleet/fleet';
import type { Lock } from '../../scheduler/lock/lock';
import { recordRevision } from '../../scheduler/previous-revision';
import { digestShape } from '../../scheduler/shape-digest';
import { type DeclaredFleet, lockPathOf, type LockSource } from '../read-inputs';
import { readResourcesAt } from './former-declarations';
import { listCommits, listCommitsSince } from './repository';

/**
 * Finds the engines of replicas whose declaration changed, if the lock does not contain them yet: the newest
 * declaration of that shape in git. Notes say which engines are not known.
 */
export function findPreviousRevisions(
  target: string,
  flags: LockSource,
  declared: DeclaredFleet,
  lock: Lock,
): { former: readonly PreviousRevision[]; notes: readonly string[] } {
  const wanted = listUnknownShapes(declared.fleet, lock);
  if (wanted.size === 0) return { former: [], notes: [] };
  const search: RevisionSearch = { wanted, found: [], unknown: new Map() };
  const why = declared.source === 'files' ? searchCommits(target, flags, search) : NOT_IN_GIT_REASONS[declared.source];
  for (const { deployment } of search.wanted.values()) search.unknown.set(deployment, why);
  const notes = [...groupBy(search.unknown, ([, reason]) => reason)].map(([reason, some]) => {
    const names = some.map(([deployment]) => deployment);
    return formatNote(names, reason);
  });
  return { former: search.found, notes };
}

interface RevisionSearch {
  /** By `namespace/name digest`. */
  readonly wanted: Map<string, Pick<PreviousRevision, 'deployment' | 'shape'>>;
  readonly found: PreviousRevision[];
  /** Why the earlier engines of a deployment are unknown, as a clause. */
  readonly unknown: Map<string, string>;
}

const NOT_IN_GIT_REASONS: Readonly<Record<Exclude<DeclaredFleet['source'], 'files'>, string>> = {
  program: 'a program declares the fleet, and what it declared before is not in its files',
  stdin: 'the fleet comes from standard input',
};

/** Lists the shapes in lines of the lock that neither the declarations nor the lock describe. */
function listUnknownShapes({ deployments }: Fleet, { placements, shapes }: Lock): RevisionSearch['wanted'] {
  const declared = new Map(
    deployments.map((one) => [qualifiedNameOf(one), digestShape(one.spec.template.spec.engines)]),
  );
  const known = new Set(shapes.map(({ deployment, shape }) => `${deployment} ${shape}`));
  const wanted: RevisionSearch['wanted'] = new Map();
  for (const { deployment, shape } of placements) {
    const current = declared.get(deployment);
    const key = `${deployment} ${shape}`;
    if (current !== undefined && current !== shape && !known.has(key)) wanted.set(key, { deployment, shape });
  }
  return wanted;
}

/** The maximum number of commits to search. */
const MAX_COMMITS = 50;

/** Searches commits for shapes. Returns the reason why the remaining ones were not found. */
function searchCommits(target: string, flags: LockSource, search: RevisionSearch): string {
  try {
    const revision = flags.from ?? 'HEAD';
    const commits = listCommitsSince(revision, lockPathOf(target, flags), target);
    // A lock can be newer than the last one about a deployment, where that had errors or was left out.
    const earlier = commits.length === 0 ? [] : listCommits(revision, target, MAX_COMMITS);
    for (const commit of new Set([...commits.slice(0, MAX_COMMITS), ...earlier])) {
      if (search.wanted.size === 0) break;
      const { deployments } = assemble(readResourcesAt(commit, target));
      for (const deployment of deployments) recordDeployment(deployment, search);
    }
    if (commits.length === 0) return 'the lock is in no commit of a git repository';
    return `none of the last ${MAX_COMMITS} commits declares them`;
  } catch (error) {
    if (error instanceof FleetwrightError) return 'git cannot be asked';
    throw error;
  }
}

/** Records a former deployment if its shape is wanted and it contains no secret. */
function recordDeployment(deployment: ModelDeployment, { wanted, found, unknown }: RevisionSearch): void {
  const id = qualifiedNameOf(deployment);
  const key = `${id} ${digestShape(deployment.spec.template.spec.engines)}`;
  if (!wanted.delete(key)) return;
  const secret = findPlainTextSecret(deployment);
  const recorded = secret === undefined ? recordRevision(deployment) : undefined;
  if (recorded) found.push(recorded);
  else {
    unknown.set(
      id,
      secret === undefined
        ? 'with the defaults of the fleet they are more than a deployment may declare'
        : `${secret} may be a secret, which the lock must not hold: use valueFrom.secretKeyRef`,
    );
  }
}

function formatNote(deployments: readonly string[], why: string): string {
  const [whose, replicas] = deployments.length === 1 ? ['its', 'replicas of it'] : ['their', 'replicas of them'];
  return `${deployments.join(', ')}: ${whose} engines changed, and what they were is not known, because ${why}. The ${replicas} are replaced with a gap.`;
}
