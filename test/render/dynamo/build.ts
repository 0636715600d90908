import type { InferenceCluster } from '../../../src/api/inference-cluster';
import type { ModelDeployment } from '../../../src/api/model-deployment';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { aCluster, aDeployment, aMember, type Doc } from '../../api/build';
import { manifestsOf, ofKind } from '../build';

/** A GKE cluster that runs Dynamo. */
export function dynamoCluster(version = '1.6', more: Doc = {}): InferenceCluster {
  return aCluster('gke', { source: 'GKE', pools: { h100: 4 }, backend: { type: 'Dynamo', version }, ...more });
}

const VLLM_IMAGE = 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.3.1';

/** A member that starts a worker with these arguments, and what else the row says of its container. */
export function aWorkerMember(args: readonly string[], { container = {}, ...more }: Doc = {}): Doc {
  const start = { command: ['python3', '-m', 'dynamo.vllm'], args };
  const containers = [{ name: 'engine', image: VLLM_IMAGE, ...start, ...(container as Doc) }];
  return aMember({ gpus: 8, template: { spec: { containers } }, ...more });
}

/** A worker of Dynamo: one pod. */
export function aWorker(name = 'worker', { gpus = 8, args = ['--model=Qwen/Qwen3-8B'], ...engine }: Doc = {}): Doc {
  return { name, runtime: 'Dynamo', members: [aWorkerMember(args as string[], { gpus })], ...engine };
}

/** A worker of Dynamo on several nodes. Its workers start like its leader. */
export function aGang(name = 'worker', { nodes = 2, gpus = 8, worker = {}, ...engine }: Doc = {}): Doc {
  const members = [
    aWorkerMember(['--model=Qwen/Qwen3-235B', `--tensor-parallel-size=${Number(nodes) * Number(gpus)}`], {
      role: 'Leader',
      gpus,
    }),
    aMember({
      role: 'Worker',
      worker: { nodes: Number(nodes) - 1 },
      gpus,
      template: { spec: { containers: [{ name: 'engine', image: VLLM_IMAGE, ...(worker as Doc) }] } },
    }),
  ];
  return { name, runtime: 'Dynamo', members, ...engine };
}

/** A deployment of workers of Dynamo. */
export function aGraph(engines: readonly Doc[] = [aWorker()], more: Doc = {}): ModelDeployment {
  return aDeployment('ml/qwen3', { engines, ...more });
}

export const ON = dynamoCluster();
export const GRAPH = aGraph();
export const GANG_GRAPH = aDeployment('ml/gang', { engines: [aGang()] });
export const PHASES = aDeployment('ml/phases', {
  engines: [aWorker('prefill', { phase: 'Prefill', copies: 2 }), aWorker('decode', { phase: 'Decode' })],
});
export const GRAPHS = [GRAPH, GANG_GRAPH, PHASES];

/** The graph of a replica of a deployment. */
export function graphOf(deployment: ModelDeployment, cluster: InferenceCluster = ON): Manifest {
  return ofKind(manifestsOf(deployment, { cluster }), 'DynamoGraphDeployment')[0]!;
}

export interface Component extends Doc {
  name: string;
  type: string;
  replicas: number;
  multinode?: { nodeCount: number };
  podTemplate: {
    metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
    spec: Doc & { containers: Doc[]; resourceClaims?: { resourceClaimTemplateName: string }[] };
  };
}

export function componentsOf({ spec }: Manifest): Component[] {
  return spec?.['components'] as unknown as Component[];
}

/** The component of this name, and its container. */
export function mainOf(graph: Manifest, name: string): Doc {
  const [main] = componentsOf(graph).find((one) => one.name === name)!.podTemplate.spec.containers;
  return main!;
}
