import { localCluster } from '../../kubernetes/local-cluster';

/** What a deployment of the fleet declares. */
interface Bounds {
  readonly min: number;
  readonly max: number;

  /** The pods of one copy: those of a gang. */
  readonly size: number;
}

/** The bounds of each deployment. All copies of all fill the sixteen GPUs of the pool. */
export const BOUNDS = {
  busy: { min: 1, max: 5, size: 1 },
  quiet: { min: 1, max: 3, size: 1 },
  gang: { min: 1, max: 4, size: 2 },
} as const satisfies Readonly<Record<string, Bounds>>;

export type DeploymentName = keyof typeof BOUNDS;

/** What one copy of each deployment can bear. */
export const THRESHOLD = 4;

/** A fleet whose copies scale by the queue of their engines, with short times. */
export function fleetText({ prometheus, image }: { readonly prometheus: string; readonly image: string }): string {
  const deployments = Object.entries(BOUNDS).map(
    ([name, { min, max, size }]) => `---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: ${name}, namespace: ml }
spec:
  replicas: 1
  template:
    spec:
      engines:
        - name: main
          copies: { min: ${min}, max: ${max} }
          scaling:
            on: [{ queue: ${THRESHOLD} }]
            up: { pods: 2, every: 15s }
            down: { after: 1s }
          members:
${size === 1 ? member('') : member('role: Leader') + member(`role: Worker, worker: { nodes: ${size - 1} }`)}`,
  );
  return `${localCluster(2)}  monitoring: { prometheus: { serverAddress: "${prometheus}" } }
${deployments.join('')}`.replaceAll('IMAGE', image);
}

function member(role: string): string {
  return `            - ${role ? `{ ${role}, ` : '{ '}nodeSelector: { devices: ${DEVICES} }, template: ${TEMPLATE} }\n`;
}

const DEVICES = `[{ name: gpu, count: 1, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] }]`;
const CONTAINER = '{ name: engine, image: "vllm/vllm-openai:IMAGE", args: [Qwen/Qwen3-8B] }';
const TEMPLATE = `{ spec: { containers: [${CONTAINER}] } }`;
