import { copyBoundsOf } from '../api/engine-copies';
import type { Engine } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import { KSERVE, KSERVE_POD_LABELS } from '../catalog/backends';
import type { SchedulerType } from '../catalog/cluster-schedulers';
import { joinNames } from '../base/text';
import { gangSizeOf, type KServeEngines, kserveEnginesOf, kserveParallelismOf, workerOf } from './kserve-layout';

/** What the software for pods on a cluster cannot express of a deployment. */
export interface BackendLimit {
  /** A clause. */
  readonly what: string;

  /** The first minor version that can. Absent: none can. */
  readonly since?: number;

  /** What every version can instead. */
  readonly instead?: string;

  /** The schedulers of clusters with which it cannot. Absent: with any. */
  readonly with?: SchedulerType;

  /** Set if only pods with claims are affected, not those with extended resources. */
  readonly withClaims?: true;
}

/** Finds what KServe cannot express of a deployment, so that its replicas cannot run there. */
export function findKServeLimits(deployment: ModelDeployment): BackendLimit[] {
  const engines = kserveEnginesOf(deployment);
  const { engines: declared } = deployment.spec.template.spec;
  if (!engines) {
    const names = joinNames(declared.map(({ name }) => name));
    return [{ what: `KServe runs one engine, or one pair of prefill and decode, as a service, not ${names}` }];
  }
  return LIMITS.flatMap((find) => [...find(deployment, engines)]);
}

/** Whether a deployment needs a preset of KServe that others in its namespace use too. */
export function replacesShippedPreset(deployment: ModelDeployment): boolean {
  const { engines } = deployment.spec.template.spec;
  return engines.some((engine) => kserveParallelismOf(deployment, engine).shape !== 'pipeline');
}

type LimitFinder = (deployment: ModelDeployment, engines: KServeEngines) => Iterable<BackendLimit>;

const LIMITS: readonly LimitFinder[] = [
  function* divideModels(deployment) {
    for (const engine of deployment.spec.template.spec.engines) {
      const { unfit } = kserveParallelismOf(deployment, engine);
      if (unfit !== undefined) yield { what: unfit };
    }
  },

  function* shareLabels({ spec }) {
    const templates = spec.template.spec.engines.flatMap(({ members }) => members.map(({ template }) => template));
    const labels = [spec.template.metadata.labels, ...templates.map(({ metadata }) => metadata.labels)];
    const taken = [...new Set(labels.flatMap(Object.keys))].filter((key) => KSERVE_POD_LABELS.has(key)).sort();
    if (taken.length > 0) yield { what: `pods have the label ${joinNames(taken)}, by which KServe selects them` };
  },

  function* shareTemplates({ spec }) {
    for (const engine of spec.template.spec.engines) {
      const differing = differingFieldsOf(engine);
      if (differing.length === 0) continue;
      yield {
        what: `the leader and the workers of engine ${engine.name} have different ${joinNames(differing)}, and KServe gives both the same`,
      };
    }
  },

  function* replacePods({ spec }) {
    const { strategy, surge } = spec.rollout;
    const rolloutOf = strategy === 'Recreate' ? 'rollout Recreate' : `rollout.surge ${surge}`;
    for (const engine of spec.template.spec.engines) {
      if (rollsAsDeclared(engine, strategy === 'Recreate' ? 'Recreate' : surge)) continue;
      const what = `${rolloutOf} of engine ${engine.name}`;
      yield { what, since: KSERVE.rolloutStrategySince, ...insteadOf(engine) };
    }
  },

  function* queueGangs({ spec }) {
    for (const { name, members } of spec.template.spec.engines) {
      if (members.length < 2) continue;
      for (const scheduler of ['KAI', 'Volcano'] as const) {
        const what = `${scheduler} does not recognize the gangs of engine ${name} that KServe makes, so that they can start in part`;
        yield { what, with: scheduler };
      }
    }
  },
];

/** What the leader and the workers of an engine declare differently, of what KServe has once for both. */
function differingFieldsOf(engine: Engine): string[] {
  const worker = workerOf(engine)?.template;
  const leader = engine.members.find(({ role }) => role === 'Leader')?.template;
  if (!worker || !leader) return [];
  const fields = {
    labels: [leader.metadata.labels, worker.metadata.labels],
    annotations: [leader.metadata.annotations, worker.metadata.annotations],
    'service accounts': [leader.spec.serviceAccountName, worker.spec.serviceAccountName],
  };
  return Object.entries(fields).flatMap(([name, [a, b]]) => (textOf(a) === textOf(b) ? [] : [name]));
}

function textOf(value: unknown): string {
  return JSON.stringify(typeof value === 'object' && value !== null ? Object.entries(value).sort() : (value ?? null));
}

/** The most pods of a Deployment of which 25 % is one to add and none to remove: the default of Kubernetes. */
const MOST_COPIES_BY_DEFAULT = 3;

/** Whether the defaults of Kubernetes and LeaderWorkerSet, which early versions leave, replace copies as declared. */
function rollsAsDeclared(engine: Engine, rollout: number | 'Recreate'): boolean {
  const { max } = copyBoundsOf(engine);
  if (gangSizeOf(engine) > 1) return rollout === 0 || (rollout === 'Recreate' && max === 1);
  return rollout === 1 && max <= MOST_COPIES_BY_DEFAULT;
}

/** The rollout that every version replaces copies with, if it is one that a deployment can declare. */
function insteadOf(engine: Engine): Pick<BackendLimit, 'instead'> {
  if (gangSizeOf(engine) > 1) return { instead: 'rollout.surge 0' };
  return copyBoundsOf(engine).max <= MOST_COPIES_BY_DEFAULT ? { instead: 'rollout.surge 1' } : {};
}
