import { DEPLOYMENT_LABEL } from '../api/labels';
import { groupBy } from '../base/order';
import type { ApplyStep } from '../manifest/kubernetes/apply-order';
import { SYNC_WAVE } from '../manifest/kubernetes/labels-and-annotations';
import type { Json, JsonObject, Manifest } from '../manifest/kubernetes/manifest';

/** How to wait for a workload. */
export interface RolloutWait {
  /** As long as a rollout of all its pods may take, one after the other. */
  readonly seconds: number;

  /** What makes the Kubernetes provider of Pulumi wait for a kind that it does not know. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Pulling an image, and asking for a node, before the probes of a pod begin. */
const SECONDS_BEFORE_PROBES = 900;

/** Kinds that are waited for. A Deployment says itself how long one pod may take, by the size of its model. */
const AWAITED_KINDS: Readonly<Record<string, (spec: JsonObject) => { perPod: number; waitFor?: string }>> = {
  Deployment: ({ progressDeadlineSeconds }) => ({
    perPod: typeof progressDeadlineSeconds === 'number' ? progressDeadlineSeconds : SECONDS_BEFORE_PROBES,
  }),
  LeaderWorkerSet: (spec) => ({
    perPod: SECONDS_BEFORE_PROBES + startupSeconds(spec),
    waitFor: 'condition=Available',
  }),
};

/** How to wait for an object, where rollouts go in waves. Undefined for what is in none. */
export function rolloutWaitOf(manifest: Manifest): RolloutWait | undefined {
  const kind = waveOf(manifest) > 0 ? AWAITED_KINDS[manifest.kind] : undefined;
  if (!kind) return undefined;
  const { spec = {} } = manifest;
  const { perPod, waitFor } = kind(spec);
  const pods = typeof spec['replicas'] === 'number' ? spec['replicas'] : 1;
  return {
    seconds: perPod * Math.max(1, pods),
    annotations: waitFor === undefined ? {} : { 'pulumi.com/waitFor': waitFor },
  };
}

/**
 * Steps in which the workloads of a wave need those of the wave before it, of the same deployment. What is in no wave
 * comes first and needs what it needed.
 */
export function orderByWave(steps: readonly ApplyStep[]): ApplyStep[] {
  const sorted = [...steps].sort((a, b) => waveOf(a.manifest) - waveOf(b.manifest));
  const byDeployment = groupBy(
    sorted.filter(({ manifest }) => waveOf(manifest) > 0),
    ({ manifest }) => deploymentOf(manifest),
  );
  return sorted.map((step) => {
    const own = waveOf(step.manifest);
    const earlier = (byDeployment.get(deploymentOf(step.manifest)) ?? []).filter(
      ({ manifest }) => waveOf(manifest) < own,
    );
    const before = Math.max(0, ...earlier.map(({ manifest }) => waveOf(manifest)));
    const needs = earlier.filter(({ manifest }) => waveOf(manifest) === before).map(({ id }) => id);
    return needs.length > 0 ? { ...step, needs: [...step.needs, ...needs] } : step;
  });
}

/** 0 for what is in none: Namespaces and caches come before waves, and all else is not waited for. */
function waveOf({ kind, metadata }: Manifest): number {
  return kind in AWAITED_KINDS ? Math.max(0, Number(metadata.annotations?.[SYNC_WAVE] ?? 0)) : 0;
}

function deploymentOf({ metadata: { namespace = '', labels } }: Manifest): string {
  return `${namespace}/${labels[DEPLOYMENT_LABEL] ?? ''}`;
}

/** The longest that a startup probe somewhere in a spec gives a container, in seconds. */
function startupSeconds(value: Json | undefined): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return Math.max(0, ...value.map(startupSeconds));
  const inner = Object.entries(value).map(([key, one]: [string, Json | undefined]) =>
    key === 'startupProbe' ? probeSeconds(one) : startupSeconds(one),
  );
  return Math.max(0, ...inner);
}

function probeSeconds(probe: Json | undefined): number {
  if (typeof probe !== 'object' || probe === null || Array.isArray(probe)) return 0;
  const { failureThreshold = 3, periodSeconds = 10 } = probe as JsonObject;
  return Number(failureThreshold) * Number(periodSeconds);
}
