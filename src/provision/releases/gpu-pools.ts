import type { NodePool } from '../../api/node-pool';
import { GPU_TAINT_KEY } from '../../catalog/device-classes';
import { NEURON_RESOURCE } from '../../catalog/neuron';
import { TPU_DRIVER, TPU_RESOURCE } from '../../catalog/tpus';
import { hasNeuronDevices } from '../../fleet/hardware/neuron-devices';
import { claimsDevicesOf, NVIDIA_DRIVER } from '../node-pools';
import type { ReleaseContext } from './release';

/** The pools of a cluster whose NVIDIA GPUs are claimed. */
export function nvidiaPoolsOf({ cluster, classes }: ReleaseContext): NodePool[] {
  return cluster.spec.nodePools.filter(({ className }) =>
    claimsDevicesOf(NVIDIA_DRIVER, cluster, classes.get(className)),
  );
}

/** The pools of a cluster whose TPUs are claimed. */
export function tpuPoolsOf({ cluster, classes }: ReleaseContext): NodePool[] {
  return cluster.spec.nodePools.filter(({ className }) => claimsDevicesOf(TPU_DRIVER, cluster, classes.get(className)));
}

/** The pools of a cluster with Neuron devices, whether they are claimed or counted. */
export function neuronPoolsOf({ cluster, classes }: ReleaseContext): NodePool[] {
  return cluster.spec.nodePools.filter(({ className }) => {
    const declared = classes.get(className);
    return declared !== undefined && hasNeuronDevices(declared);
  });
}

/** The driver of AMD GPUs, and the extended resource of their device plugin. */
const AMD_NAMES: ReadonlySet<string | undefined> = new Set(['gpu.amd.com', 'amd.com/gpu']);

/** The pools of a cluster with AMD GPUs, whether they are claimed or counted. */
export function amdPoolsOf({ cluster, classes }: Pick<ReleaseContext, 'cluster' | 'classes'>): NodePool[] {
  return cluster.spec.nodePools.filter(({ className }) =>
    classes
      .get(className)
      ?.spec.devices.some((one) => AMD_NAMES.has(one.driver) || AMD_NAMES.has(one.extendedResource)),
  );
}

/** The taint that clouds add to GPU nodes, even if the pool does not declare it. */
const GPU_TAINT = { key: GPU_TAINT_KEY, operator: 'Exists', effect: 'NoSchedule' };

/** The taint that GKE adds to nodes with TPUs. */
const TPU_TAINT = { key: TPU_RESOURCE, operator: 'Exists', effect: 'NoSchedule' };

/** The taint that nodes with Neuron devices have on EKS. */
const NEURON_TAINT = { key: NEURON_RESOURCE, operator: 'Exists', effect: 'NoSchedule' };

/** Returns the tolerations of a driver of GPUs for the nodes of some pools. */
export function gpuTolerationsOf(pools: readonly NodePool[]) {
  return driverTolerationsOf(pools, GPU_TAINT);
}

/** Returns the tolerations of the driver of TPUs for the nodes of some pools. */
export function tpuTolerationsOf(pools: readonly NodePool[]) {
  return driverTolerationsOf(pools, TPU_TAINT);
}

/** Returns the tolerations of the driver of Neuron devices for the nodes of some pools. */
export function neuronTolerationsOf(pools: readonly NodePool[]) {
  return driverTolerationsOf(pools, NEURON_TAINT);
}

/** With a missing toleration, the driver does not run on a pool, and claims wait forever without an error. */
export function driverTolerationsOf(pools: readonly NodePool[], own?: typeof GPU_TAINT) {
  const declared = pools.flatMap(({ taints }) =>
    taints.map(({ key, effect }) => ({ key, operator: 'Exists', effect })),
  );
  return [...new Map([...(own ? [own] : []), ...declared].map((one) => [`${one.key} ${one.effect}`, one])).values()];
}
