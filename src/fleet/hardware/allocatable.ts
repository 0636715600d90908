import type { InstanceType } from '../../catalog/row-types';
import { parseQuantity } from '../../cel/values/quantity';
import { cloudOf, type KnownCloud } from './cloud-instance-types';

/** CPU and memory as Kubernetes quantities. */
export interface Allocatable {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

const MI_PER_GI = 1024;
const EVICTION_MI = 100;

/** The part of a machine's memory that the kernel and the hypervisor keep, before the kubelet sees any. */
const KERNEL_SHARE: Readonly<Record<KnownCloud, number>> = {
  // About 1.6 % is the kernel's page table; rounded up.
  GKE: 0.02,
  // What Karpenter assumes (vmMemoryOverheadPercent).
  EKS: 0.075,
};

/** Memory in MiB that the kubelet of each cloud keeps of what it sees. */
const KUBELET_RESERVED_MI: Readonly<Record<KnownCloud, (mi: number, cpu: number) => number>> = {
  // GKE documentation, "Plan GKE Standard node sizes".
  GKE: (mi) =>
    [
      [4, 0.25],
      [4, 0.2],
      [8, 0.1],
      [112, 0.06],
      [Infinity, 0.02],
    ].reduce(
      ({ left, kept }, [gi = 0, share = 0]) => {
        const slice = Math.min(left, gi * MI_PER_GI);
        return { left: left - slice, kept: kept + slice * share };
      },
      { left: mi, kept: 0 },
    ).kept,
  // Amazon EKS AMI: 255Mi and 11Mi for each of at most 110 pods, or 250 from 30 vCPUs on.
  EKS: (_, cpu) => 255 + 11 * (cpu < 30 ? 110 : 250),
};

/**
 * What a node of an instance type gives to pods: stated in the catalogue, or reckoned for GKE and EKS, on the careful
 * side. Nothing for other machines, which only their owner knows.
 */
export function allocatableOf(type: InstanceType): Allocatable {
  const provider = cloudOf(type)?.provider;
  if (type.allocatable || !provider) return type.allocatable ?? {};
  const seen = type.memoryGiB * MI_PER_GI * (1 - KERNEL_SHARE[provider]);
  const memory = Math.floor(seen - KUBELET_RESERVED_MI[provider](seen, type.cpu) - EVICTION_MI);
  return { cpu: `${Math.floor(type.cpu * 1000 - reservedMilliCpuOf(type.cpu))}m`, memory: `${memory}Mi` };
}

/** Thousandths of a CPU that both clouds keep: 6 % of the first, 1 % of the second, 0.5 % of two more, 0.25 % of the rest. */
function reservedMilliCpuOf(cpu: number): number {
  return 60 + 10 * Math.min(1, cpu - 1) + 5 * Math.max(0, Math.min(2, cpu - 2)) + 2.5 * Math.max(0, cpu - 4);
}

/** What a node of any of several instance types gives to pods: the least of each resource that all of them tell. */
export function minAllocatableOf(types: readonly InstanceType[]): Allocatable {
  const all = types.map(allocatableOf);
  const cpu = minQuantityOf(all.map((one) => one.cpu));
  const memory = minQuantityOf(all.map((one) => one.memory));
  return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
}

function minQuantityOf(quantities: readonly (string | undefined)[]): string | undefined {
  const known = quantities.flatMap((text) => text ?? []);
  if (known.length < quantities.length) return undefined;
  return known.sort((a, b) => parseQuantity(a).compare(parseQuantity(b)))[0];
}
