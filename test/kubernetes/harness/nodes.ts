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
    ...[...byDriver].flatMap(([driver, entries]) => slicesOf(name, driver, entries, nodeClass?.spec.counterSets ?? [])),
  ];
}

type CounterSets = NonNullable<InferenceClass['spec']['counterSets']>;

/**
 * The slices of a driver on a node. Where devices take counters, these are in slices of their own, and so are the
 * devices of each counter set, as NVIDIA's driver publishes them: Kubernetes allows 8 sets and 64 such devices each.
 */
function slicesOf(node: string, driver: string, entries: readonly Device[], sets: CounterSets): KubeObject[] {
  const plain = entries.filter(({ counterSet }) => counterSet === undefined).flatMap(published);
  const used = sets.filter(({ name }) => entries.some(({ counterSet }) => counterSet === name));
  const single = used.flatMap((set) => Array.from({ length: set.count }, (_, i) => ({ set, i })));
  const shared = single.map(({ set, i }) => ({ name: `${set.name}-${i}`, counters: valuesOf(set.counters) }));
  const specs: Doc[] = [
    ...(plain.length > 0 || used.length === 0 ? [{ devices: plain }] : []),
    ...[...groupBy(shared.entries(), ([i]) => Math.floor(i / 8)).values()].map((some) => ({
      sharedCounters: some.map(([, set]) => set),
    })),
    ...single.map(({ set, i }) => ({ devices: entries.flatMap((entry) => partitionsOf(entry, set.name, i)) })),
  ];
  return specs.map((spec, i) => slice(node, driver, spec, { of: specs.length, number: i }));
}

/** The devices that an entry of the class has on one counter set, numbered set by set. */
function partitionsOf({ name, counterSet, placements = [], ...device }: Device, set: string, i: number): Doc[] {
  if (counterSet !== set) return [];
  return placements.map((takes, p) => ({
    name: `${name}-${i * placements.length + p}`,
    attributes: device.attributes,
    capacity: device.capacity,
    consumesCounters: [{ counterSet: `${set}-${i}`, counters: valuesOf(takes) }],
  }));
}

function valuesOf(amounts: Readonly<Record<string, string>>): Doc {
  return Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, { value }]));
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

function slice(
  node: string,
  driver: string,
  content: Doc,
  { of, number }: { readonly of: number; readonly number: number },
): KubeObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: number === 0 ? `${node}-${driver}` : `${node}-${driver}-${number}` },
    spec: {
      driver,
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount: of },
      ...content,
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
