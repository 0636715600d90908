import type { Engine } from '../api/engine';
import { copyBoundsOf, isAutoscaled, MOST_SECONDS_BETWEEN_ADDITIONS } from '../api/engine-copies';
import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import { sortUnique } from '../base/order';
import { capitalize, pluralize } from '../base/text';
import { BUILT_IN_MODELS, type ModelBook } from '../fleet/models/model-book';
import { type ComputedReplica, groupReplicasByDeployment } from '../replicas/replica';
import {
  type CopyStart,
  copyStartOf,
  longestStartOf,
  type StartRange,
  sumOf,
  weightsSizeOf,
} from '../replicas/start-time';

/** Describes the engines whose copies an autoscaler chooses: their bounds, and how long a further copy takes. */
export function describeScaling(replicas: readonly ComputedReplica[], models: ModelBook = BUILT_IN_MODELS): string[] {
  return [...groupReplicasByDeployment(replicas)].flatMap(([deployment, group]) => {
    const engines = group[0]?.engines.map(({ engine }) => engine).filter(isAutoscaled) ?? [];
    return engines.map((engine) => {
      const { min, max } = copyBoundsOf(engine);
      const count = `engine ${engine.name} has ${min} to ${max} copies in each replica`;
      const reserved = `the plan reserves devices for all ${max}`;
      const starts = findStarts(engine, group, models);
      const what = `${resourceIdOf(deployment)}: ${count}, and ${reserved}.`;
      return [what, describeStart(starts), ...describePace(engine, starts), ...describeWait(engine, starts)].join(' ');
    });
  });
}

/** How fast an autoscaler adds copies at most. */
export interface Pace {
  readonly pods: number;
  readonly minutes: number;
}

/**
 * Finds how far apart copies are added where the default keeps them further apart than a copy takes to start.
 *
 * @param group the replicas of its deployment
 */
export function findPace(
  engine: Engine,
  group: readonly ComputedReplica[],
  models = BUILT_IN_MODELS,
): Pace | undefined {
  return paceOf(engine, findStarts(engine, group, models));
}

function paceOf({ scaling }: Engine, starts: readonly Start[]): Pace | undefined {
  if (starts.length === 0 || scaling?.up.every !== undefined) return undefined;
  const minutes = Math.max(...starts.map(({ start }) => Math.min(start.budget, MOST_SECONDS_BETWEEN_ADDITIONS / 60)));
  const isSlower = starts.some(({ start }) => sumOf(start.engine, 'most') >= minutes);
  return isSlower ? undefined : { pods: scaling?.up.pods ?? 1, minutes };
}

/** `at most 1 copy every 30 minutes`. */
export function formatPace({ pods, minutes }: Pace): string {
  return `at most ${pods === 1 ? '1 copy' : `${pods} copies`} every ${minutes} minutes`;
}

function describePace(engine: Engine, starts: readonly Start[]): string[] {
  const pace = paceOf(engine, starts);
  return pace ? [`${capitalize(formatPace(pace))} (scaling.up.every).`] : [];
}

/** The time after which the clients of OpenAI for Python and JavaScript end a request, in minutes. */
const CLIENT_TIMEOUT = 10;

function describeWait(engine: Engine, starts: readonly Start[]): string[] {
  if (copyBoundsOf(engine).min > 0) return [];
  const longest = Math.max(...starts.map(({ start }) => longestStartOf(start)));
  const wait = `Without a copy, requests wait for the first one, at most ${longest} minutes`;
  const client = `clients of OpenAI end a request after ${CLIENT_TIMEOUT}, unless they set a timeout`;
  return [longest > CLIENT_TIMEOUT ? `${wait}: ${client}.` : `${wait}.`];
}

function describeStart(starts: readonly Start[]): string {
  const [longest] = [...starts].sort((a, b) => longestStartOf(b.start) - longestStartOf(a.start));
  if (!longest) return '';
  const text = describeEngineStart(longest.start);
  const growing = starts.find(({ start }) => start.node.length > 0);
  if (!growing) return `${text}.`;
  const pools = sortUnique(starts.flatMap(({ pool, start }) => (start.node.length > 0 ? [pool] : [])));
  const [least, most] = [sumOf(growing.start.node, 'least'), sumOf(growing.start.node, 'most')];
  const added = `${least} to ${most} minutes later where ${pools.join(', ')} ${growing.start.node.length > 1 ? 'must add a node for it' : 'uses a node in reserve'}`;
  return `${text}; and ${added}: ${formatParts(growing.start.node)}.`;
}

/** How long a copy takes: the sum of its parts where that is less than what its startup probe allows. */
function describeEngineStart({ engine, budget }: CopyStart): string {
  const [least, most] = [sumOf(engine, 'least'), sumOf(engine, 'most')];
  const parts = formatParts(engine);
  if (most >= budget) return `A further copy serves at most ${budget} minutes after it starts: ${parts}`;
  return `A further copy serves ${least} to ${most} minutes after it starts (startup budget: ${budget} min): ${parts}`;
}

interface Start {
  /** `cluster/pool`. */
  readonly pool: string;
  readonly start: CopyStart;
}

function findStarts(engine: Engine, group: readonly ComputedReplica[], models: ModelBook): Start[] {
  return group.flatMap(({ deployment, cluster, engines, caches }) => {
    const size = weightsSizeOf(deployment, engine, caches, models);
    return engines
      .filter((one) => one.engine === engine)
      .map(({ pool }) => ({
        pool: `${cluster.metadata.name}/${pool.name}`,
        start: copyStartOf(engine, pool, caches, size),
      }));
  });
}

function formatParts(parts: readonly StartRange[]): string {
  return parts.map(({ what, least, most }) => `${what} ${least === most ? most : `${least} to ${most}`}`).join(', ');
}

/** Describes the pools that keep nodes without engines. */
export function describeWarmNodes(clusters: readonly InferenceCluster[]): string[] {
  return clusters.flatMap(({ metadata, spec }) =>
    spec.nodePools.flatMap(({ name, overprovision }) => {
      if (overprovision === undefined) return [];
      const count = pluralize(overprovision, 'node');
      return [
        `InferenceCluster ${metadata.name}: pool ${name} keeps ${count} without engines, which cost as much as others.`,
      ];
    }),
  );
}
