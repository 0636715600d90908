import { valueAt } from '../../base/json';
import { DYNAMO, KSERVE, KSERVE_SERVING_LABELS } from '../../catalog/backends';
import type { Json, JsonObject } from './manifest';

/** What is known of a kind whose objects make the pods of engines. */
interface WorkloadKind {
  readonly apiVersion: string;

  /** The kind in paths of the API. */
  readonly plural: string;

  /** The fields of the spec of which a change replaces pods. */
  readonly podFields: readonly string[];

  /** The fields that cannot change in place. */
  readonly immutable: readonly string[];

  /** The labels of its pods, one entry for each template. Absent: the templates have them. */
  readonly podLabels?: (spec: JsonObject) => readonly JsonObject[];
}

/** The kinds of workloads. Sources of immutable fields: validation of apps/v1, the webhooks of LeaderWorkerSet and KServe. */
export const WORKLOAD_KINDS: Readonly<Record<string, WorkloadKind>> = {
  Deployment: {
    apiVersion: 'apps/v1',
    plural: 'deployments',
    podFields: ['template'],
    immutable: ['spec.selector'],
  },
  LeaderWorkerSet: {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    plural: 'leaderworkersets',
    podFields: ['leaderWorkerTemplate', 'networkConfig'],
    immutable: ['spec.networkConfig', 'spec.leaderWorkerTemplate.subGroupPolicy'],
  },
  LLMInferenceService: {
    apiVersion: KSERVE.apiVersion,
    plural: 'llminferenceservices',
    podFields: ['template', 'worker', 'prefill', 'labels', 'annotations'],
    immutable: ['spec.parallelism', 'spec.prefill.parallelism'],
    podLabels: (spec) => {
      const { prefill } = spec;
      const main = servingLabelsOf(spec, isObject(prefill) ? 'decode' : 'both');
      return isObject(prefill) ? [main, servingLabelsOf(prefill, 'prefill')] : [main];
    },
  },
  DynamoGraphDeployment: {
    apiVersion: DYNAMO.apiVersion,
    plural: 'dynamographdeployments',
    podFields: ['components', 'annotations'],
    immutable: ['spec.backendFramework'],
    podLabels: ({ components }) =>
      (Array.isArray(components) ? components.filter(isObject) : []).map(
        (component) => (valueAt(component, ['podTemplate', 'metadata', 'labels']) ?? {}) as JsonObject,
      ),
  },
};

/** Whether objects of a kind make pods of engines. */
export function isWorkload({ kind }: { readonly kind: string }): boolean {
  return Object.hasOwn(WORKLOAD_KINDS, kind);
}

/** The labels that the controllers of KServe and LeaderWorkerSet give to the pods that serve. */
function servingLabelsOf({ labels, worker }: JsonObject, role: string): JsonObject {
  const leader = worker === undefined ? {} : { 'leaderworkerset.sigs.k8s.io/worker-index': '0' };
  return { ...KSERVE_SERVING_LABELS, 'llm-d.ai/role': role, ...leader, ...(labels as JsonObject | undefined) };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
