import { DEPLOYMENT_LABEL } from '../../api/labels';
import { textAt, valueAt } from '../../base/json';
import type { Pool } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { PoolLoad } from '../../scheduler/ledger';
import { footprintKeyOf, type PodFootprint } from '../../scheduler/packing/pod-footprint';
import { type LiveObject, formatNamespacedName } from '../live-object';
import { PodShapes } from './pod-shapes';

/** A workload on a pool, and what it takes of that. */
export interface PoolUsage {
  /** Its kind, namespace and name. */
  readonly id: string;

  /** `namespace/name` of its deployment. */
  readonly deployment: string;
  readonly pool: Pool;

  /** What its pods take, and what those that a rollout adds take beside them. */
  readonly pods: readonly PoolLoad[];
  readonly surge: readonly PoolLoad[];
}

/** Whether a workload takes anything that it did not take before. */
export function usesMore({ pool, pods, surge }: PoolUsage, before: PoolUsage | undefined): boolean {
  if (before?.pool !== pool) return true;
  return exceeds(pods, before.pods) || exceeds(surge, before.surge);
}

function exceeds(now: readonly PoolLoad[], before: readonly PoolLoad[]): boolean {
  return now.some(({ footprint: need }) => countPods(now, need) > countPods(before, need));
}

function countPods(taken: readonly PoolLoad[], need: PodFootprint): number {
  const key = footprintKeyOf(need);
  const alike = taken.filter((one) => footprintKeyOf(one.footprint) === key);
  return alike.reduce((sum, { pods }) => sum + pods, 0);
}

/** What workloads are read by. */
export interface UsageContext {
  readonly pools: readonly Pool[];

  /** The label on nodes that names their pool. */
  readonly poolLabel: string;
  readonly matcher: PodMatcher;
}

/** Pods of a workload that are alike. */
interface PodGroup {
  readonly template: unknown;
  readonly pods: number;
  readonly surge: number;
}

/** Workloads that waves wait for, by the pods that these make. */
const POD_GROUPS_BY_KIND: Readonly<Record<string, (object: LiveObject) => readonly PodGroup[]>> = {
  Deployment: (object) => {
    const surge = numberAt(object, ['strategy', 'rollingUpdate', 'maxSurge'], 0);
    return [{ template: specFieldAt(object, ['template']), pods: numberAt(object, ['replicas'], 1), surge }];
  },
  LeaderWorkerSet: (object) => {
    const groups = numberAt(object, ['replicas'], 1);
    const surge = numberAt(object, ['rolloutStrategy', 'rollingUpdateConfiguration', 'maxSurge'], 0);
    const workers = numberAt(object, ['leaderWorkerTemplate', 'size'], 1) - 1;
    const worker = specFieldAt(object, ['leaderWorkerTemplate', 'workerTemplate']);
    const leader = specFieldAt(object, ['leaderWorkerTemplate', 'leaderTemplate']);
    return [
      { template: leader, pods: groups, surge },
      { template: worker, pods: groups * workers, surge: surge * workers },
    ];
  },
};

/** What each workload among some objects takes of the pools of a cluster. Those that are on none of these take nothing. */
export function listPoolUsage(
  objects: readonly LiveObject[],
  { pools, poolLabel, matcher }: UsageContext,
): PoolUsage[] {
  const shapes = new PodShapes(objects);
  return objects.flatMap((object): PoolUsage[] => {
    const alike = POD_GROUPS_BY_KIND[object.kind]?.(object) ?? [];
    const [name] = alike.map(({ template }) => textAt(template, ['spec', 'nodeSelector', poolLabel]));
    const pool = pools.find((one) => one.name === name);
    if (!pool) return [];
    const { namespace = '', labels } = object.metadata;
    const footprints = alike.map(({ template }) => {
      const fit = matcher.fit(shapes.of(template, namespace, extendedResourcesOf(pool)), pool.node);
      // Pods that the declared devices do not explain hold some all the same.
      return 'misfit' in fit ? 'node' : fit.footprint;
    });
    const taken = (part: 'pods' | 'surge'): PoolLoad[] =>
      alike
        .map((one, i) => ({ pool, footprint: footprints[i] ?? 'node', pods: one[part] }))
        .filter(({ footprint }) => footprint.length > 0);
    const [pods, surge] = [taken('pods'), taken('surge')];
    const deployment = `${namespace}/${labels?.[DEPLOYMENT_LABEL] ?? object.metadata.name}`;
    return [{ id: `${object.kind} ${formatNamespacedName(object)}`, deployment, pool, pods, surge }];
  });
}

/** The extended resources that are devices there. With claims these are device classes, of which no container requests any. */
function extendedResourcesOf({ node: { kinds } }: Pool): ReadonlySet<string> {
  return new Set(kinds.flatMap(({ claimedAs }) => claimedAs ?? []));
}

function specFieldAt(object: LiveObject, path: readonly string[]): unknown {
  return valueAt(object, ['spec', ...path]);
}

function numberAt(object: LiveObject, path: readonly string[], otherwise: number): number {
  const found = specFieldAt(object, path);
  return typeof found === 'number' ? found : otherwise;
}
