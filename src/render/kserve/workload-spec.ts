import { backendMinorOf } from '../../api/kubernetes-features';
import type { Rollout } from '../../api/rollout';
import { KSERVE, KSERVE_POD_LABELS } from '../../catalog/backends';
import { kserveParallelismOf } from '../../engine/kserve-layout';
import type { Labels } from '../../manifest/kubernetes/labels-and-annotations';
import type { Json, JsonObject } from '../../manifest/kubernetes/manifest';
import { type ComputedEngine, type ComputedReplica, isServingRole } from '../../replicas/replica';
import { renderPodTemplate } from '../pod/pod';
import { replicasOf } from '../workloads';

/** Renders the pods of an engine, as the top level or as `prefill` of a service. */
export function renderWorkloadSpec(replica: ComputedReplica, engine: ComputedEngine): JsonObject {
  const { deployment, cluster } = replica;
  const { fields } = kserveParallelismOf(deployment, engine.engine);
  const templates = engine.members.map((member) => ({
    serves: isServingRole(member.member.role),
    template: renderPodTemplate(replica, engine, member) as unknown as PodTemplate,
  }));
  const [main, worker] = [true, false].map((serves) => templates.find((one) => one.serves === serves)?.template);
  if (!main) throw new Error(`bug: engine ${engine.engine.name} has no pod that serves`);
  const common = worker ? [main.metadata, worker.metadata] : [main.metadata];
  const labels = intersectionOf(common.map((one) => one.labels));
  const annotations = intersectionOf(common.map((one) => one.annotations ?? {}));
  return {
    ...replicasOf(engine.engine),
    ...(worker && { parallelism: fields }),
    ...(backendMinorOf(cluster) >= KSERVE.rolloutStrategySince && {
      rolloutStrategy: rolloutStrategyOf(deployment.spec.rollout),
    }),
    labels: Object.fromEntries(Object.entries(labels).filter(([key]) => !KSERVE_POD_LABELS.has(key))),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    template: nameMain(main.spec),
    ...(worker && { worker: nameMain(worker.spec) }),
  };
}

interface PodTemplate {
  readonly metadata: { readonly labels: Labels; readonly annotations?: Labels };
  readonly spec: JsonObject & { readonly containers: readonly JsonObject[] };
}

/** Returns what leader and workers have in common: KServe gives one set to both. */
function intersectionOf([first = {}, ...others]: readonly Labels[]): Labels {
  return Object.fromEntries(Object.entries(first).filter(([key, value]) => others.every((one) => one[key] === value)));
}

/** Renames the container of the engine, which is the first. The controller looks for it by name. */
function nameMain({ containers: [engine, ...helpers], ...spec }: PodTemplate['spec']): JsonObject {
  return { ...spec, containers: [{ ...engine, name: KSERVE.container }, ...helpers] };
}

/** Recreate has no form: all pods at once are unavailable instead. */
function rolloutStrategyOf({ strategy, surge }: Rollout): JsonObject {
  if (strategy === 'Recreate') return { maxSurge: 0, maxUnavailable: '100%' };
  return { maxSurge: surge, maxUnavailable: 1 - surge };
}

/** Escapes the opening of Go templates, as which the controller expands every text of a spec. */
export function escapeTemplates(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('{{', '{{`{{`}}');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(escapeTemplates);
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [
      key,
      inner === undefined ? inner : escapeTemplates(inner),
    ]),
  ) as JsonObject;
}
