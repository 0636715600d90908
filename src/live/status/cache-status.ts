import { qualifiedNameOf } from '../../api/resource';
import { listAt, textAt, valueAt } from '../../base/json';
import type { CacheManifests } from '../../render/cluster';
import type { FindingLevel } from '../finding';
import { formatNamespacedName, type LiveObject } from '../live-object';
import type { FailureFinder } from './creation-failures';

/** How far a cache is on a cluster. `volume`: there is no disk for it yet. `unknown`: its objects are not seen. */
export type CachePhase = 'unknown' | 'missing' | 'failed' | 'volume' | 'staging' | 'staged';

/** The content of the marker file in the folder of a staged cache. */
export interface StagedFacts {
  /** The commit, where the source has any. */
  readonly revision?: string;
  readonly files?: number;
  readonly bytes?: number;
}

/** How far one cache is on one cluster. */
export interface CacheStatus extends StagedFacts {
  readonly level: FindingLevel;
  readonly cache: string;
  readonly phase: CachePhase;
  readonly why?: string;
}

const LEVEL_BY_PHASE: Readonly<Record<CachePhase, FindingLevel>> = {
  unknown: 'unknown',
  missing: 'failure',
  failed: 'failure',
  volume: 'warning',
  staging: 'warning',
  staged: 'ok',
};

const CACHE_KINDS = ['PersistentVolumeClaim', 'Job'] as const;

const UNSEEN: Pick<CacheStatus, 'phase' | 'why'> = {
  phase: 'unknown',
  why: 'its volume claim and its Job cannot both be listed',
};

/** What is seen of the objects of caches. */
export interface ObservedCaches {
  readonly find: (kind: string, id: string) => LiveObject | undefined;

  /** Finds why the cluster does not create pods or volumes. */
  readonly findFailure: FailureFinder;

  /** The markers of staged caches, by the ID of the staging Job. */
  readonly facts: ReadonlyMap<string, StagedFacts>;

  /** Kinds that cannot be listed. */
  readonly unseen: ReadonlySet<string>;
}

/** Determines the status of each cache. */
export function judgeCaches(
  caches: readonly CacheManifests[],
  { find, findFailure, facts, unseen }: ObservedCaches,
): CacheStatus[] {
  return caches.map(({ cache, manifests }) => {
    const [claim, job] = CACHE_KINDS.map((kind) => {
      const ours = manifests.find((one) => one.kind === kind);
      return ours && find(kind, formatNamespacedName(ours));
    });
    const { phase, why = '' } = CACHE_KINDS.some((kind) => unseen.has(kind))
      ? UNSEEN
      : cachePhaseOf(claim, job, findFailure);
    return {
      level: LEVEL_BY_PHASE[phase],
      cache: qualifiedNameOf(cache),
      phase,
      ...(why !== '' && { why }),
      ...(job && facts.get(formatNamespacedName(job))),
    };
  });
}

function cachePhaseOf(
  claim: LiveObject | undefined,
  job: LiveObject | undefined,
  findFailure: FailureFinder,
): Pick<CacheStatus, 'phase' | 'why'> {
  if (!claim || !job) return { phase: 'missing', why: `${claim ? 'its Job' : 'its volume claim'} is not there` };
  const conditions = listAt(job, ['status', 'conditions']).filter((one) => textAt(one, ['status']) === 'True');
  const ended = (type: string): unknown => conditions.find((one) => textAt(one, ['type']) === type);
  if (ended('Complete') !== undefined) return { phase: 'staged' };
  const failure = ended('Failed');
  if (failure !== undefined) return { phase: 'failed', why: textAt(failure, ['message']) };
  if (textAt(claim, ['status', 'phase']) !== 'Bound') {
    return { phase: 'volume', why: joinClauses(['its volume claim is not bound', findFailure(claim)]) };
  }
  const tries = valueAt(job, ['status', 'failed']);
  const failed = typeof tries === 'number' ? `${tries} attempts failed` : undefined;
  return { phase: 'staging', why: joinClauses([failed, hasActivePod(job) ? undefined : findFailure(job)]) };
}

function hasActivePod(job: LiveObject): boolean {
  return Number(valueAt(job, ['status', 'active']) ?? 0) > 0;
}

function joinClauses(clauses: readonly (string | undefined)[]): string {
  return clauses.filter((one) => one !== undefined).join('; ');
}

/** Parses the marker in the last output of a staging Job: `key=value` pairs, one or several in a line. */
export function parseStagedFacts(log: string): StagedFacts {
  const values = new Map([...log.matchAll(/\b(revision|files|bytes)=(\S+)/g)].map(([, key, value]) => [key, value]));
  const [revision, files, bytes] = ['revision', 'files', 'bytes'].map((key) => values.get(key));
  return {
    ...(revision !== undefined && { revision }),
    ...(files !== undefined && { files: Number(files) }),
    ...(bytes !== undefined && { bytes: Number(bytes) }),
  };
}
