import { localCluster } from '../local-cluster';

/** What is declared of the deployments: the tag of the image of each. */
export type Tags = Readonly<Record<string, number>>;

/** How many replicas of a deployment may be down at a time. */
export const PARALLEL: Readonly<Record<string, number>> = { one: 1, two: 2, gang: 1, all: 3 };

const DEVICES = `devices: [{ name: gpu, count: 8, selectors: [{ cel: 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"' }] }]`;

/** A fleet of one cluster `local`, with replicas that are replaced one by one, in pairs, as gangs, and all at once. */
export function fleetOf(tags: Tags): string {
  const image = (name: string): string => `"vllm/vllm-openai:v0.23.${tags[name] ?? 0}"`;
  const container = (name: string, more = ''): string =>
    `{ name: engine, image: ${image(name)}, args: [Qwen/Qwen3-8B, -tp=8${more}] }`;
  const alone = (name: string): string =>
    `members: [{ nodeSelector: { ${DEVICES} }, template: { spec: { containers: [${container(name)}] } } }]`;
  const ofGang = container('gang', ', -pp=2');
  return `${HARDWARE}${[
    deployment('one', 3, '{ parallel: 1 }', alone('one')),
    deployment('two', 4, '{ parallel: 2 }', alone('two')),
    deployment('all', 3, 'Recreate', alone('all')),
    deployment(
      'gang',
      2,
      '{ parallel: 1 }',
      `members: [${[
        `{ role: Leader, nodeSelector: { ${DEVICES} }, template: { spec: { containers: [${ofGang}] } } }`,
        `{ role: Worker, worker: { nodes: 1 }, nodeSelector: { ${DEVICES} }, template: { spec: { containers: [${ofGang}] } } }`,
      ].join()}]`,
    ),
  ].join('')}`;
}

function deployment(name: string, replicas: number, rollout: string, members: string): string {
  return `---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: ${name}, namespace: ml }
spec:
  replicas: ${replicas}
  rollout: ${rollout}
  template:
    spec:
      engines:
      - name: main
        ${members}
`;
}

const HARDWARE = localCluster(16);
