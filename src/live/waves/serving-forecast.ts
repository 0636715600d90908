import { DYNAMO } from '../../catalog/backends';
import { REPLICA_INDEX_LABEL } from '../../api/labels';
import { listAt, textAt, valueAt } from '../../base/json';
import { groupBy } from '../../base/order';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { waveOf } from '../../render/rollout-waves';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { deploymentKeyOf, formatDeploymentKey } from './read-workloads';
import { effectOf } from './replaced-workloads';

/** A cluster, what runs there, and what is to run there. */
export interface ClusterUpdate {
  readonly cluster: string;
  readonly manifests: readonly Manifest[];

  /** Its Deployments and LeaderWorkerSets of the fleet. */
  readonly objects: readonly LiveObject[];
}

/** How many replicas of a deployment serve while an update is applied. */
export interface ServingForecast {
  /** `namespace/name`. */
  readonly deployment: string;

  /** Those that serve now. */
  readonly serving: number;

  /** The fewest where they are replaced in waves, and where all of them are replaced at once. */
  readonly withWaves: number;
  readonly atOnce: number;
}

/** A replica that serves now. */
interface ServingReplica {
  readonly deployment: string;

  /** `kept`: it serves during the update. `down`: it is replaced. `gone`: it is deleted. */
  readonly fate: 'kept' | 'down' | 'gone';

  /** The wave in which it is replaced. The clusters of a stack take turns. */
  readonly turn: string;
}

/** Computes how many replicas serve during an update of some deployments, as `namespace/name`, that replaces any. */
export function forecastServing(
  updates: readonly ClusterUpdate[],
  deployments: ReadonlySet<string>,
): ServingForecast[] {
  const replicas = updates.flatMap(listServingReplicas).filter(({ deployment }) => deployments.has(deployment));
  return [...groupBy(replicas, ({ deployment }) => deployment)].flatMap(([deployment, all]) => {
    const down = all.filter(({ fate }) => fate === 'down');
    if (down.length === 0) return [];
    const stay = all.filter(({ fate }) => fate === 'kept').length;
    const perTurn = [...groupBy(down, ({ turn }) => turn).values()].map(({ length }) => length);
    const withWaves = stay + down.length - Math.max(...perTurn);
    return [{ deployment, serving: all.length, withWaves, atOnce: stay }];
  });
}

function listServingReplicas({ cluster, manifests, objects }: ClusterUpdate): ServingReplica[] {
  const planned = groupBy(
    manifests.filter((one) => waveOf(one) > 0),
    replicaKeyOf,
  );
  const running = [...groupBy(objects, replicaKeyOf)].filter(([, all]) => all.every(isAvailable));
  return running.map(([key, all]) => {
    const next = planned.get(key) ?? [];
    const isDown = next.some((one) => effectOf(one, all) === 'replaced' && stopsFirst(one, all));
    const deployment = key.slice(0, key.indexOf(' '));
    const turn = `${cluster} ${Math.max(0, ...next.map(waveOf))}`;
    return { deployment, turn, fate: next.length === 0 ? 'gone' : isDown ? 'down' : 'kept' };
  });
}

function replicaKeyOf(object: Pick<LiveObject, 'metadata'>): string {
  const index = object.metadata.labels?.[REPLICA_INDEX_LABEL] ?? '';
  return `${formatDeploymentKey(deploymentKeyOf(object))} ${index}`;
}

/** Where the status of each kind counts what serves. */
const SERVING_COUNTS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['availableReplicas'],
  LeaderWorkerSet: ['readyReplicas'],
  LLMInferenceService: ['workloads', 'primary', 'readyReplicas'],
};

/** Where the spec of each kind bounds what is down at a time. Absent with a Deployment of KServe: none of few copies. */
const DOWN_BOUNDS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['strategy', 'rollingUpdate', 'maxUnavailable'],
  LeaderWorkerSet: ['rolloutStrategy', 'rollingUpdateConfiguration', 'maxUnavailable'],
  LLMInferenceService: ['rolloutStrategy', 'maxUnavailable'],
};

function isAvailable(object: LiveObject): boolean {
  if (object.kind === DYNAMO.kind) return textAt(object, ['status', 'state']) === DYNAMO.readyState;
  return Number(valueAt(object, ['status', ...(SERVING_COUNTS[object.kind] ?? [])]) ?? 0) > 0;
}

/** Whether all pods of a workload can be down at a time while they are replaced. */
function stopsFirst({ kind, metadata, spec }: Manifest, running: readonly LiveObject[]): boolean {
  if (textAt(spec, ['strategy', 'type']) === 'Recreate') return true;
  if (kind === DYNAMO.kind) return stopsGraphFirst(spec);
  const byDefault = kind === 'LLMInferenceService' && valueAt(spec, ['worker']) === undefined ? 0 : 1;
  const down = valueAt(spec, DOWN_BOUNDS[kind] ?? []) ?? byDefault;
  const live = running.find((one) => one.kind === kind && one.metadata.name === metadata.name);
  return (
    down === '100%' || Number(down) >= Number(valueAt(spec, ['replicas']) ?? valueAt(live, ['spec', 'replicas']) ?? 1)
  );
}

/** Whether all pods of a component of Dynamo can be down at a time. Grove has no annotations, and adds no pod first. */
function stopsGraphFirst(spec: Manifest['spec']): boolean {
  const { maxUnavailable, strategy } = DYNAMO.annotations;
  if (textAt(spec, ['annotations', strategy]) === 'Recreate') return true;
  const down = Number(valueAt(spec, ['annotations', maxUnavailable]) ?? 1);
  return listAt(spec, ['components']).some((component) => down >= Number(valueAt(component, ['replicas']) ?? 1));
}

/** `replicas that serve during the update, at least: ml/chat 1 of 2`. Undefined where none is replaced. */
export function formatForecast(forecasts: readonly ServingForecast[], waves: boolean): string | undefined {
  if (forecasts.length === 0) return undefined;
  const rows = forecasts.map(({ deployment, serving, withWaves, atOnce }) => {
    const other = waves || withWaves === atOnce ? '' : ` (${withWaves} with waves)`;
    return `${deployment} ${waves ? withWaves : atOnce} of ${serving}${other}`;
  });
  return `replicas that serve during the update, at least: ${rows.join(', ')}`;
}
