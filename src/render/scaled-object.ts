import { copyBoundsOf, LABELS_PLACEHOLDER, MOST_SECONDS_BETWEEN_ADDITIONS } from '../api/engine-copies';
import type { ScalingSignal } from '../api/scaling';
import { parseDuration } from '../base/duration';
import type { Measure } from '../catalog/engines/engine-metrics';
import { HTTP_ADD_ON } from '../catalog/http-add-on';
import { RECORDED_SERIES, type RecordedLabel } from '../catalog/recording-rules';
import { startupSecondsOf } from '../engine/startup-and-shutdown';
import { objectLabelsOf, objectMetaOf, SYNC_WAVE } from '../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest, ObjectMeta } from '../manifest/kubernetes/manifest';
import { serviceNameOf, shortenName } from '../manifest/kubernetes/object-names';
import { modelSizeOf } from '../replicas/mounted-caches';
import type { ComputedEngine, ComputedReplica } from '../replicas/replica';
import { workloadReferenceOf } from './workload-names';

/** The kind of KEDA that scales a workload. */
export const SCALED_OBJECT = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject' } as const;

/** The annotation with which KEDA leaves a workload at the size that it has. */
const PAUSED = 'autoscaling.keda.sh/paused';

/** The time between two readings of the signals, in seconds. Prometheus has new values as often. */
const POLLING_SECONDS = 15;

/** The failed readings in a row after which KEDA keeps the size. */
const FAILURE_THRESHOLD = 3;

/** The time between two removals, in seconds. */
const REMOVAL_SECONDS = 60;

/**
 * Renders what scales the workload of an engine between its bounds. Empty for a fixed number of copies.
 *
 * A reading that fails, or has no value, is never taken for a lack of load: copies stay, and there are at least as many
 * as the lower bound. A copy that still loads takes no load off the others, so copies are added no faster than they
 * become ready.
 */
export function renderScaledObject(replica: ComputedReplica, computed: ComputedEngine): Manifest[] {
  const { scaling } = computed.engine;
  if (!scaling) return [];
  const scaleTargetRef = workloadReferenceOf(replica, computed.engine);
  const { min, max } = copyBoundsOf(computed.engine);
  return [
    {
      ...SCALED_OBJECT,
      metadata: metadataOf(replica, computed, scaleTargetRef.name),
      spec: {
        scaleTargetRef: { ...scaleTargetRef },
        pollingInterval: POLLING_SECONDS,
        ...(min === 0 && { cooldownPeriod: parseDuration(scaling.down.after) }),
        minReplicaCount: min,
        maxReplicaCount: max,
        // With 0, a failed reading would remove the last copy.
        fallback: {
          failureThreshold: FAILURE_THRESHOLD,
          replicas: Math.max(1, min),
          behavior: 'currentReplicasIfHigher',
        },
        advanced: { horizontalPodAutoscalerConfig: { behavior: behaviorOf(replica, computed) } },
        triggers: scaling.on.map((signal, i) => renderTrigger(signal, i, { replica, computed })),
      },
    },
  ];
}

function metadataOf(replica: ComputedReplica, { engine }: ComputedEngine, name: string): ObjectMeta {
  const { deployment, cluster, index, wave } = replica;
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name, index, engine: engine.name });
  const isPaused = deployment.spec.paused || cluster.spec.paused;
  // Without its workload, it never becomes ready, which an earlier wave would wait for.
  const annotations = { [SYNC_WAVE]: String(wave.cluster), ...(isPaused && { [PAUSED]: 'true' }) };
  return { ...objectMetaOf(deployment, name, labels), annotations };
}

function behaviorOf({ caches }: ComputedReplica, { engine }: ComputedEngine): JsonObject {
  const { up, down } = engine.scaling ?? {};
  const budget = Math.min(startupSecondsOf(engine, modelSizeOf(caches)), MOST_SECONDS_BETWEEN_ADDITIONS);
  const added = { type: 'Pods', value: up?.pods ?? 1, periodSeconds: up?.every ? parseDuration(up.every) : budget };
  const removed = { type: 'Pods', value: 1, periodSeconds: REMOVAL_SECONDS };
  return {
    scaleUp: { stabilizationWindowSeconds: 0, policies: [added] },
    scaleDown: { stabilizationWindowSeconds: parseDuration(down?.after ?? '0s'), policies: [removed] },
  };
}

/** What a signal reads, and what KEDA compares it with. */
interface Reading {
  readonly name: string;
  readonly query: string;
  readonly threshold: number;

  /** `AverageValue`: a sum, of which each copy bears a threshold. `Value`: an average over the copies. */
  readonly metricType: 'AverageValue' | 'Value';
}

function renderTrigger(
  signal: ScalingSignal,
  index: number,
  { replica, computed }: { readonly replica: ComputedReplica; readonly computed: ComputedEngine },
): JsonObject {
  if (signal.running !== undefined && copyBoundsOf(computed.engine).min === 0) {
    const interceptorRoute = serviceNameOf(replica.deployment.metadata);
    return {
      type: 'external-push',
      name: 'running',
      metadata: { scalerAddress: HTTP_ADD_ON.scalerAddress, interceptorRoute },
    };
  }
  const { name, query, threshold, metricType } = readingOf(signal, index, selectorOf(replica, computed));
  const serverAddress = replica.cluster.spec.monitoring?.prometheus.serverAddress ?? '';
  return {
    type: 'prometheus',
    name,
    metricType,
    metadata: { serverAddress, query, threshold: String(threshold), ignoreNullValues: 'false' },
  };
}

/** The labels of the series of an engine in a replica. */
function selectorOf({ deployment, cluster, index }: ComputedReplica, { engine }: ComputedEngine): string {
  const labels: Readonly<Record<RecordedLabel, string>> = {
    cluster: shortenName(cluster.metadata.name),
    namespace: deployment.metadata.namespace ?? '',
    deployment: shortenName(deployment.metadata.name),
    replica_index: String(index),
    engine: engine.name,
  };
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',');
}

function readingOf({ queue, running, kvUse, prometheus }: ScalingSignal, index: number, labels: string): Reading {
  if (prometheus) {
    const query = prometheus.query.replaceAll(LABELS_PLACEHOLDER, labels);
    return { name: `query-${index}`, query, threshold: prometheus.threshold, metricType: 'AverageValue' };
  }
  // Each selects one series. Several copies of Prometheus behind one address can answer with it several times.
  const recorded = (measure: Measure): string => `max(${RECORDED_SERIES[measure]}{${labels}})`;
  if (queue !== undefined) {
    return { name: 'queue', query: recorded('waiting'), threshold: queue, metricType: 'AverageValue' };
  }
  if (running !== undefined) {
    return { name: 'running', query: recorded('running'), threshold: running, metricType: 'AverageValue' };
  }
  return { name: 'kv-use', query: recorded('kvUse'), threshold: parseInt(kvUse ?? '', 10) / 100, metricType: 'Value' };
}
