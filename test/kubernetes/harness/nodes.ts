import type { InferenceClass } from '../../../src/api/inference-class';
import type { InferenceCluster } from '../../../src/api/inference-cluster';
import type { NodePool } from '../../../src/api/node-pool';
import { groupBy } from '../../../src/base/order';
import type { Fleet } from '../../../src/fleet/fleet';
import type { Doc, KubeObject } from './client';

type Device = InferenceClass['spec']['devices'][number];

/**
 * The objects that stand for the nodes of a cluster: a Node each, and a ResourceSlice for each driver on it, or on
 * clusters without DRA what device plugins count.
 */
export function nodesOf(fleet: Fleet, cluster: InferenceCluster, prefix: string): KubeObject[] {
  return cluster.spec.nodePools.flatMap((pool) => {
    const nodeClass = fleet.classes.find(({ metadata }) => metadata.name === pool.className);
    const count = pool.maxNodeCount ?? pool.nodeCount;
    return Array.from({ length: count }, (_, i) =>
      nodeObjects(`${prefix}-${pool.name}-${i}`, nodeClass, {
        dra: cluster.spec.dra,
        labels: { ...pool.labels, [cluster.spec.poolLabel]: pool.name },
        taints: taintsOf(pool, cluster),
      }),
    ).flat();
  });
}

interface NodeOptions {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints?: readonly Doc[];
  readonly dra?: boolean;
}

/** A node of a class with its slices, or with what its device plugins count. */
export function nodeObjects(
  name: string,
  nodeClass: InferenceClass | undefined,
  { labels, taints = [], dra = true }: NodeOptions,
): KubeObject[] {
  const devices = (nodeClass?.spec.devices ?? []).filter(({ claim }) => claim === 'DRA');
  const byDriver = groupBy(devices, ({ driver }) => driver);
  const stated = statedOf(nodeClass);
  if (!dra) return [node(name, { labels, taints }, { ...stated, ...countedOf(devices) })];
  return [
    node(name, { labels, taints }, stated),
    ...[...byDriver].map(([driver, entries]) => slice(name, driver, entries.flatMap(published))),
  ];
}

/** What the class says of CPU and memory. */
function statedOf(nodeClass: InferenceClass | undefined): Record<string, string> {
  const { cpu, memory } = nodeClass?.spec.node?.allocatable ?? {};
  return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
}

/** The device classes that the claims of a fleet name, each for all devices of its driver. */
export function deviceClassesOf({ classes }: Fleet): KubeObject[] {
  const drivers = new Map(
    classes.flatMap(({ spec }) =>
      spec.devices.flatMap(({ deviceClassName, driver }) =>
        deviceClassName === undefined ? [] : [[deviceClassName, driver] as const],
      ),
    ),
  );
  return [...drivers].map(([name, driver]) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name },
    spec: { selectors: [{ cel: { expression: `device.driver == ${JSON.stringify(driver)}` } }] },
  }));
}

/** The declared taints, and the one that clouds and operators put on nodes with GPUs. */
function taintsOf(pool: NodePool, { spec }: InferenceCluster): Doc[] {
  const declared = pool.taints.map(({ key, value, effect }) => ({ key, effect, ...(value && { value }) }));
  const value = spec.cluster.source === 'EKS' ? 'true' : 'present';
  const gpu = { key: 'nvidia.com/gpu', value, effect: 'NoSchedule' };
  return declared.some(({ key }) => key === gpu.key) ? declared : [...declared, gpu];
}

const CAPACITY = { cpu: '192', memory: '2Ti', pods: '250', 'ephemeral-storage': '1Ti' };

/** What device plugins report of a node. */
function countedOf(devices: readonly Device[]): Record<string, string> {
  const counted = groupBy(devices, ({ extendedResource }) => extendedResource ?? '');
  return Object.fromEntries(
    [...counted]
      .filter(([resource]) => resource !== '')
      .map(([resource, own]) => [resource, String(own.reduce((sum, { count }) => sum + count, 0))]),
  );
}

function node(
  name: string,
  { labels, taints = [] }: NodeOptions,
  counted: Readonly<Record<string, string>> = {},
): KubeObject {
  const now = new Date().toISOString();
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        ...labels,
      },
    },
    spec: { taints },
    status: {
      capacity: { ...CAPACITY, ...counted },
      allocatable: { ...CAPACITY, ...counted },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
    },
  };
}

function slice(node: string, driver: string, devices: readonly Doc[]): KubeObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `${node}-${driver}` },
    spec: {
      driver,
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount: 1 },
      devices,
    },
  };
}

function published({ name, count, attributes, capacity, allowMultipleAllocations }: Device): Doc[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `${name}-${i}`,
    attributes,
    capacity,
    ...(allowMultipleAllocations && { allowMultipleAllocations }),
  }));
}
