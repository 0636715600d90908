import { localCluster } from '../../kubernetes/local-cluster';

/** The bounds of each deployment. All copies of both fill the eight GPUs of the pool. */
export const BOUNDS = { busy: { min: 1, max: 5 }, quiet: { min: 1, max: 3 } } as const;

export type DeploymentName = keyof typeof BOUNDS;

/** What one copy of each deployment can bear. */
export const THRESHOLD = 4;

/** A fleet whose copies scale by the queue of their engines, with short times. */
export function fleetText({ prometheus, image }: { readonly prometheus: string; readonly image: string }): string {
  const deployments = Object.entries(BOUNDS).map(
    ([name, { min, max }]) => `---
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
            - nodeSelector:
                devices: [{ name: gpu, count: 1, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] }]
              template:
                spec:
                  containers: [{ name: engine, image: "vllm/vllm-openai:${image}", args: [Qwen/Qwen3-8B] }]
`,
  );
  return `${localCluster(1)}  monitoring: { prometheus: { serverAddress: "${prometheus}" } }
${deployments.join('')}`;
}
