import { isProvider, PROVIDER_BLOCK } from '../../api/cloud-providers';
import type { ClusterSource } from '../../api/cluster-source';
import type { InferenceClass } from '../../api/inference-class';
import type { ResourcePath } from '../../api/kinds';
import type { NodePool } from '../../api/node-pool';
import { type Diagnostic, errorAt, relocate } from '../../base/diagnostic';
import { hintAtName } from '../../base/name-suggestion';
import { pluralize } from '../../base/text';
import { isNetworkClass } from '../../catalog/device-classes';
import { RACKS } from '../../catalog/racks';
import { TPU_DRIVER } from '../../catalog/tpus';
import { chipsOfTopology, sliceHostsOf, tpuChipsOf } from '../hardware/tpu-slice';
import { warmCpuOf } from '../hardware/warm-cpu';
import { describeUnknownReference, type FleetCheck } from './fleet-check';

/** Checks that the class of each pool is declared, and that the cloud of the cluster can provision its nodes. */
export const checkPoolClasses: FleetCheck = function* ({ classes, clusters }) {
  const known = classes.map(({ metadata }) => metadata.name);
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  const pools = clusters.flatMap((resource) =>
    resource.spec.nodePools.map(({ className }, index) => ({ resource, className, index })),
  );
  for (const { resource, className, index } of pools) {
    const path = ['spec', 'nodePools', index, 'className'];
    const found = byName.get(className);
    // A class without devices takes them from an unknown instance type, which is reported.
    if (found?.spec.devices.length === 0) continue;
    if (found) yield* checkCloud(found, resource.spec.cluster.source, { resource, path });
    else yield describeUnknownReference({ resource, path, kind: 'InferenceClass', name: className, known });
  }
};

/** Requires a `provisioning` block for the cloud of the cluster, if the cloud has such a block. */
function* checkCloud(
  { metadata, spec }: InferenceClass,
  source: ClusterSource,
  at: ResourcePath,
): Iterable<Diagnostic<ResourcePath>> {
  if (!isProvider(source)) return;
  const block = PROVIDER_BLOCK[source];
  if (spec.provisioning?.[block]) return;
  const what = spec.provisioning
    ? `InferenceClass '${metadata.name}' is for ${spec.provisioning.provider}, and the cluster is on ${source}`
    : `InferenceClass '${metadata.name}' has no provisioning for ${source}`;
  const hint = `Use a class for ${source}, or add spec.provisioning.${block} to this one`;
  yield errorAt('wrong-provider', at, what, hint);
}

/** Checks that each pool reserves only devices that the nodes of its class have. */
export const checkReservedDevices: FleetCheck = function* ({ classes, clusters }) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  for (const resource of clusters) {
    for (const [index, pool] of resource.spec.nodePools.entries()) {
      const declared = byName.get(pool.className);
      const path = ['spec', 'nodePools', index, 'reserved', 'devices'];
      const faults = declared ? findUnreservable(declared, pool) : [];
      for (const one of faults) yield relocate(one, (device) => ({ resource, path: [...path, device] }));
    }
  }
};

/** Checks that a pool that is a rack has no more GPUs than one, and that its pods can claim a channel of it. */
export const checkRacks: FleetCheck = function* ({ classes, clusters }) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  for (const resource of clusters) {
    for (const [index, pool] of resource.spec.nodePools.entries()) {
      if (pool.rack === undefined) continue;
      const at = { resource, path: ['spec', 'nodePools', index, 'rack'] };
      const nodes = pool.maxNodeCount ?? pool.nodeCount;
      const gpus = gpusOf(byName.get(pool.className));
      const { gpus: most } = RACKS[pool.rack];
      if (!resource.spec.dra) {
        const what = "pods claim a channel of the rack, and the cluster has 'dra: false'";
        yield errorAt('contradiction', at, what, 'Remove rack, or use DRA');
      } else if (nodes * gpus > most) {
        const what = `a rack ${pool.rack} has ${most} GPUs, and ${pluralize(nodes, 'node')} of InferenceClass '${pool.className}' have ${nodes * gpus}`;
        yield errorAt('out-of-bounds', at, what, 'Declare a pool for each rack');
      }
    }
  }
};

/** Checks that a pool with a topology has TPUs, and as many nodes as its slice. */
export const checkTpuSlices: FleetCheck = function* ({ classes, clusters }) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  for (const resource of clusters) {
    for (const [index, pool] of resource.spec.nodePools.entries()) {
      const declared = byName.get(pool.className);
      if (pool.tpuTopology === undefined || !declared) continue;
      const path = ['spec', 'nodePools', index];
      for (const one of findSliceFaults(pool, pool.tpuTopology, declared)) {
        yield relocate(one, (field) => ({ resource, path: [...path, field] }));
      }
    }
  }
};

/** The place of each diagnostic is the field of the pool. */
function* findSliceFaults(pool: NodePool, topology: string, declared: InferenceClass): Iterable<Diagnostic> {
  const chips = tpuChipsOf(declared);
  const all = chipsOfTopology(topology);
  const { name } = declared.metadata;
  if (chips === 0) {
    const what = `InferenceClass '${name}' has no TPUs`;
    yield errorAt('contradiction', 'tpuTopology', what, `Remove it, or declare devices of the driver ${TPU_DRIVER}`);
  } else if (all % chips !== 0) {
    const what = `${topology} has ${all} chips, and a node of InferenceClass '${name}' has ${chips}`;
    yield errorAt('contradiction', 'tpuTopology', what, 'Correct it, or the count of the device');
  }
  const hosts = sliceHostsOf(pool, declared);
  if (hosts === undefined || all % chips !== 0) return;
  const field = pool.maxNodeCount === undefined ? 'nodeCount' : 'maxNodeCount';
  if (pool[field] === hosts) return;
  const what = `a TPU slice ${topology} has ${hosts} nodes, and the pool has ${pluralize(pool[field] ?? 0, 'node')}`;
  yield errorAt('bad-size', field, what, `Set it to ${hosts}, and declare a pool for each slice`);
}

function gpusOf(declared: InferenceClass | undefined): number {
  const gpus = (declared?.spec.devices ?? []).filter(
    ({ claim, deviceClassName, counterSet }) =>
      claim === 'DRA' && counterSet === undefined && !isNetworkClass(deviceClassName ?? ''),
  );
  return gpus.reduce((sum, { count }) => sum + count, 0);
}

/** Checks that the classes of pools behind a managed queue state what its quota is made of. */
export const checkManagedQueues: FleetCheck = function* ({ classes, clusters }) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  for (const resource of clusters.filter(({ spec }) => spec.scheduler?.manage)) {
    for (const [index, { className }] of resource.spec.nodePools.entries()) {
      const { cpu, memory } = byName.get(className)?.spec.node.allocatable ?? { cpu: '', memory: '' };
      if (cpu !== undefined && memory !== undefined) continue;
      const what = `InferenceClass '${className}' does not state CPU and memory, which the quota of the queue needs`;
      const hint = 'Set spec.node.allocatable of the class, or remove scheduler.manage';
      yield errorAt('no-allocatable', { resource, path: ['spec', 'nodePools', index, 'className'] }, what, hint);
    }
  }
};

/** Reports devices that cannot be reserved. The place of each diagnostic is the name of the device. */
function* findUnreservable({ metadata, spec }: InferenceClass, { name, reserved }: NodePool): Iterable<Diagnostic> {
  const field = `nodePools[${name}].reserved.devices`;
  const declared = `InferenceClass '${metadata.name}'`;
  for (const [device, count] of Object.entries(reserved.devices)) {
    const found = spec.devices.find((one) => one.name === device);
    if (!found) {
      const what = `${field} names '${device}', and ${declared} has no such device`;
      yield errorAt('unknown-reference', device, what, hintAtDevice(device, spec.devices));
    } else if (found.counterSet !== undefined) {
      const what = `the device '${device}' of ${declared} is a partition, which cannot be reserved`;
      yield errorAt('contradiction', device, what, `Lower the count of the counter set '${found.counterSet}'`);
    } else if (found.claim !== 'DRA') {
      const what = `${field} names '${device}', which has 'claim: Synthetic' in ${declared}: that reserves nothing`;
      yield errorAt('contradiction', device, what, hintAtDevice(device, spec.devices));
    } else if (found.count < count) {
      const reservation = `${pluralize(count, 'device')} '${device}'`;
      const what = `${reservation} are reserved, but ${declared} has ${found.count}`;
      yield errorAt('out-of-bounds', device, what, `Reserve at most ${found.count}`);
    }
  }
}

/** The hint to reserve a device that counts: the one with a similar name, or of the device class or driver that is given. */
function hintAtDevice(given: string, devices: InferenceClass['spec']['devices']): string {
  const counted = devices.filter(({ claim, counterSet }) => claim === 'DRA' && counterSet === undefined);
  const known = counted.map(({ name }) => name);
  if (known.length === 0) return 'Remove it';
  const ofClass = counted.find(({ deviceClassName, driver }) => deviceClassName === given || driver === given);
  if (ofClass) return `Use '${ofClass.name}'`;
  return hintAtName(given, known, known.length === 1 ? `Use '${known.join('')}'` : undefined);
}

/** Checks that pods which keep nodes in reserve can fill one: its CPU is known. */
export const checkWarmNodes: FleetCheck = function* ({ classes, clusters }) {
  for (const resource of clusters) {
    for (const [index, pool] of resource.spec.nodePools.entries()) {
      if (pool.overprovision === undefined || warmCpuOf(pool, classes) !== undefined) continue;
      const at = { resource, path: ['spec', 'nodePools', index, 'overprovision'] };
      const what = `InferenceClass '${pool.className}' does not state the CPU of its nodes, which the pods that keep them fill`;
      yield errorAt('no-node-size', at, what, 'Set spec.node.allocatable.cpu of the class, or use from');
    }
  }
};
