import { DEPLOYMENT_LABEL } from '../api/labels';
import { listAt, valueAt } from '../base/json';
import { groupBy } from '../base/order';
import type { ApplyStep } from '../manifest/kubernetes/apply-order';
import { readCopyBounds } from '../manifest/kubernetes/copy-bounds';
import { SYNC_WAVE } from '../manifest/kubernetes/labels-and-annotations';
import type { Json, JsonObject, Manifest } from '../manifest/kubernetes/manifest';

/** The time to pull an image and to provision a node, before the probes of a pod start. */
const SECONDS_BEFORE_PROBES = 900;

/** Kinds that a rollout waits for, with the time for one pod or group. For a Deployment, it depends on the model. */
const AWAITED_KINDS: Readonly<Record<string, (spec: JsonObject) => number>> = {
  Deployment: ({ progressDeadlineSeconds }) =>
    typeof progressDeadlineSeconds === 'number' ? progressDeadlineSeconds : SECONDS_BEFORE_PROBES,
  LeaderWorkerSet: (spec) => SECONDS_BEFORE_PROBES + startupSecondsOf(spec),
  LLMInferenceService: (spec) => SECONDS_BEFORE_PROBES + startupSecondsOf(spec),
  // Its components are replaced at the same time.
  DynamoGraphDeployment: (spec) => {
    const copies = listAt(spec, ['components']).map((component) => Number(valueAt(component, ['replicas']) ?? 1));
    return (SECONDS_BEFORE_PROBES + startupSecondsOf(spec)) * Math.max(1, ...copies);
  },
};

/** The time in seconds that a rollout of all pods of an object can take, one after the other. 0 for one in no wave. */
export function rolloutSecondsOf(manifest: Manifest): number {
  const kind = waveOf(manifest) > 0 ? AWAITED_KINDS[manifest.kind] : undefined;
  if (!kind) return 0;
  const { spec = {} } = manifest;
  const fixed = typeof spec['replicas'] === 'number' ? spec['replicas'] : 1;
  return kind(spec) * Math.max(1, readCopyBounds(manifest)?.max ?? fixed);
}

/**
 * Makes the workloads of a wave, and what turns with them, depend on the workloads of the previous wave of the same
 * deployment. Objects in no wave come first, but after what they need: a route after the workloads that it leads to.
 */
export function orderByWave(steps: readonly ApplyStep[]): ApplyStep[] {
  const sorted = [...steps].sort((a, b) => turnOf(a.manifest) - turnOf(b.manifest));
  const byDeployment = groupBy(
    sorted.filter(({ manifest }) => waveOf(manifest) > 0),
    ({ manifest }) => deploymentOf(manifest),
  );
  const inWaves = sorted.map((step) => {
    const wave = turnOf(step.manifest);
    const earlier = (byDeployment.get(deploymentOf(step.manifest)) ?? []).filter(
      ({ manifest }) => waveOf(manifest) < wave,
    );
    const previous = Math.max(0, ...earlier.map(({ manifest }) => waveOf(manifest)));
    const needs = earlier.filter(({ manifest }) => waveOf(manifest) === previous).map(({ id }) => id);
    return needs.length > 0 ? { ...step, needs: [...step.needs, ...needs] } : step;
  });
  return orderByNeeds(inWaves);
}

/** Moves each step behind what it needs. */
function orderByNeeds(steps: readonly ApplyStep[]): ApplyStep[] {
  const waiting = new Map(steps.map((step) => [step.id, step]));
  const ordered: ApplyStep[] = [];
  const add = (step: ApplyStep): void => {
    if (!waiting.delete(step.id)) return;
    for (const id of step.needs) {
      const needed = waiting.get(id);
      if (needed) add(needed);
    }
    ordered.push(step);
  };
  steps.forEach(add);
  return ordered;
}

/** Returns 0 for an object in no wave: Namespaces and caches precede the waves, and other kinds are not awaited. */
export function waveOf(manifest: Manifest): number {
  return manifest.kind in AWAITED_KINDS ? annotatedWaveOf(manifest) : 0;
}

/** The wave in which a workload is replaced, or the NetworkPolicy of its pods with it. 0 for an object in no wave. */
export function turnOf(manifest: Manifest): number {
  return turnsWithWorkloads(manifest) ? annotatedWaveOf(manifest) : waveOf(manifest);
}

/** Whether an object is not awaited, and changes when the workloads of its replica are replaced. */
export function turnsWithWorkloads({ kind }: Pick<Manifest, 'kind'>): boolean {
  return kind === 'NetworkPolicy';
}

function annotatedWaveOf({ metadata }: Manifest): number {
  return Math.max(0, Number(metadata.annotations?.[SYNC_WAVE] ?? 0));
}

function deploymentOf({ metadata: { namespace = '', labels } }: Manifest): string {
  return `${namespace}/${labels[DEPLOYMENT_LABEL] ?? ''}`;
}

/** Returns the longest time that a startup probe in a spec gives a container, in seconds. */
function startupSecondsOf(value: Json | undefined): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return Math.max(0, ...value.map(startupSecondsOf));
  const seconds = Object.entries(value).map(([key, inner]: [string, Json | undefined]) =>
    key === 'startupProbe' ? probeSecondsOf(inner) : startupSecondsOf(inner),
  );
  return Math.max(0, ...seconds);
}

function probeSecondsOf(probe: Json | undefined): number {
  if (typeof probe !== 'object' || probe === null || Array.isArray(probe)) return 0;
  const { failureThreshold = 3, periodSeconds = 10 } = probe as JsonObject;
  return Number(failureThreshold) * Number(periodSeconds);
}
