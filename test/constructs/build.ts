import { App, type Chart } from 'cdk8s';
import {
  Fleet,
  type FleetProps,
  InferenceClass,
  InferenceCluster,
  ModelDeployment,
  type ModelDeploymentProps,
} from '../../constructs/index';
import type { EngineContainer } from '../../constructs/props/model-deployment';
import { FleetwrightError } from '../../src/base/errors';

/** A class of eight GPUs. */
export const EIGHT_GPUS = {
  devices: [
    {
      name: 'gpu',
      driver: 'gpu.nvidia.com',
      deviceClassName: 'gpu.nvidia.com',
      count: 8,
      capacity: { memory: { value: '81559Mi' } },
    },
  ],
} as const;

/** An engine that takes `count` GPUs. */
export function engine(count = 8) {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['Qwen/Qwen3-8B'] } as const;
  const containers: readonly [EngineContainer] = [container];
  return {
    name: 'main',
    members: [
      {
        nodeSelector: { devices: [{ name: 'gpu', count, selectors: [{ cel: 'true' }] }] },
        template: { spec: { containers } },
      },
    ],
  };
}

/** An existing cluster with one pool of a class. */
export function cluster(className: InferenceClass | string, nodeCount = 2) {
  return {
    cluster: { source: 'Existing', existing: { secretRef: { name: 'us' } } },
    namespaces: 'Managed',
    nodePools: [{ name: 'h100', className, nodeCount }],
  } as const;
}

/** A fleet of one cluster with two nodes of eight GPUs, without deployments. */
export function smallFleet(app = new App(), id = 'main', props: FleetProps = {}): Fleet {
  const fleet = new Fleet(app, id, props);
  const h100 = new InferenceClass(fleet, 'h100', EIGHT_GPUS);
  new InferenceCluster(fleet, 'us', cluster(h100));
  return fleet;
}

/** One replica of eight GPUs. */
export function deployment(fleet: Fleet, id = 'q', props: Partial<ModelDeploymentProps> = {}): ModelDeployment {
  return new ModelDeployment(fleet, id, { namespace: 'ml', replicas: 1, engines: [engine()], ...props });
}

/** What a call refuses: one line a problem. */
export function refusal(call: () => unknown): string[] {
  try {
    call();
  } catch (error) {
    if (error instanceof FleetwrightError) return error.message.split('\n');
    throw error;
  }
  return [];
}

/** What a place() as an ephemeral fleet refuses. */
export function placing(fleet: Fleet): string[] {
  return refusal(() => fleet.place({ lock: 'ephemeral' }));
}

/** The objects of a chart, as they are written. */
export function objectsOf(chart: Chart | undefined): { kind: string; metadata: { name: string } }[] {
  return (chart ? chart.toJson() : []) as { kind: string; metadata: { name: string } }[];
}
