import { CACHE_LABEL } from '../../api/labels';
import type { ModelCache } from '../../api/model-cache';
import { qualifiedNameOf } from '../../api/resource';
import { listAt, textAt, valueAt } from '../../base/json';
import { sortedBy } from '../../base/order';
import { shortenName } from '../../manifest/kubernetes/object-names';
import type { CacheManifests } from '../../render/cluster';
import { toStageableCache } from '../../replicas/staged-caches';
import type { FindingLevel } from '../finding';
import { formatNamespacedName, type LiveObject } from '../../manifest/kubernetes/live-object';
import type { FailureFinder } from './creation-failures';

/**
 * How far a cache is on a cluster. `volume`: there is no disk for it yet. `outOfDate`: other files than declared are staged.
 * `unknown`: its objects are not seen.
 */
export type CachePhase = 'unknown' | 'missing' | 'failed' | 'volume' | 'staging' | 'staged' | 'outOfDate';

/** The content of the marker file in the folder of a staged cache. */
export interface StagedFacts {
  /** The commit, or the SHA-256 checksum of a file, where the source has any. */
  readonly revision?: string;
  readonly files?: number;
  readonly bytes?: number;

  /** When the files were complete: `2026-07-20T12:00:00Z`. */
  readonly stagedAt?: string;
}

/** A staging Job that completed, and the facts that its pod reports. */
export interface CompletedStaging {
  readonly job: LiveObject;
  readonly facts: StagedFacts;
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
  outOfDate: 'failure',
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

  /** The completed staging Jobs, also of earlier revisions. */
  readonly stagings: readonly CompletedStaging[];

  /** Kinds that cannot be listed. */
  readonly unseen: ReadonlySet<string>;
}

/** Determines the status of each cache. Caches without a volume claim and a Job of ours have none. */
export function judgeCaches(caches: readonly CacheManifests[], observed: ObservedCaches): CacheStatus[] {
  return caches.filter(({ cache }) => toStageableCache(cache)).map((one) => judgeCache(one, observed));
}

function judgeCache(
  { cache, manifests }: CacheManifests,
  { find, findFailure, stagings, unseen }: ObservedCaches,
): CacheStatus {
  const [claim, job] = CACHE_KINDS.map((kind) => {
    const ours = manifests.find((one) => one.kind === kind);
    return ours && find(kind, formatNamespacedName(ours));
  });
  const isUnseen = CACHE_KINDS.some((kind) => unseen.has(kind));
  const known = isUnseen ? UNSEEN : cachePhaseOf(claim, job, findFailure);
  const current = stagings.find((one) => job && one.job === job);
  const latest = current ?? findLatestStaging(cache, stagings);
  const { phase, why = '' } = isUnseen ? known : (outOfDateFilesOf(cache, known, { current, latest }) ?? known);
  const facts = phase === 'outOfDate' ? latest?.facts : current?.facts;
  const revision = phase === 'staged' ? pinnedRevisionOf(cache) : undefined;
  return {
    level: LEVEL_BY_PHASE[phase],
    cache: qualifiedNameOf(cache),
    phase,
    ...(why !== '' && { why }),
    // A Job completes with the declared commit or checksum only, also where its pod is gone.
    ...(revision !== undefined && { revision }),
    ...facts,
  };
}

/** The declared commit or checksum. Undefined for branches and tags, which name no fixed files. */
function pinnedRevisionOf({ spec }: ModelCache): string | undefined {
  const declared = spec.huggingFace?.revision ?? spec.verify?.sha256;
  return declared !== undefined && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(declared) ? declared : undefined;
}

/** The last completed Job of a cache, of whatever revision. */
function findLatestStaging(
  { metadata }: ModelCache,
  stagings: readonly CompletedStaging[],
): CompletedStaging | undefined {
  const ours = stagings.filter(
    ({ job }) =>
      job.metadata.namespace === metadata.namespace &&
      job.metadata.labels?.[CACHE_LABEL] === shortenName(metadata.name),
  );
  return sortedBy(ours, ({ facts }) => facts.stagedAt ?? '').at(-1);
}

interface Stagings {
  readonly current: CompletedStaging | undefined;
  readonly latest: CompletedStaging | undefined;
}

/** The phase of a cache whose staged files are not those that are declared: its Job is missing, or resolved another. */
function outOfDateFilesOf(
  cache: ModelCache,
  { phase }: Pick<CacheStatus, 'phase'>,
  { current, latest }: Stagings,
): Pick<CacheStatus, 'phase' | 'why'> | undefined {
  const declared = pinnedRevisionOf(cache);
  const wanted = declared === undefined ? '' : `: revision ${declared} is declared`;
  if (phase === 'missing' && latest) {
    return { phase: 'outOfDate', why: `an earlier declaration is staged${wanted}. Apply the manifests` };
  }
  const staged = current?.facts.revision;
  if (phase !== 'staged' || staged === undefined || declared === undefined || staged === declared) return undefined;
  return { phase: 'outOfDate', why: `revision ${declared} is declared` };
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

/** Parses the marker in the output of a staging Job: `key=value` pairs, one or several in a line. */
export function parseStagedFacts(log: string): StagedFacts {
  const pairs = log.matchAll(/\b(revision|sha256|files|bytes|staged)=(\S+)/g);
  const values = new Map([...pairs].map(([, key, value]) => [key, value]));
  const revision = values.get('revision') ?? values.get('sha256');
  const [files, bytes, stagedAt] = ['files', 'bytes', 'staged'].map((key) => values.get(key));
  return {
    ...(revision !== undefined && { revision }),
    ...(files !== undefined && { files: Number(files) }),
    ...(bytes !== undefined && { bytes: Number(bytes) }),
    ...(stagedAt !== undefined && { stagedAt }),
  };
}
