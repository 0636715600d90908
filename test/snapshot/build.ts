import { stringify } from 'yaml';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { loadManifests } from '../../src/manifest/load-manifests';
import { checkSnapshots } from '../../src/snapshot/check-snapshots';
import { readSnapshots } from '../../src/snapshot/read-snapshots';

export type Json = Record<string, unknown>;

interface FleetOptions {
  /** Fields of the pool `h100`, which has two nodes. */
  pool?: Json;
  /** Further pools. */
  pools?: Json[];
  /** Fields of the class, whose nodes have eight GPUs. */
  inferenceClass?: Json;
  /** Fields of the cluster `us`. */
  cluster?: Json;
}

/** A GPU as a class declares it. */
export const GPU = {
  name: 'gpu',
  driver: 'gpu.nvidia.com',
  deviceClassName: 'gpu.nvidia.com',
  count: 8,
  attributes: { architecture: { string: 'Hopper' } },
  capacity: { memory: { value: '81559Mi' } },
};

/** The manifests of clusters `us`, with pools, and `eu`, without. */
export function manifests({ pool, pools = [], inferenceClass, cluster }: FleetOptions = {}): string {
  const source = { source: 'Existing', existing: { secretRef: { name: 'x' } } };
  const nodePools = [{ name: 'h100', className: 'h100', nodeCount: 2, ...pool }, ...pools];
  return documents(
    ours('InferenceClass', 'h100', { devices: [GPU], ...inferenceClass }),
    ours('InferenceCluster', 'us', { cluster: source, nodePools, ...cluster }),
    ours('InferenceCluster', 'eu', { cluster: source }),
  );
}

function ours(kind: string, name: string, spec: Json): Json {
  return { apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata: { name }, spec };
}

/** As kubectl prints it: without aliases for what stands twice. */
function yaml(object: Json): string {
  return stringify(object, { aliasDuplicateObjects: false });
}

/** Objects as a stream of YAML documents. */
export function documents(...objects: Json[]): string {
  return objects.map(yaml).join('---\n');
}

interface NodeOptions {
  labels?: Json;
  metadata?: Json;
  spec?: Json;
  ready?: string;
  status?: Json;
}

/** A node of the pool `h100` that is ready. */
export function node(name: string, options: NodeOptions = {}): Json {
  const { labels = { 'fleetwright.dev/pool': 'h100' }, metadata, spec = {}, ready = 'True', status } = options;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels, ...metadata },
    spec,
    status: { conditions: [{ type: 'Ready', status: ready }], ...status },
  };
}

interface SliceOptions {
  name?: string;
  count?: number;
  /** Fields of each device. */
  device?: Json;
  pool?: Json;
  spec?: Json;
}

/** The slice of a node with eight GPUs. */
export function slice(nodeName: string, options: SliceOptions = {}): Json {
  const { name = `${nodeName}-gpu`, count = 8, device, pool, spec } = options;
  const devices = Array.from({ length: count }, (_, i) => ({
    name: `gpu-${i}`,
    attributes: { architecture: { string: 'Hopper' }, uuid: { string: `GPU-${i}` } },
    capacity: { memory: { value: '81559Mi' } },
    ...device,
  }));
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name },
    spec: {
      driver: 'gpu.nvidia.com',
      nodeName,
      pool: { name: nodeName, generation: 1, resourceSliceCount: 1, ...pool },
      devices,
      ...spec,
    },
  };
}

interface PodOptions {
  labels?: Json;
  requests?: Json;
  spec?: Json;
  status?: Json;
}

/** A running pod of others on a node. */
export function pod(name: string, nodeName: string, { labels, requests, spec, status }: PodOptions = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'other', ...(labels && { labels }) },
    spec: { nodeName, containers: [{ name: 'c', ...(requests && { resources: { requests } }) }], ...spec },
    status: { phase: 'Running', ...status },
  };
}

/** What `kubectl get -o yaml` prints for several objects. */
export function list(...items: Json[]): string {
  return yaml({ apiVersion: 'v1', kind: 'List', items });
}

/** What snapshots by path say of a fleet, in words. */
export function judged(files: Record<string, string>, options: FleetOptions = {}) {
  const { resources, locate, problems } = loadManifests([{ path: 'fleet.yaml', text: manifests(options) }]);
  expect(problems).toEqual([]);
  const fleet = assemble(resources);
  const recorded = Object.entries(files).map(([path, text]) => ({ path, text }));
  const recording = readSnapshots(
    recorded,
    fleet.clusters.map(({ metadata }) => metadata.name),
  );
  const judgement = checkSnapshots(fleet, recording, locate);
  return {
    lost: Object.fromEntries(judgement.lost.map(({ cluster, pool, nodes }) => [`${cluster}/${pool}`, nodes])),
    queues: judgement.queues,
    problems: judgement.problems.map(formatDiagnostic),
    warnings: judgement.warnings.map(formatDiagnostic),
    notes: judgement.notes,
  };
}
