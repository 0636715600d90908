import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import type { Doc } from '../../api/build';

/** Pods of one template that the controller of KServe makes. */
export interface MadePods {
  /** The Deployment or LeaderWorkerSet, and the member of it. */
  readonly workload: string;
  readonly member: 'pod' | 'leader' | 'worker';
  readonly pods: number;

  /** The pods that a rollout adds. */
  readonly surge: number;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  readonly spec: Doc & { containers: Doc[]; resourceClaims?: { resourceClaimTemplateName: string }[] };
}

interface Workload {
  replicas?: number;
  parallelism?: { pipeline?: number; data?: number; dataLocal?: number };
  rolloutStrategy?: { maxSurge?: number };
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  template: MadePods['spec'];
  worker?: MadePods['spec'];
}

/**
 * What the controller makes of a service where every preset is empty, by the rules of workload_single_node.go,
 * workload_multi_node.go and config_merge.go of kserve aaac4e294: names, labels, sizes and the expansion of templates.
 */
export function controllerPods({ metadata, spec }: Manifest): MadePods[] {
  const top = expanded(spec) as Workload & { prefill?: Workload };
  const role = top.prefill ? 'decode' : 'both';
  return [
    ...podsOf(metadata.name, top, { role, suffix: '' }),
    ...(top.prefill ? podsOf(metadata.name, top.prefill, { role: 'prefill', suffix: '-prefill' }) : []),
  ];
}

/** The label of LeaderWorkerSet with the place of a pod in its group. */
const GROUP_INDEX = 'leaderworkerset.sigs.k8s.io/worker-index';

function podsOf(name: string, workload: Workload, { role, suffix }: { role: string; suffix: string }): MadePods[] {
  const { replicas = 1, template, worker, labels = {}, annotations = {}, rolloutStrategy } = workload;
  const base = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'llminferenceservice' };
  const component = (member: string) => ({
    'app.kubernetes.io/component': `llminferenceservice-workload${member}${suffix}`,
  });
  const serves = { 'kserve.io/component': 'workload', 'llm-d.ai/role': role };
  if (!worker) {
    const surge = rolloutStrategy ? (rolloutStrategy.maxSurge ?? 0) : Math.ceil(replicas / 4);
    const own = { ...base, ...component(''), ...serves, ...labels };
    const workloadName = `${name}-kserve${suffix}`;
    return [{ workload: workloadName, member: 'pod', pods: replicas, surge, labels: own, annotations, spec: template }];
  }
  const groups = { workload: `${name}-kserve-mn${suffix}`, annotations };
  const surge = rolloutStrategy?.maxSurge ?? 0;
  const workers = sizeOf(workload) - 1;
  return [
    {
      ...groups,
      member: 'leader',
      pods: replicas,
      surge,
      labels: { ...base, ...component('-leader'), ...serves, ...labels, [GROUP_INDEX]: '0' },
      spec: template,
    },
    {
      ...groups,
      member: 'worker',
      pods: replicas * workers,
      surge: surge * workers,
      labels: { ...base, ...component('-worker'), ...labels, [GROUP_INDEX]: '1' },
      spec: worker,
    },
  ];
}

/** `GetSize` of llm_inference_service_types_func.go. */
function sizeOf({ parallelism: { pipeline, data, dataLocal } = {} }: Workload): number {
  if (data !== undefined || dataLocal !== undefined) return Math.max(1, Math.floor((data ?? 1) / (dataLocal ?? 1)));
  if (pipeline === undefined) throw new Error('the webhook rejects workers without parallelism');
  return pipeline;
}

/** A spec after its expansion as a Go template, with the one action that Fleetwright writes. */
function expanded(spec: unknown): unknown {
  const text = JSON.stringify(spec);
  const open = '{{`{{`}}';
  if (text.replaceAll(open, '').includes('{{')) throw new Error('the template does not parse');
  return JSON.parse(text.replaceAll(open, '{{'));
}
