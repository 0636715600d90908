import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { literalSecret } from '../api/literal-secret';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedName } from '../api/resource';
import { FleetwrightError } from '../errors';
import { readTree } from '../files/read-tree';
import { separateNamed } from '../files/named-files';
import { assemble, type Fleet, type FormerShape } from '../fleet';
import { loadManifests } from '../manifest/load';
import { groupBy } from '../order';
import { recordShape } from '../scheduler/former-shape';
import type { Lock } from '../scheduler/lock';
import { shapeDigest } from '../scheduler/shape-digest';
import { treeOf } from './commit-tree';
import { exportCommit } from './export-commit';
import { commitsSince, topLevel } from './git';
import { type Declared, lockPath, type LockSource } from './inputs';

/** What is known of earlier engines, and notes on those of which nothing is known. */
export interface Former {
  readonly former: readonly FormerShape[];
  readonly notes: readonly string[];
}

/**
 * Finds what replicas are made of whose engines are declared otherwise now, and of which the lock says nothing yet:
 * the newest declaration of that shape in git, no older than the lock. There declarations and lock agree.
 */
export function findFormer(target: string, flags: LockSource, declared: Declared, lock: Lock): Former {
  const wanted = wantedOf(declared.fleet, lock);
  if (wanted.size === 0) return { former: [], notes: [] };
  const search: Search = { wanted, found: [], unknown: new Map() };
  const why = declared.source === 'files' ? searchGit(target, flags, search) : NOT_IN_GIT[declared.source];
  for (const { deployment } of search.wanted.values()) search.unknown.set(deployment, why);
  const notes = [...groupBy(search.unknown, ([, reason]) => reason)].map(([reason, some]) =>
    noteOf(
      some.map(([deployment]) => deployment),
      reason,
    ),
  );
  return { former: search.found, notes };
}

interface Search {
  /** By `namespace/name digest`. */
  readonly wanted: Map<string, Pick<FormerShape, 'deployment' | 'shape'>>;
  readonly found: FormerShape[];
  /** Why nothing is known of a deployment, as a clause. */
  readonly unknown: Map<string, string>;
}

const NOT_IN_GIT: Readonly<Record<Exclude<Declared['source'], 'files'>, string>> = {
  program: 'a program declares the fleet, and what it declared before is not in its files',
  stdin: 'the fleet comes from standard input',
};

/** Shapes that lines of the lock have, and neither the declarations nor the lock itself. */
function wantedOf({ deployments }: Fleet, { placements, shapes }: Lock): Search['wanted'] {
  const declared = new Map(
    deployments.map((one) => [qualifiedName(one), shapeDigest(one.spec.template.spec.engines)]),
  );
  const known = new Set(shapes.map(({ deployment, shape }) => `${deployment} ${shape}`));
  const wanted: Search['wanted'] = new Map();
  for (const { deployment, shape } of placements) {
    const current = declared.get(deployment);
    const key = `${deployment} ${shape}`;
    if (current !== undefined && current !== shape && !known.has(key)) wanted.set(key, { deployment, shape });
  }
  return wanted;
}

/** More commits than this are not looked at: all that matters changed since the lock did. */
const MOST_COMMITS = 50;

/** Looks for shapes commit by commit, and tells why those that are still wanted then were not found. */
function searchGit(target: string, flags: LockSource, search: Search): string {
  try {
    const commits = commitsSince(flags.from ?? 'HEAD', lockPath(target, flags), target);
    for (const commit of commits.slice(0, MOST_COMMITS)) {
      if (search.wanted.size === 0) break;
      for (const deployment of deploymentsAt(commit, target)) take(deployment, search);
    }
    if (commits.length === 0) return 'the lock is in no commit of a git repository';
    return 'no commit since the lock changed declares them';
  } catch (error) {
    if (error instanceof FleetwrightError) return 'git cannot be asked';
    throw error;
  }
}

/** Records a deployment as it was, if its shape is wanted and it holds no secret. */
function take(deployment: ModelDeployment, { wanted, found, unknown }: Search): void {
  const id = qualifiedName(deployment);
  const key = `${id} ${shapeDigest(deployment.spec.template.spec.engines)}`;
  if (!wanted.delete(key)) return;
  const secret = literalSecret(deployment);
  const recorded = secret === undefined ? recordShape(deployment) : undefined;
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

/** The deployments that a commit declares; none where its files are not sound. */
function deploymentsAt(commit: string, target: string): readonly ModelDeployment[] {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-'));
  try {
    const top = topLevel(target);
    const below = relative(top, realpathSync(target));
    exportCommit({ tree: treeOf(commit, top, below), top, below }, folder);
    const files = readTree(join(folder, below));
    const { resources, problems } = loadManifests(separateNamed(files).manifests);
    return problems.length > 0 ? [] : assemble(resources).deployments;
  } catch (error) {
    if (error instanceof FleetwrightError) return [];
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function noteOf(deployments: readonly string[], why: string): string {
  const [whose, replicas] =
    deployments.length === 1 ? ['its', 'replicas of it'] : ['their', 'replicas of them'];
  return `${deployments.join(', ')}: ${whose} engines changed, and what they were is not known, because ${why}. The ${replicas} are replaced with a gap.`;
}
