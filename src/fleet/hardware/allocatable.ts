import { PROVIDER_BLOCK, type Provider } from '../../api/cloud-providers';
import type { InferenceClass } from '../../api/inference-class';
import { REGIONS } from '../../catalog/regions';
import type { InstanceType } from '../../catalog/row-types';
import { parseQuantity } from '../../cel/values/quantity';
import { cloudOf, CLOUDS, provisionedTypeNameOf } from './cloud-instance-types';
import { type Catalogue, resolveInstanceTypes } from './hardware';

/** Allocatable CPU and memory of a node, as Kubernetes quantities. */
export interface Allocatable {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

/** The clouds that document what a node keeps for itself. */
type EstimatedCloud = Extract<Provider, 'GKE' | 'EKS' | 'AKS'>;

const MI_PER_GI = 1024;

/** The free memory in MiB at which the kubelet of each cloud evicts pods. */
const EVICTION_MI: Readonly<Record<EstimatedCloud, number>> = { GKE: 100, EKS: 100, AKS: 750 };

/** The share of a machine's memory that the kernel and the hypervisor use, which the kubelet does not see. */
const KERNEL_SHARE: Readonly<Record<EstimatedCloud, number>> = {
  // About 1.6 % is the kernel's page table; rounded up.
  GKE: 0.02,
  // Karpenter's assumption (vmMemoryOverheadPercent).
  EKS: 0.075,
  // The same in the provider for Azure.
  AKS: 0.075,
};

/** The memory in MiB that the kubelet of each cloud reserves of the memory that it sees. */
const KUBELET_RESERVED_MI: Readonly<Record<EstimatedCloud, (mi: number, cpu: number) => number>> = {
  // GKE documentation, "Plan GKE Standard node sizes".
  GKE: reservedInSlices,
  // Amazon EKS AMI: 255Mi and 11Mi for each of at most 110 pods, or 250 from 30 vCPUs on.
  EKS: (_, cpu) => 255 + 11 * (cpu < 30 ? 110 : 250),
  // Azure/karpenter-provider-azure, instancetype.go. From Kubernetes 1.29 on, AKS reserves less.
  AKS: reservedInSlices,
};

/** A share of each slice of the memory, which is lower for later slices. */
function reservedInSlices(mi: number): number {
  return [
    [4, 0.25],
    [4, 0.2],
    [8, 0.1],
    [112, 0.06],
    [Infinity, 0.02],
  ].reduce(
    ({ remaining, reserved }, [gi = 0, share = 0]) => {
      const slice = Math.min(remaining, gi * MI_PER_GI);
      return { remaining: remaining - slice, reserved: reserved + slice * share };
    },
    { remaining: mi, reserved: 0 },
  ).reserved;
}

/**
 * The CPU, in millicores, that each cloud reserves of the first core, of the second, of each of the next two, and of
 * each other core. GKE and EKS: their documentation. AKS: Azure/karpenter-provider-azure, instancetype.go.
 */
const RESERVED_MILLI_CPU: Readonly<Record<EstimatedCloud, readonly [number, number, number, number]>> = {
  GKE: [60, 10, 5, 2.5],
  EKS: [60, 10, 5, 2.5],
  AKS: [60, 40, 20, 10],
};

/**
 * The allocatable resources of a node of an instance type: as in the catalog, or else a conservative estimate for GKE,
 * EKS and AKS. Empty for other machines.
 */
function allocatableOf(type: InstanceType): Allocatable {
  const provider = cloudOf(type)?.provider;
  if (type.allocatable || !isEstimated(provider)) return type.allocatable ?? {};
  const seen = type.memoryGiB * MI_PER_GI * (1 - KERNEL_SHARE[provider]);
  const memory = Math.floor(seen - KUBELET_RESERVED_MI[provider](seen, type.cpu) - EVICTION_MI[provider]);
  return { cpu: `${Math.floor(type.cpu * 1000 - reservedMilliCpuOf(provider, type.cpu))}m`, memory: `${memory}Mi` };
}

function isEstimated(provider: Provider | undefined): provider is EstimatedCloud {
  return provider !== undefined && Object.hasOwn(KERNEL_SHARE, provider);
}

function reservedMilliCpuOf(provider: EstimatedCloud, cpu: number): number {
  const [first, second, next, other] = RESERVED_MILLI_CPU[provider];
  return (
    first + second * Math.min(1, cpu - 1) + next * Math.max(0, Math.min(2, cpu - 2)) + other * Math.max(0, cpu - 4)
  );
}

/**
 * Fills in the allocatable resources of a class without `from` whose `provisioning` names instance types of the
 * catalog. Amounts that the class states win, one by one. A class with a block of a machine that the catalog does
 * not know is returned unchanged, because its pools may have that machine.
 */
export function fillAllocatable(declared: InferenceClass, catalogue: Catalogue): InferenceClass {
  const allocatable = {
    ...minAllocatableOf(provisionedTypesOf(declared, catalogue)),
    ...declared.spec.node.allocatable,
  };
  if (Object.keys(allocatable).length === Object.keys(declared.spec.node.allocatable).length) return declared;
  return { ...declared, spec: { ...declared.spec, node: { ...declared.spec.node, allocatable } } };
}

/** The instance types that the blocks of `provisioning` name. Empty if the catalog does not know one of them. */
function provisionedTypesOf({ spec: { provisioning } }: InferenceClass, catalogue: Catalogue): InstanceType[] {
  if (!provisioning) return [];
  const blocks = Object.values(PROVIDER_BLOCK).filter((block) => provisioning[block] !== undefined);
  const types = CLOUDS.flatMap((cloud) => {
    const name = provisionedTypeNameOf(cloud, provisioning);
    return (name !== undefined && catalogue.instanceTypes.get(name)) || [];
  });
  return types.length === blocks.length ? types : [];
}

/** The least allocatable CPU and memory over several instance types. A resource is absent if one of them lacks it. */
export function minAllocatableOf(types: readonly InstanceType[]): Allocatable {
  const all = types.map(allocatableOf);
  const cpu = minQuantityOf(all.map((one) => one.cpu));
  const memory = minQuantityOf(all.map((one) => one.memory));
  return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
}

/**
 * The CPU and memory of the machine of a class: an upper bound of what a node has for pods, also where the catalog has
 * no estimate of what it keeps. Of several machines, the largest amounts. Empty unless each is of a known cloud, which
 * sells all machines of a name with the same amounts.
 */
export function machineCapacityOf(declared: InferenceClass, catalogue: Catalogue): Allocatable {
  const { from } = declared.spec;
  const types = from === undefined ? provisionedTypesOf(declared, catalogue) : resolveInstanceTypes(from, catalogue);
  if (types.length === 0 || !types.every(isOfKnownCloud)) return {};
  return {
    cpu: `${Math.max(...types.map(({ cpu }) => cpu))}`,
    memory: `${Math.max(...types.map(({ memoryGiB }) => memoryGiB))}Gi`,
  };
}

function isOfKnownCloud({ name }: InstanceType): boolean {
  return REGIONS.some(({ prefix }) => name.startsWith(`${prefix}/`));
}

function minQuantityOf(quantities: readonly (string | undefined)[]): string | undefined {
  const known = quantities.flatMap((text) => text ?? []);
  if (known.length < quantities.length) return undefined;
  return known.sort((a, b) => parseQuantity(a).compare(parseQuantity(b)))[0];
}
