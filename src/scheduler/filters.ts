import { findUnmetRequirement } from '../api/label-matching';
import { findMissingLoadMetrics } from '../api/load-metrics';
import { BACKEND_VERSIONS } from '../catalog/backends';
import type { BackendLimit } from '../engine/backend-limits';
import type { Taint, Toleration } from '../api/schema/taints-and-tolerations';
import type { BackendDemand, CacheDemand, CompiledBackend, CompiledCluster, ReplicaDemand } from './compiled-fleet';
import { isLostTaint } from './lost-clusters';
import { type BackendMisfit, type CacheMisfit, LACK_BY_NEED, type Reason } from './reason';

/** A rule that excludes a whole cluster as a place for a replica. */
interface FilterPlugin {
  /** Whether a replica that already runs on the cluster has to leave it. */
  readonly evicts: boolean;
  /** Returns the reason against the cluster, or nothing. */
  readonly reject: (demand: ReplicaDemand, cluster: CompiledCluster, stage: FilterStage) => Reason | undefined;
}

/** `new`: whether a replica may be added. `placed`: whether a placed one may stay. */
type FilterStage = 'new' | 'placed';

/** Every cluster filter, in the order of evaluation; the first rejection wins. */
export const FILTERS: readonly FilterPlugin[] = [
  {
    evicts: true,
    reject({ selector }, { labels }) {
      const unmet = findUnmetRequirement(selector, labels);
      return unmet && { filter: 'selector', ...unmet };
    },
  },
  {
    // This filter never evicts: to move a replica because the selector of its cache was narrowed costs more
    // than the cache saves.
    evicts: false,
    reject({ caches }, cluster) {
      for (const cache of caches) {
        const lacks = missingForCache(cache, cluster);
        if (lacks) return { filter: 'cache', cache: cache.name, ...lacks };
      }
      return undefined;
    },
  },
  {
    evicts: true,
    reject({ tolerations }, { taints }, stage) {
      const binding = stage === 'new' ? taints : taints.filter(({ effect }) => effect === 'NoExecute');
      const taint = binding.find(isLostTaint) ?? findUntolerated(binding, tolerations);
      return taint && { filter: 'taint', taint };
    },
  },
  {
    evicts: true,
    reject({ backend: demand }, { backend }) {
      const misfit = demand && findBackendMisfit(demand, backend);
      return misfit && { filter: 'backend', ...misfit };
    },
  },
  {
    // A replica that runs where metrics are removed is an error of the plan: to move it is for people to decide.
    evicts: false,
    reject({ engines }, { load }) {
      for (const { name: engine, load: need } of engines) {
        const lacks = need && findMissingLoadMetrics(need, load);
        if (lacks) return { filter: 'monitoring', engine, lacks, ...(need.min !== undefined && { min: need.min }) };
      }
      return undefined;
    },
  },
  {
    evicts: false,
    reject({ engines }, { load }) {
      const waiting = load.kedaHttpAddOn ? undefined : engines.find((one) => one.load?.waits);
      return waiting && { filter: 'monitoring', engine: waiting.name, lacks: 'kedaHttpAddOn' };
    },
  },
  { evicts: false, reject: (_, { paused }) => (paused ? { filter: 'paused' } : undefined) },
  { evicts: false, reject: (_, { pools }) => (pools.length > 0 ? undefined : { filter: 'pools' }) },
];

function missingForCache(
  { selector, needs, reads }: CacheDemand,
  { labels, offers, reaches }: CompiledCluster,
): CacheMisfit | undefined {
  if (findUnmetRequirement(selector, labels)) return { lacks: 'selector' };
  if (needs !== undefined && !offers.has(needs)) return { lacks: LACK_BY_NEED[needs] };
  return reads && reaches?.has(reads.source) === false ? { lacks: 'internet', host: reads.host } : undefined;
}

function findBackendMisfit(
  { requires, limits, presetNamespace }: BackendDemand,
  backend: CompiledBackend | undefined,
): BackendMisfit | undefined {
  const has = backend?.type ?? 'Native';
  const unmet = requires.find(({ type }) => type !== has);
  if (unmet) return { misfit: 'other-type', engine: unmet.engine, wanted: unmet.type, has };
  if (!backend) return undefined;
  const { type, sharedNamespaces } = backend;
  const unexpressed = findLimit(limits[type] ?? [], backend);
  if (unexpressed) return unexpressed;
  if (presetNamespace === undefined || !sharedNamespaces.includes(presetNamespace)) return undefined;
  return { misfit: 'shared-namespace', type, namespace: presetNamespace };
}

/** The first limit that applies to a cluster. */
function findLimit(
  limits: readonly BackendLimit[],
  { type, version, minor, scheduler, claims }: CompiledBackend,
): BackendMisfit | undefined {
  for (const { what, since, instead, with: others, withClaims } of limits) {
    if ((others !== undefined && others !== scheduler) || (withClaims && !claims)) continue;
    if (since === undefined) return { misfit: 'inexpressible', type, what };
    if (minor >= since) continue;
    const needs = `${BACKEND_VERSIONS[type].major}.${since}`;
    return { misfit: 'old-version', type, what, needs, has: version, ...(instead !== undefined && { instead }) };
  }
  return undefined;
}

/** The first reason why no replica may be added to a cluster. */
export function rejectNew(demand: ReplicaDemand, cluster: CompiledCluster): Reason | undefined {
  return firstRejection(demand, cluster, 'new');
}

/** Every reason why no replica may be added to a cluster. */
export function listNewRejections(demand: ReplicaDemand, cluster: CompiledCluster): Reason[] {
  return FILTERS.flatMap(({ reject }) => reject(demand, cluster, 'new') ?? []);
}

/** The first reason why a replica has to leave a cluster. */
export function rejectPlaced(demand: ReplicaDemand, cluster: CompiledCluster): Reason | undefined {
  return firstRejection(demand, cluster, 'placed');
}

function firstRejection(demand: ReplicaDemand, cluster: CompiledCluster, stage: FilterStage): Reason | undefined {
  for (const { evicts, reject } of FILTERS) {
    const reason = stage === 'new' || evicts ? reject(demand, cluster, stage) : undefined;
    if (reason) return reason;
  }
  return undefined;
}

/** A toleration of taints of a cluster or of a node. */
export type AnyToleration = Omit<Toleration, 'effect'> & { readonly effect?: Taint['effect'] | undefined };

/**
 * Whether a toleration covers a taint, by the rules of Kubernetes: no effect covers every effect, no key with
 * `Exists` covers every taint, and `Equal` compares the values, with a missing one as empty.
 */
export function tolerates({ key, operator, value, effect }: AnyToleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (operator === 'Exists') return key === undefined || key === '' || key === taint.key;
  return key === taint.key && (value ?? '') === (taint.value ?? '');
}

/** The first of `taints` that no item of `tolerations` covers. */
export function findUntolerated(taints: readonly Taint[], tolerations: readonly AnyToleration[]): Taint | undefined {
  return taints.find((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
}
