import { clusterLabelsOf } from '../../api/cluster-labels';
import { reachableSourcesOf } from '../../api/cache/source-access';
import { cacheOffersOf } from '../../api/cluster-storage';
import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import { scalingSupportOf } from '../../api/load-metrics';
import {
  backendMinorOf,
  backendTypeOf,
  backendVersionOf,
  missingClaimFeaturesOf,
  schedulerTypeOf,
} from '../../api/kubernetes-features';
import type { NodePool } from '../../api/node-pool';
import { Interner } from '../../base/interning';
import { getOrCompute } from '../../base/memoize';
import { compareText, sortedBy } from '../../base/order';
import { TPU_DRIVER } from '../../catalog/tpus';
import { type PreparedDevice, prepareDevice } from '../../cel/device';
import { parseQuantity } from '../../cel/values/quantity';
import type { Fleet } from '../../fleet/fleet';
import { type Allocatable, machineCapacityOf } from '../../fleet/hardware/allocatable';
import type { Catalogue } from '../../fleet/hardware/hardware';
import { sliceHostsOf } from '../../fleet/hardware/tpu-slice';
import { priceOf } from '../../fleet/prices/node-price';
import type { CompiledBackend, CompiledCluster, Pool } from '../compiled-fleet';
import { withCounterSets } from './compile-counter-sets';
import { parseResources, RESOURCE_NAMES } from './resource-requests';
import type { DeviceCapacity, DeviceKind, NodeResource, NodeShape } from './shapes';

/** What clusters are compiled from. */
type Sources = Pick<Fleet, 'classes' | 'clusters' | 'hardware' | 'lost' | 'queues'>;

/** Compiles the clusters of a fleet with their pools, sorted by name. Pools of equal nodes share a shape. */
export function compileClusters({ classes, clusters, hardware, lost = [], queues = [] }: Sources): CompiledCluster[] {
  const nodes = new NodeCompiler(hardware.catalogue);
  const lostNodes = new Map(lost.map(({ cluster, pool, nodes: count }) => [`${cluster}/${pool}`, count]));
  const byName = new Map(classes.map((declared) => [declared.metadata.name, declared]));
  return sortedBy(clusters, ({ metadata }) => metadata.name).map((cluster) => {
    const { name } = cluster.metadata;
    const claiming = claimSupportOf(cluster);
    const queue = queues.find((one) => one.cluster === name);
    const pools = cluster.spec.nodePools.flatMap((pool): Pool[] => {
      const declared = byName.get(pool.className);
      if (!declared) return [];
      const sliceHosts = sliceHostsOf(pool, declared);
      const price = priceOf({ declared, cluster }, hardware.prices)?.perHour;
      return [
        {
          cluster: name,
          name: pool.name,
          className: pool.className,
          nodes: pool.maxNodeCount ?? pool.nodeCount,
          lost: lostNodes.get(`${name}/${pool.name}`) ?? 0,
          node: nodes.compile(declared, pool.reserved, pool.rack ? { ...claiming, rack: true } : claiming),
          ...(sliceHosts !== undefined && { sliceHosts }),
          packing: packingOf(pool, cluster),
          ...(price !== undefined && { price }),
          ...(queue && { queue }),
        },
      ];
    });
    return {
      name,
      labels: clusterLabelsOf(cluster),
      taints: cluster.spec.taints,
      pools: sortedBy(pools, (pool) => pool.name),
      ...compileBackend(cluster),
      ...compileCacheSupport(cluster),
      load: scalingSupportOf(cluster),
      paused: cluster.spec.paused,
    };
  });
}

/** What a cluster offers to caches, and which sources fill them. */
function compileCacheSupport(cluster: InferenceCluster): Pick<CompiledCluster, 'offers' | 'reaches'> {
  const reaches = reachableSourcesOf(cluster);
  return { offers: cacheOffersOf(cluster), ...(reaches && { reaches }) };
}

/** KAI packs the pods of a cluster whatever its pools declare. What gives each pod a node are the requests of pods. */
function packingOf({ packing }: NodePool, cluster: InferenceCluster): Pool['packing'] {
  return schedulerTypeOf(cluster) === 'KAI' && packing !== 'Exclusive' ? 'KAI' : packing;
}

function compileBackend(cluster: InferenceCluster): { readonly backend?: CompiledBackend } {
  const type = backendTypeOf(cluster);
  if (type === 'Native') return {};
  const { sharedNamespaces = [] } = cluster.spec.backend ?? {};
  const scheduler = schedulerTypeOf(cluster);
  const version = backendVersionOf(cluster);
  const minor = backendMinorOf(cluster);
  return { backend: { type, version, minor, scheduler, claims: cluster.spec.dra, sharedNamespaces } };
}

type Device = InferenceClass['spec']['devices'][number];
type Reserved = NodePool['reserved'];

interface ClaimSupport extends Pick<NodeShape, 'dra' | 'lacks' | 'scheduler'> {
  /** Whether the nodes are trays of one rack. */
  readonly rack?: true;
}

function claimSupportOf(cluster: InferenceCluster): ClaimSupport {
  const { dra } = cluster.spec;
  const scheduler = schedulerTypeOf(cluster);
  return { dra, lacks: missingClaimFeaturesOf(cluster), ...(dra && scheduler !== 'Default' && { scheduler }) };
}

/** Folds classes into node shapes: equal devices are prepared once, and equal nodes share a shape. */
class NodeCompiler {
  readonly #devices = new Interner<PreparedDevice>();
  readonly #nodes = new Interner<NodeShape>();
  readonly #known = new Map<InferenceClass, Map<string, NodeShape>>();

  constructor(private readonly catalogue: Catalogue) {}

  /** The nodes of a class, less what other workloads use on each, on a cluster with these features. */
  compile(declared: InferenceClass, reserved: Reserved, claiming: ClaimSupport): NodeShape {
    const key = JSON.stringify([reserved, claiming]);
    return getOrCompute(this.#known, declared, key, () => this.#compile(declared, reserved, claiming));
  }

  #compile(declared: InferenceClass, reserved: Reserved, claiming: ClaimSupport): NodeShape {
    const { spec } = declared;
    const devices = foldDevices(spec.devices, reserved, claiming);
    const most = machineCapacityOf(declared, this.catalogue);
    const resources = resourcesOf(spec.node.allocatable, most, { reserved, devices: devices.length });
    const parts = devices.map(([key, { name, count }]) => `${count} ${name} ${key}`);
    const divided = devices.some(([, { counterSet }]) => counterSet !== undefined) ? spec.counterSets : undefined;
    return this.#nodes.intern(JSON.stringify([parts, resources, claiming, divided]), () => {
      const kinds = devices.map(([key, device]) => this.#kind(key, device, claiming));
      const counts = [...kinds.map(({ count }) => count), ...resources.map(({ amount }) => amount)];
      const { rack, ...support } = claiming;
      const plain = { ...support, kinds, resources, counts };
      const declaredDevices = devices.map(([, device]) => device);
      const node = divided ? withCounterSets(plain, divided, declaredDevices) : plain;
      return rack ? { ...node, counts: [...node.counts, 1], channel: node.counts.length } : node;
    });
  }

  #kind(key: string, device: Device, claiming: ClaimSupport): DeviceKind {
    const { name, count } = device;
    const claimedAs = claimNameOf(device, claiming);
    return {
      name,
      count,
      ...(claimedAs !== undefined && { claimedAs }),
      prepared: this.#devices.intern(key, () => prepareDevice(device)),
      memory: memoryOf(device),
      capacities: capacitiesOf(device),
      shared: device.allowMultipleAllocations === true,
      ...(claiming.dra && device.driver === TPU_DRIVER && { wholeNode: true as const }),
      attributes: attributesOf(device),
    };
  }
}

/** Folds equal devices into one entry each, with a key to sort by. */
function foldDevices(
  declared: readonly Device[],
  { devices: reserved }: Reserved,
  claiming: ClaimSupport,
): [string, Device][] {
  const entries = new Map<string, Device>();
  for (const one of declared) {
    const device = canShare(claiming) ? one : { ...one, allowMultipleAllocations: false };
    if (device.claim === 'DRA' && claimNameOf(device, claiming) === undefined) continue;
    if (device.counterSet !== undefined && claiming.lacks.includes('partitions')) continue;
    const key = deviceKey(device, claiming);
    const count = device.count - (reserved[device.name] ?? 0) + (entries.get(key)?.count ?? 0);
    // A plugin may hand out any device of a resource, also those that other workloads use today.
    if (count > 0 || !claiming.dra) entries.set(key, { ...(entries.get(key) ?? device), count });
  }
  return [...entries].sort(([a], [b]) => compareText(a, b));
}

/** Whether the cluster knows shared devices. Other clusters allocate each device as a whole. */
function canShare({ dra, lacks }: ClaimSupport): boolean {
  return dra && !lacks.includes('capacity');
}

/** The name under which pods request a device. Nothing if it is synthetic, or if no device plugin counts it. */
export function claimNameOf(
  { claim, deviceClassName, extendedResource }: Device,
  { dra }: Pick<ClaimSupport, 'dra'>,
): string | undefined {
  if (claim !== 'DRA') return undefined;
  return dra ? deviceClassName : extendedResource;
}

/**
 * The allocatable CPU and memory, or else those of the machine, less the reserved part, as kinds after those of the
 * devices.
 */
function resourcesOf(
  allocatable: Allocatable,
  most: Allocatable,
  { reserved, devices }: { readonly reserved: Reserved; readonly devices: number },
): NodeResource[] {
  const taken = parseResources(reserved);
  const [stated, bounds] = [parseResources(allocatable), parseResources(most)];
  const known = RESOURCE_NAMES.flatMap((name) => {
    const amount = stated[name] ?? bounds[name];
    return amount === undefined ? [] : [{ name, amount: Math.max(0, amount - (taken[name] ?? 0)) }];
  });
  return known.map((resource, i) => ({
    ...resource,
    kind: devices + i,
    ...(stated[resource.name] === undefined && { isUpperBound: true as const }),
  }));
}

/** A key of everything by which a selector, or the ledger, can distinguish two devices. */
function deviceKey(device: Device, claiming: ClaimSupport): string {
  const { name, claim, driver, attributes, capacity, allowMultipleAllocations, counterSet, placements } = device;
  const facts = [...Object.entries(attributes), ...Object.entries(capacity)].sort(([a], [b]) => compareText(a, b));
  const key = [claim, claimNameOf(device, claiming) ?? null, driver, facts];
  // Devices of equal facts stay apart: each entry has placements of its own.
  const divided = counterSet === undefined ? [] : [counterSet, name, placements];
  return JSON.stringify([...key, ...(allowMultipleAllocations ? ['shared'] : []), ...divided], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

function capacitiesOf({ capacity }: Device): DeviceCapacity[] {
  return sortedBy(Object.entries(capacity), ([name]) => name).map(([name, { value, requestPolicy }]) => {
    const { default: standard = value, validValues, validRange } = requestPolicy ?? {};
    return {
      name,
      amount: numberOf(value),
      standard: numberOf(standard),
      ...(validValues && { values: validValues.map(numberOf) }),
      ...(validRange && { range: rangeOf(validRange) }),
    };
  });
}

type ValidRange = NonNullable<NonNullable<Device['capacity'][string]['requestPolicy']>['validRange']>;

function rangeOf({ min, max, step }: ValidRange): NonNullable<DeviceCapacity['range']> {
  return {
    min: numberOf(min),
    ...(max !== undefined && { max: numberOf(max) }),
    ...(step !== undefined && { step: numberOf(step) }),
  };
}

function numberOf(quantity: string): number {
  return parseQuantity(quantity).asApproximateFloat();
}

/** Drivers publish the memory of a device as the capacity `memory`, unqualified or with their domain. */
function memoryOf({ driver, capacity }: Device): number {
  const memory = capacity.memory ?? capacity[`${driver}/memory`];
  return memory ? numberOf(memory.value) : 0;
}

/** The attributes with their domain, which is the driver if the name has none. */
function attributesOf({ driver, attributes }: Device): Record<string, string> {
  const qualified = Object.entries(attributes).map(([name, form]) => {
    const [value] = Object.entries(form).map(([type, content]) => `${type} ${String(content)}`);
    return [name.includes('/') ? name : `${driver}/${name}`, value ?? ''];
  });
  return Object.fromEntries(qualified);
}
