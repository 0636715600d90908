import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { pluralize } from '../base/text';
import { TPU_RESOURCE } from '../catalog/tpus';
import type { Catalogue } from '../fleet/hardware/hardware';
import { sliceHostsOf } from '../fleet/hardware/tpu-slice';
import { checkAksPool } from './aks/check-pool';
import { isGpuPartition, machineOf } from './check-machine';
import { isTpuMachine } from './gke/node-pool';
import { checkZoneName, isZoneOfRegion, type ManagedCloud } from './managed-cloud';
import { SYSTEM_POOL } from './node-pools';

interface PoolToCheck {
  readonly cloud: ManagedCloud;
  readonly region: string;
  readonly cluster: InferenceCluster;
  readonly pool: NodePool;
  readonly declared: InferenceClass;
  readonly catalogue: Catalogue;
}

/** A check of one pool. Paths are relative to the pool. */
type PoolRule = (checked: PoolToCheck) => Iterable<Diagnostic<Path>>;

const checkZones: PoolRule = function* ({ cloud, region, pool }) {
  for (const [index, zone] of pool.zones.entries()) {
    const path = ['zones', index];
    yield* checkZoneName(cloud, zone, region, { path, cure: 'List its zones' });
    if (pool.zones.indexOf(zone) < index && isZoneOfRegion(cloud, zone, region)) {
      yield errorAt('duplicate', path, `the zone '${zone}' is listed twice`, 'Remove one');
    }
  }
};

const checkPoolName: PoolRule = function* ({ cloud, pool: { name } }) {
  if (name === SYSTEM_POOL) {
    const what = `'${name}' is the name of the pool for the cluster itself`;
    yield errorAt('bad-name', ['name'], what, 'Use another name');
  }
  if (cloud === 'GKE' && !/^[a-z]/.test(name)) {
    const what = `'${name}' is not a pool name on GKE`;
    yield errorAt('bad-name', ['name'], what, 'Start it with a letter');
  }
};

const checkNodesPerZone: PoolRule = function* ({ cloud, pool }) {
  const zones = new Set(pool.zones).size;
  if (cloud !== 'GKE' || pool.maxNodeCount !== undefined || zones === 0 || pool.nodeCount % zones === 0) return;
  const what = `${pluralize(pool.nodeCount, 'node')} cannot be split evenly over ${zones} zones, as GKE requires`;
  const hint = `Use a multiple of ${zones}, or set maxNodeCount for autoscaling`;
  yield errorAt('bad-size', ['nodeCount'], what, hint);
};

const checkFlexStart: PoolRule = function* ({ cloud, pool, declared }) {
  if (cloud !== 'GKE' || !declared.spec.provisioning?.gke?.flexStart) return;
  if (pool.maxNodeCount !== undefined && !pool.minNodeCount) return;
  const path = [pool.maxNodeCount === undefined ? 'maxNodeCount' : 'minNodeCount'];
  const what = `flexStart requires autoscaling from zero nodes, and pool '${pool.name}' has a fixed minimum`;
  yield errorAt('bad-size', path, what, 'Set maxNodeCount, and remove minNodeCount');
};

function singleZoneReasonOf({ cloud, pool, declared }: PoolToCheck): string | undefined {
  const { gke, eks } = declared.spec.provisioning ?? {};
  if (cloud === 'GKE' && sliceHostsOf(pool, declared) !== undefined) return 'a TPU slice of several nodes';
  if (cloud === 'GKE') return gke?.compactPlacement ? 'compactPlacement' : undefined;
  if (cloud === 'AKS') return pool.fabric.type === 'InfiniBand' ? 'InfiniBand' : undefined;
  if (pool.capacityBlock) return 'capacityBlock';
  return eks?.placementGroup ? 'placementGroup' : undefined;
}

const checkSingleZone: PoolRule = function* (checked) {
  const bound = singleZoneReasonOf(checked);
  if (!bound || new Set(checked.pool.zones).size <= 1) return;
  const what = `${bound} requires one zone, and pool '${checked.pool.name}' has several`;
  yield errorAt('bad-zone', ['zones'], what, 'Declare a pool for each zone');
};

/** Rejects spot nodes in a capacity block, which is paid in advance. The plan would use the spot price. */
const checkCapacityType: PoolRule = function* ({ pool, declared }) {
  if (!pool.capacityBlock || !declared.spec.provisioning?.eks?.spot) return;
  const what = `nodes of pool '${pool.name}' cannot come from a capacity block, because InferenceClass '${declared.metadata.name}' uses spot`;
  yield errorAt('bad-capacity-block', ['capacityBlock'], what, 'Use a class without spot, or remove it');
};

const checkMachineZones: PoolRule = function* (checked) {
  const { machine, type } = machineOf(checked.declared, checked.cloud, checked.catalogue);
  const { zones } = type ?? {};
  if (!zones) return;
  const inRegion = zones.filter((zone) => isZoneOfRegion(checked.cloud, zone, checked.region));
  for (const [index, zone] of checked.pool.zones.entries()) {
    if (zones.includes(zone)) continue;
    const hint = inRegion.length > 0 ? `Use one of ${inRegion.join(', ')}` : 'Use another region or instance type';
    const what = `${zone} does not have ${machine}, according to the catalog`;
    yield errorAt('bad-zone', ['zones', index], what, hint);
  }
};

/** The machine types to which GKE adds network cards for GPU traffic (GKE guide, DRANET). */
const WITH_DRANET = /^a(3|4|4x)-/;

/** Whether GKE can give nodes of a machine type the network cards for GPU traffic. */
export function hasDranet(machine: string): boolean {
  return WITH_DRANET.test(machine);
}

const checkFabric: PoolRule = function* ({ cloud, declared, catalogue }) {
  const { machine = '' } = machineOf(declared, cloud, catalogue);
  if (cloud === 'GKE' && declared.spec.provisioning?.gke?.fabric === 'DRANET' && !hasDranet(machine)) {
    const what = `InferenceClass '${declared.metadata.name}' has 'fabric: DRANET', and '${machine}' has no network cards for GPU traffic`;
    yield errorAt('bad-fabric', ['className'], what, 'Use A3, A4 or A4X machines, or remove it');
  }
};

/** The network for gangs that some machines of a cloud lack, and the machines that have it. */
export const FABRICS: Readonly<Partial<Record<ManagedCloud, { readonly type: string; readonly hint: string }>>> = {
  EKS: { type: 'EFA', hint: 'Remove it, or use a larger type' },
  AKS: { type: 'InfiniBand', hint: "Remove it, or use a size of the ND series with 'r' in its name" },
};

const checkMachineFabric: PoolRule = function* ({ cloud, pool, declared, catalogue }) {
  const { machine = '', type } = machineOf(declared, cloud, catalogue);
  const fabric = FABRICS[cloud];
  if (pool.fabric.type !== fabric?.type || type?.fabric !== 'Ethernet') return;
  yield errorAt('bad-fabric', ['fabric', 'type'], `'${machine}' has no ${fabric.type}`, fabric.hint);
};

const checkGpuPartitions: PoolRule = function* ({ cloud, declared }) {
  const { metadata, spec } = declared;
  if (!spec.devices.some(isGpuPartition)) return;
  const what = `InferenceClass '${metadata.name}' has partitions of GPUs, and new nodes on ${cloud} have whole GPUs`;
  const hint = 'Declare whole GPUs, or use an existing cluster with partitioned GPUs';
  yield errorAt('not-partitioned', ['className'], what, hint);
};

/** Without claims, only the device plugin publishes GPUs, and the plugin of GKE is part of the managed driver. */
const checkDevicePlugin: PoolRule = function* ({ cloud, cluster, declared }) {
  const machine = declared.spec.provisioning?.gke;
  if (cloud !== 'GKE' || cluster.spec.dra || !machine || isTpuMachine(machine)) return;
  if (machine.driver !== 'SelfManaged') return;
  const what = `the cluster has 'dra: false', and the driver of InferenceClass '${declared.metadata.name}' does not include a device plugin for its GPUs`;
  yield errorAt('wrong-driver', ['className'], what, "Use a class with 'driver: GKEManaged'");
};

/** GKE sets the taint whether it is declared or not, and pods tolerate only what is declared. */
const checkTpuTaint: PoolRule = function* ({ cloud, pool, declared }) {
  const machine = declared.spec.provisioning?.gke;
  if (cloud !== 'GKE' || !machine || !isTpuMachine(machine)) return;
  if (pool.taints.some(({ key, effect }) => key === TPU_RESOURCE && effect === 'NoSchedule')) return;
  const what = `GKE taints nodes with TPUs, and pool '${pool.name}' does not declare the taint`;
  const hint = `Add '{ key: ${TPU_RESOURCE}, value: present, effect: NoSchedule }'`;
  yield errorAt('no-taint', ['taints'], what, hint);
};

const checkAks: PoolRule = function* ({ cloud, pool, declared }) {
  const machine = declared.spec.provisioning?.aks;
  if (cloud === 'AKS' && machine) yield* checkAksPool({ pool, machine, declared });
};

const RULES: readonly PoolRule[] = [
  checkZones,
  checkPoolName,
  checkNodesPerZone,
  checkFlexStart,
  checkSingleZone,
  checkCapacityType,
  checkMachineZones,
  checkFabric,
  checkMachineFabric,
  checkGpuPartitions,
  checkDevicePlugin,
  checkTpuTaint,
  checkAks,
];

/** Checks for everything that makes the cloud reject a pool, or create a pool that differs from the plan. */
export function* checkNodePool(checked: PoolToCheck): Iterable<Diagnostic<Path>> {
  for (const rule of RULES) yield* rule(checked);
}
