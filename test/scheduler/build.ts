import { type Locate, parseResource, type Resource } from '../../src/api/kinds';
import { qualifiedNameOf } from '../../src/api/resource';
import { assemble, type Fleet, type PreviousRevision } from '../../src/fleet/fleet';
import { compileFleet } from '../../src/plan/compile-fleet';
import type { CompiledFleet } from '../../src/scheduler/compiled-fleet';
import type { Placement } from '../../src/scheduler/placement';
import { schedule } from '../../src/scheduler/schedule';
import type { Schedule } from '../../src/scheduler/schedule-result';
import { digestShape } from '../../src/scheduler/shape-digest';

type Json = Record<string, unknown>;

function resource(kind: string, metadata: Json, spec: Json): Resource {
  const parsed = parseResource({ apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata, spec });
  if ('findings' in parsed) throw new Error(JSON.stringify(parsed.findings));
  return parsed.resource;
}

interface DeviceOptions {
  count?: number;
  memory?: string;
  architecture?: string;
  className?: string;
  synthetic?: boolean;
  extendedResource?: string;
  attributes?: Json;
  /** Several pods can have a part of one device each, with this policy for the memory. */
  shared?: Json;
  /** What it takes of the counter set `gpu`, one item for each device of a set. */
  placements?: Json[];
}

/** A device entry of a class: eight GPUs of 80 GiB unless said otherwise. */
export function device(name: string, options: DeviceOptions = {}): Json {
  const {
    count = 8,
    memory = '80Gi',
    architecture = 'Hopper',
    className = 'gpu.nvidia.com',
    synthetic,
    extendedResource,
    shared,
  } = options;
  return {
    name,
    driver: className,
    ...(options.placements ? { counterSet: 'gpu', placements: options.placements } : { count }),
    ...(synthetic ? { claim: 'Synthetic' } : { deviceClassName: className }),
    ...(extendedResource && { extendedResource }),
    attributes: { architecture: { string: architecture }, ...options.attributes },
    capacity: { memory: { value: memory, ...(shared && { requestPolicy: shared }) } },
    ...(shared && { allowMultipleAllocations: true }),
  };
}

/** A class of nodes with the given devices; eight GPUs where none are given. */
export function nodeClass(name: string, ...devices: Json[]): Resource {
  return nodeClassWith(name, {}, ...devices);
}

interface ClassOptions {
  /** The price of a node an hour. */
  price?: number;
  /** CPU and memory of a node. */
  allocatable?: Json;
  /** What partitions of its devices share. */
  counterSets?: Json[];
}

/** A class of nodes of which more is known than their devices. */
export function nodeClassWith(
  name: string,
  { price, allocatable = {}, counterSets }: ClassOptions,
  ...devices: Json[]
): Resource {
  return resource(
    'InferenceClass',
    { name },
    {
      devices: devices.length > 0 ? devices : [device('gpu')],
      node: { allocatable },
      ...(counterSets && { counterSets }),
      ...(price !== undefined && { price: { perHour: price } }),
    },
  );
}

/** The settings of the fleet: names for failure domains. */
export function fleetDomains(domains: Record<string, string>): Resource {
  return resource('Fleet', { name: 'main' }, { domains });
}

interface ClusterOptions {
  labels?: Record<string, string>;
  taints?: Json[];
  storage?: boolean;
  paused?: boolean;
  /** The version of Kubernetes, which nobody says otherwise. */
  version?: string;
  dra?: boolean;
  monitoring?: Json;
  /** Further fields of every pool. */
  pool?: Json;
}

/**
 * An existing cluster with pools written `class x nodes`, and their packing where it is not the default:
 * `cluster('us', { h100: 'h100 x 4', l4: 'l4 x 2 BinPack' })`.
 */
export function cluster(name: string, pools: Record<string, string>, options: ClusterOptions = {}): Resource {
  const { labels = {}, taints = [], storage, paused = false, dra = true, version, monitoring, pool: fields } = options;
  const nodePools = Object.entries(pools).map(([pool, size]) => {
    const [className, , nodes, packing = 'Spread'] = size.split(' ');
    return { name: pool, className, nodeCount: Number(nodes), packing, ...fields };
  });
  const existing = { secretRef: { name: 'kubeconfig' }, ...(version && { kubernetesVersion: version }) };
  return resource(
    'InferenceCluster',
    { name, labels },
    {
      cluster: { source: 'Existing', existing },
      taints,
      paused,
      dra,
      nodePools,
      ...(monitoring && { monitoring }),
      ...(storage && { storage: { sharedFilesystem: { storageClassName: 'rwx' } } }),
    },
  );
}

/** A request for devices with a selector: `ask('gpu', 8, 'true')`. */
export function ask(name: string, count: number, ...selectors: string[]): Json {
  const cels = selectors.length > 0 ? selectors : ['device.driver == "gpu.nvidia.com"'];
  return { name, count, selectors: cels.map((cel) => ({ cel })) };
}

/** A request that is met by the first of several forms that a node has. */
export function askFirst(name: string, ...forms: Json[]): Json {
  return { name, firstAvailable: forms };
}

/** A pod template whose container asks for CPU and memory. */
function podWith(resources: Json): Json {
  return { spec: { containers: [{ name: 'engine', image: 'ollama/ollama:0.12.0', resources }] } };
}

interface EngineOptions {
  copies?: number | { min: number; max: number };
  workers?: number;
  constraints?: Json[];
  /** Requests and limits of each container. */
  resources?: Json;
}

const OWN_QUERY = { query: 'sum(queue{$(labels)})', threshold: 1 };

/** An engine of one pod, or with `workers` a gang of a leader and that many workers; each pod asks for the same. */
export function engine(name: string, requests: Json[], options: EngineOptions = {}): Json {
  const { copies = 1, workers = 0, constraints = [], resources = {} } = options;
  const pod = { nodeSelector: { devices: requests, constraints }, template: podWith(resources) };
  const gang = [
    { role: 'Leader', ...pod },
    { role: 'Worker', worker: { nodes: workers }, ...pod },
  ];
  const scaling = typeof copies === 'number' ? {} : { scaling: { on: [{ prometheus: OWN_QUERY }] } };
  return { name, copies, ...scaling, members: workers > 0 ? gang : [pod] };
}

interface DeploymentOptions {
  replicas?: number;
  /** GPUs of the one pod of a replica. */
  gpus?: number;
  engines?: Json[];
  spec?: Json;
  template?: Json;
}

/** A deployment `namespace/name` of replicas of one pod with eight GPUs, unless said otherwise. */
export function deployment(id: string, options: DeploymentOptions = {}): Resource {
  const { replicas = 1, gpus = 8, engines = [engine('main', [ask('gpu', gpus)])], spec, template } = options;
  const [namespace, name] = id.split('/');
  return resource(
    'ModelDeployment',
    { namespace, name },
    { replicas, template: { spec: { engines, ...template } }, ...spec },
  );
}

/** A cache in a namespace, for the clusters that a selector names. */
export function cache(id: string, matchLabels?: Record<string, string>): Resource {
  const [namespace, name] = id.split('/');
  const clusterSelector = matchLabels && { clusterSelector: { matchLabels } };
  const source = { source: 'HuggingFace', huggingFace: { repo: 'a/b' }, sizeGiB: 1 };
  return resource('ModelCache', { namespace, name }, { ...source, ...clusterSelector });
}

export function fleetOf(...resources: Resource[]): Fleet {
  return assemble(resources);
}

export function modelOf(...resources: Resource[]): CompiledFleet {
  return modelAfter([], resources);
}

/** Schedules from the placements of an earlier schedule, and from what is known of an earlier form of the fleet. */
export function run(
  resources: readonly Resource[],
  previous: readonly Placement[] = [],
  before: readonly Resource[] = [],
): Schedule {
  return schedule(modelAfter(before, resources), previous);
}

/** What the scheduler sees of a fleet when it is known what its deployments were before. */
export function modelAfter(before: readonly Resource[], resources: readonly Resource[]): CompiledFleet {
  const former = assemble(before).deployments.map((declared): PreviousRevision => {
    const shape = digestShape(declared.spec.template.spec.engines);
    return { deployment: qualifiedNameOf(declared), shape, declared, text: '{}' };
  });
  return compileFleet({ ...assemble(resources), former }, locate);
}

const locate: Locate = ({ kind, metadata }, path) => `${kind} ${metadata.name}:${path.join('.')}`;

/** Placements as `deployment cluster/index pool`, `~` in front of those that are draining. */
export function placed({ placements }: Pick<Schedule, 'placements'>): string[] {
  return placements.map(({ deployment, cluster, index, pools, draining }) => {
    return `${draining ? '~' : ''}${deployment} ${cluster}/${index} ${Object.values(pools).join('+')}`;
  });
}
