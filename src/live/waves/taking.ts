import { DEPLOYMENT } from '../../api/labels';
import type { Taken } from '../../scheduler/ledger';
import type { Matcher } from '../../scheduler/matcher';
import type { Pool } from '../../scheduler/model';
import { type Need, needKey } from '../../scheduler/need';
import { idOf, type LiveObject, textAt, valueAt } from '../live-object';
import { PodShapes } from './pod-shapes';

/** A workload on a pool, and what it takes of that. */
export interface Taking {
  /** Its kind, namespace and name. */
  readonly id: string;

  /** `namespace/name` of its deployment. */
  readonly deployment: string;
  readonly pool: Pool;

  /** What its pods take, and what those that a rollout adds take beside them. */
  readonly pods: readonly Taken[];
  readonly surge: readonly Taken[];
}

/** Whether a workload takes anything that it did not take before. */
export function isMore({ pool, pods, surge }: Taking, before: Taking | undefined): boolean {
  if (before?.pool !== pool) return true;
  return exceeds(pods, before.pods) || exceeds(surge, before.surge);
}

function exceeds(now: readonly Taken[], before: readonly Taken[]): boolean {
  return now.some(({ need }) => podsOf(now, need) > podsOf(before, need));
}

function podsOf(taken: readonly Taken[], need: Need): number {
  const key = needKey(need);
  const alike = taken.filter((one) => needKey(one.need) === key);
  return alike.reduce((sum, { pods }) => sum + pods, 0);
}

/** What workloads are read by. */
export interface Reading {
  readonly pools: readonly Pool[];

  /** The label on nodes that names their pool. */
  readonly poolLabel: string;
  readonly matcher: Matcher;
}

/** Pods of a workload that are alike. */
interface Alike {
  readonly template: unknown;
  readonly pods: number;
  readonly surge: number;
}

/** Workloads that waves wait for, by the pods that these make. */
const KINDS: Readonly<Record<string, (object: LiveObject) => readonly Alike[]>> = {
  Deployment: (object) => {
    const surge = numberAt(object, ['strategy', 'rollingUpdate', 'maxSurge'], 0);
    return [{ template: specAt(object, ['template']), pods: numberAt(object, ['replicas'], 1), surge }];
  },
  LeaderWorkerSet: (object) => {
    const groups = numberAt(object, ['replicas'], 1);
    const surge = numberAt(object, ['rolloutStrategy', 'rollingUpdateConfiguration', 'maxSurge'], 0);
    const workers = numberAt(object, ['leaderWorkerTemplate', 'size'], 1) - 1;
    const worker = specAt(object, ['leaderWorkerTemplate', 'workerTemplate']);
    const leader = specAt(object, ['leaderWorkerTemplate', 'leaderTemplate']);
    return [
      { template: leader, pods: groups, surge },
      { template: worker, pods: groups * workers, surge: surge * workers },
    ];
  },
};

/** What each workload among some objects takes of the pools of a cluster. Those that are on none of these take nothing. */
export function takingsOf(objects: readonly LiveObject[], { pools, poolLabel, matcher }: Reading): Taking[] {
  const shapes = new PodShapes(objects);
  return objects.flatMap((object): Taking[] => {
    const alike = KINDS[object.kind]?.(object) ?? [];
    const [name] = alike.map(({ template }) => textAt(template, ['spec', 'nodeSelector', poolLabel]));
    const pool = pools.find((one) => one.name === name);
    if (!pool) return [];
    const { namespace = '', labels } = object.metadata;
    const needs = alike.map(({ template }) => {
      const fit = matcher.fit(shapes.of(template, namespace, countedOn(pool)), pool.node);
      // Pods that the declared devices do not explain hold some all the same.
      return 'misfit' in fit ? 'node' : fit.need;
    });
    const taken = (part: 'pods' | 'surge'): Taken[] =>
      alike
        .map((one, i) => ({ pool, need: needs[i] ?? 'node', pods: one[part] }))
        .filter(({ need }) => need.length > 0);
    const [pods, surge] = [taken('pods'), taken('surge')];
    const deployment = `${namespace}/${labels?.[DEPLOYMENT] ?? object.metadata.name}`;
    return [{ id: `${object.kind} ${idOf(object)}`, deployment, pool, pods, surge }];
  });
}

/** The extended resources that are devices there. With claims these are device classes, of which no container requests any. */
function countedOn({ node: { kinds } }: Pool): ReadonlySet<string> {
  return new Set(kinds.flatMap(({ claimedAs }) => claimedAs ?? []));
}

function specAt(object: LiveObject, path: readonly string[]): unknown {
  return valueAt(object, ['spec', ...path]);
}

function numberAt(object: LiveObject, path: readonly string[], otherwise: number): number {
  const found = specAt(object, path);
  return typeof found === 'number' ? found : otherwise;
}
