import { DEPLOYMENT_LABEL } from '../../api/labels';
import { textAt, valueAt } from '../../base/json';
import type { Pool } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { PoolLoad } from '../../scheduler/ledger';
import { footprintKeyOf, type PodFootprint } from '../../scheduler/packing/pod-footprint';
import { formatNamespacedName, type LiveObject } from '../live-object';
import { PodShapes } from './pod-shapes';

/** A workload on a pool, and its load on the pool. */
export interface PoolUsage {
  /** The kind, namespace and name of the workload. */
  readonly id: string;

  /** `namespace/name` of its deployment. */
  readonly deployment: string;
  readonly pool: Pool;

  /** The load of its pods, and of the pods that a rollout adds (`surge`). */
  readonly pods: readonly PoolLoad[];
  readonly surge: readonly PoolLoad[];
}

/** Whether a workload needs more than before. */
export function usesMore({ pool, pods, surge }: PoolUsage, before: PoolUsage | undefined): boolean {
  if (before?.pool !== pool) return true;
  return exceeds(pods, before.pods) || exceeds(surge, before.surge);
}

function exceeds(now: readonly PoolLoad[], before: readonly PoolLoad[]): boolean {
  return now.some(({ footprint }) => countPods(now, footprint) > countPods(before, footprint));
}

function countPods(loads: readonly PoolLoad[], footprint: PodFootprint): number {
  const key = footprintKeyOf(footprint);
  const equal = loads.filter((one) => footprintKeyOf(one.footprint) === key);
  return equal.reduce((sum, { pods }) => sum + pods, 0);
}

/** The inputs for computing the usage of workloads. */
interface UsageContext {
  readonly pools: readonly Pool[];

  /** The node label that contains the name of the pool. */
  readonly poolLabel: string;
  readonly matcher: PodMatcher;
}

/** Pods of a workload with the same template. */
interface PodGroup {
  readonly template: unknown;
  readonly pods: number;
  readonly surge: number;
}

/** The workload kinds that waves wait for, with a function that lists their pods. */
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

/** Computes the usage of each workload on the pools of a cluster. Workloads on none of these pools are omitted. */
export function listPoolUsage(
  objects: readonly LiveObject[],
  { pools, poolLabel, matcher }: UsageContext,
): PoolUsage[] {
  const shapes = new PodShapes(objects);
  return objects.flatMap((object): PoolUsage[] => {
    const podGroups = POD_GROUPS_BY_KIND[object.kind]?.(object) ?? [];
    const [name] = podGroups.map(({ template }) => textAt(template, ['spec', 'nodeSelector', poolLabel]));
    const pool = pools.find((one) => one.name === name);
    if (!pool) return [];
    const { namespace = '', labels } = object.metadata;
    const footprints = podGroups.map(({ template }) => {
      const fit = matcher.fit(shapes.of(template, namespace, extendedResourcesOf(pool)), pool.node);
      // Pods that do not match the declared devices still hold some, so they count as a whole node.
      return 'misfit' in fit ? 'node' : fit.footprint;
    });
    const loadsOf = (part: 'pods' | 'surge'): PoolLoad[] =>
      podGroups
        .map((one, i) => ({ pool, footprint: footprints[i] ?? 'node', pods: one[part] }))
        .filter(({ footprint }) => footprint.length > 0);
    const [pods, surge] = [loadsOf('pods'), loadsOf('surge')];
    const deployment = `${namespace}/${labels?.[DEPLOYMENT_LABEL] ?? object.metadata.name}`;
    return [{ id: `${object.kind} ${formatNamespacedName(object)}`, deployment, pool, pods, surge }];
  });
}

/**
 * The extended resources that are devices of a pool. On a pool with claims these are device classes, which no
 * container requests.
 */
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
