import { parseResource, type Resource } from '../../../src/api/kinds';
import type { Around, Row } from './rows';

const GPU = {
  name: 'gpu',
  driver: 'gpu.nvidia.com',
  deviceClassName: 'gpu.nvidia.com',
  extendedResource: 'nvidia.com/gpu',
  count: 32,
};

/** More than any row has room for. */
const REPLICAS = 20;

/** A fleet of one node, and one deployment with the pod of a row, under a name that no other row has. */
export function declared({ engine, beside = [], before = [], pair }: Row, name: string): Resource[] {
  const pod = {
    spec: {
      containers: [container('engine', engine), ...beside.map(around('beside'))],
      ...(before.length > 0 && { initContainers: before.map(around('before')) }),
    },
  };
  const devices = [{ name: 'gpu', count: pair || engine ? 1 : 4, selectors: [{ cel: 'true' }] }];
  const members = [{ nodeSelector: { devices }, template: pod }];
  const engines = pair
    ? ['Prefill', 'Decode'].map((phase) => ({ name: phase.toLowerCase(), phase, members }))
    : [{ name: 'main', members }];
  const serving = pair ? { serving: { mode: 'PrefillDecode' } } : {};
  return [
    resource('InferenceClass', { name: 'box' }, { devices: [GPU], node: { allocatable: { cpu: '100' } } }),
    resource(
      'InferenceCluster',
      { name },
      {
        cluster: { source: 'Existing', existing: { secretRef: { name: 'kubeconfig' } } },
        dra: false,
        poolLabel: `${name}.test/pool`,
        nodePools: [{ name: 'p', className: 'box', nodeCount: 1 }],
      },
    ),
    resource(
      'ModelDeployment',
      { name, namespace: 'ns' },
      { replicas: REPLICAS, allowPartial: true, template: { spec: { engines, ...serving } } },
    ),
  ];
}

function container(name: string, cpu?: string): object {
  const resources = cpu === undefined ? {} : { resources: { requests: { cpu } } };
  return { name, image: 'vllm/vllm-openai:v0.23.0', args: ['m'], ...resources };
}

function around(where: string): (one: Around, i: number) => object {
  return ({ cpu, ...more }, i) => ({ ...container(`${where}-${i}`, cpu), ...more });
}

function resource(kind: string, metadata: object, spec: object): Resource {
  const parsed = parseResource({ apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata, spec });
  if ('findings' in parsed) throw new Error(`${kind}: ${JSON.stringify(parsed.findings)}`);
  return parsed.resource;
}
