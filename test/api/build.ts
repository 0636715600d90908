import type { FleetSettings } from '../../src/api/fleet-settings';
import type { Grant } from '../../src/api/grant';
import type { InferenceClass } from '../../src/api/inference-class';
import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { InferenceGateway } from '../../src/api/inference-gateway';
import { type Locate, parseResource, type Resource, resourceIdOf } from '../../src/api/kinds';
import type { ModelCache } from '../../src/api/model-cache';
import type { ModelDeployment } from '../../src/api/model-deployment';
import type { ModelEndpoint } from '../../src/api/model-endpoint';
import type { ModelService } from '../../src/api/model-service';
import type { Group } from '../../src/api/resource';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';

/** Part of a document, as a user would write it. */
export type Doc = Record<string, unknown>;

/** What any resource may say next to its spec. */
interface Common {
  group?: Group;
  labels?: Record<string, string>;
}

/** A resource from a document that must be good. `name` is `name` or `namespace/name`. */
export function parsed<K extends Resource['kind']>(
  kind: K,
  name: string,
  spec: Doc,
  { group = 'fleetwright.dev', labels = {} }: Common = {},
): Extract<Resource, { kind: K }> {
  const [own = '', namespace] = name.split('/').reverse();
  const metadata = { name: own, ...(namespace && { namespace }), labels };
  const result = parseResource({ apiVersion: `${group}/v1alpha1`, kind, metadata, spec });
  if ('findings' in result) throw new Error(`test builder: ${JSON.stringify(result.findings, null, 2)}`);
  return result.resource as Extract<Resource, { kind: K }>;
}

/** `count` NVIDIA GPUs of a node. */
export function gpus(count: number, { memory = '80Gi', architecture = 'Hopper', ...more }: Doc = {}): Doc {
  return {
    name: 'gpu',
    driver: 'gpu.nvidia.com',
    deviceClassName: 'gpu.nvidia.com',
    count,
    attributes: { architecture: { string: architecture } },
    capacity: { memory: { value: memory } },
    ...more,
  };
}

/**
 * A class whose nodes have eight GPUs and exist already.
 *
 * @example
 * aClass('l4', { devices: [gpus(1, { memory: '23034Mi', architecture: 'Ada Lovelace' })] });
 */
export function aClass(name: string, { group, labels, ...spec }: Common & Doc = {}): InferenceClass {
  // Without `from` a class is complete.
  return parsed('InferenceClass', name, { devices: [gpus(8)], ...spec }, common(group, labels)) as InferenceClass;
}

/** How each cloud makes a node, for classes that need it. */
export const MACHINES = {
  GKE: {
    provider: 'GKE',
    gke: { machineType: 'a3-highgpu-8g', accelerator: { type: 'nvidia-h100-80gb', count: 8 } },
  },
  EKS: {
    provider: 'EKS',
    eks: { instanceType: 'p5.48xlarge', accelerator: { type: 'nvidia-h100', count: 8 } },
  },
  AKS: {
    provider: 'AKS',
    aks: { vmSize: 'Standard_ND96isr_H100_v5', accelerator: { type: 'nvidia-h100', count: 8 } },
  },
} as const;

const SOURCES: Record<string, Doc> = {
  Existing: { source: 'Existing', existing: { secretRef: { name: 'kubeconfig' } } },
  GKE: { source: 'GKE', gke: { region: 'us-central1' } },
  EKS: { source: 'EKS', eks: { region: 'us-east-1' } },
  AKS: { source: 'AKS', aks: { location: 'westeurope' } },
  Nebius: { source: 'Nebius', nebius: {} },
  Vultr: { source: 'Vultr', vultr: { region: 'ewr' } },
};

/** A zone of the region of each cloud whose pools need one. */
const ZONES: Record<string, string[]> = { GKE: ['us-central1-a'], EKS: ['us-east-1a'], AKS: ['1'] };

export interface ClusterOptions extends Common, Doc {
  source?: string;

  /** Nodes of each pool, or more about it. The class has the name of the pool unless the row says otherwise. */
  pools?: Record<string, number | Doc>;
}

/**
 * An existing cluster.
 *
 * @example
 * aCluster('us-east', { pools: { h200: 4, l4: { nodeCount: 2, className: 'small' } }, labels: { tier: 'prod' } });
 */
export function aCluster(name: string, options: ClusterOptions = {}): InferenceCluster {
  const { group, labels, source = 'Existing', pools = {}, ...spec } = options;
  const zones = ZONES[source] ?? [];
  const nodePools = Object.entries(pools).map(([pool, size]) => ({
    name: pool,
    className: pool,
    zones,
    ...(typeof size === 'number' ? { nodeCount: size } : size),
  }));
  return parsed('InferenceCluster', name, { cluster: SOURCES[source], nodePools, ...spec }, common(group, labels));
}

/** A request for `count` devices that all selectors match. */
export function request(name: string, count: number, ...selectors: string[]): Doc {
  const cels = selectors.length > 0 ? selectors : ['device.driver == "gpu.nvidia.com"'];
  return { name, count, selectors: cels.map((cel) => ({ cel })) };
}

/** A member with one container. */
export function aMember({ gpus: count = 1, devices, args = [], ...member }: Doc = {}): Doc {
  const requests = devices ?? (count === 0 ? undefined : [request('gpu', Number(count))]);
  return {
    ...(requests !== undefined && { nodeSelector: { devices: requests } }),
    template: {
      spec: {
        containers: [
          { name: 'engine', image: 'vllm/vllm-openai:v0.11.0', args: ['Qwen/Qwen3-8B', ...(args as string[])] },
        ],
      },
    },
    ...member,
  };
}

interface EngineOptions extends Doc {
  /** GPUs of each pod. */
  gpus?: number;

  /** Requests of each pod, instead of `gpus`. */
  devices?: Doc[];

  /** Arguments after the model. */
  args?: string[];

  /** Workers next to a leader: makes the engine a gang of `workers + 1` nodes. */
  workers?: number;
}

/** An engine: a pod with one GPU, or a gang. */
export function anEngine(
  name: string,
  { gpus: count, devices, workers, args = [], ...engine }: EngineOptions = {},
): Doc {
  const needs = { gpus: count, devices, args };
  const members =
    workers === undefined
      ? [aMember(needs)]
      : [aMember({ ...needs, role: 'Leader' }), aMember({ ...needs, role: 'Worker', worker: { nodes: workers } })];
  return { name, members, ...engine };
}

interface DeploymentOptions extends Common, Doc {
  replicas?: number;
  priority?: number;
  allowPartial?: boolean;

  /** Labels of the replicas, where `labels` are those of the deployment. */
  replicaLabels?: Record<string, string>;

  /** The name of a cache. */
  cache?: string;

  /** How pods are replaced. */
  rollout?: unknown;

  /** The model that the deployment declares next to its engines. */
  model?: Doc | undefined;

  /** The replicas that have to serve. */
  minAvailable?: number;
}

/**
 * One replica of one engine with one GPU. Options beyond those named are fields of `template.spec`.
 *
 * @example
 * aDeployment('ml/qwen3', { replicas: 2, engines: [anEngine('main', { gpus: 8, workers: 1 })] });
 */
export function aDeployment(name: string, options: DeploymentOptions = {}): ModelDeployment {
  const {
    group,
    labels,
    replicas = 1,
    priority = 0,
    allowPartial = false,
    replicaLabels = {},
    cache,
    rollout = {},
    model,
    minAvailable,
    ...more
  } = options;
  // An engine that uses nothing of its cache gets a warning.
  const engine = anEngine('main', cache === undefined ? {} : { args: ['--tokenizer=/mnt/models'] });
  const spec = { engines: [engine], ...(cache && { modelCacheRef: { name: cache } }), ...more };
  const template = { metadata: { labels: replicaLabels }, spec };
  return parsed(
    'ModelDeployment',
    name,
    {
      replicas,
      priority,
      allowPartial,
      rollout,
      ...(model && { model }),
      ...(minAvailable !== undefined && { minAvailable }),
      template,
    },
    common(group, labels),
  );
}

/** A cache of a model from Hugging Face. */
export function aCache(name: string, { group, labels, ...spec }: Common & Doc = {}): ModelCache {
  const model = { source: 'HuggingFace', huggingFace: { repo: 'Qwen/Qwen3-8B' }, sizeGiB: 20 };
  return parsed('ModelCache', name, { ...model, ...spec }, common(group, labels));
}

/** A service over the endpoints that each selector finds, with equal weights. */
export function aService(name: string, ...selectors: Record<string, string>[]): ModelService {
  return parsed('ModelService', name, {
    endpoints: selectors.map((matchLabels) => ({ selector: { matchLabels } })),
  });
}

/** An external endpoint. */
export function anEndpoint(name: string, { group, labels, ...spec }: Common & Doc = {}): ModelEndpoint {
  return parsed('ModelEndpoint', name, { url: 'https://api.example.com', ...spec }, common(group, labels));
}

/** A gateway on the named clusters. */
export function aGateway(name: string, ...clusters: string[]): InferenceGateway {
  return parsed('InferenceGateway', name, { clusters });
}

/** A grant to one namespace for targets of a kind with these labels. */
export function aGrant(name: string, from: string, to: Doc): Grant {
  return parsed('Grant', name, { from: [{ namespace: from }], to: [to] });
}

/** Settings of the fleet. */
export function settings(name: string, defaults: Doc): FleetSettings {
  return parsed('Fleet', name, { defaults });
}

/** Places of fields as tests show them: `ModelDeployment ml/qwen3 spec.replicas`. */
export const byPath: Locate = (resource, path) => `${resourceIdOf(resource)} ${path.join('.')}`;

function common(group: Group | undefined, labels: Record<string, string> | undefined): Common {
  return { ...(group && { group }), ...(labels && { labels }) };
}

/** The problems that something is rejected with, a line each. */
export function listProblems(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof FleetwrightError) return error.diagnostics.map(formatDiagnostic);
    throw error;
  }
}
