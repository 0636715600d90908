import type { Provider } from '../../api/cloud-providers';
import type { DeclaredProvisioning, Provisioning } from '../../api/provisioning';
import type { InstanceType } from '../../catalog/row-types';

/** A cloud whose instance types the catalogue knows. */
export type KnownCloud = Extract<Provider, 'GKE' | 'EKS'>;

/** A cloud, and how its machines are named and made. */
export interface CatalogueCloud {
  readonly provider: KnownCloud;

  /** What stands before the slash in the names of its instance types. */
  readonly prefix: string;

  /** The block of `provisioning` that makes a node of an instance type. */
  readonly block: (type: InstanceType, name: string) => Pick<Provisioning, 'gke' | 'eks'>;

  /** Where `provisioning` says which instance type a node is of. */
  readonly typePath: readonly ['gke', 'machineType'] | readonly ['eks', 'instanceType'];
}

const DISK_SIZE_GB = 100;

/** How the clouds that the catalogue knows name and make machines. */
export const CLOUDS: readonly CatalogueCloud[] = [
  {
    provider: 'GKE',
    prefix: 'gcp',
    block: (type, machineType) => ({
      gke: { machineType, diskSizeGb: DISK_SIZE_GB, accelerator: acceleratorOf(type) },
    }),
    typePath: ['gke', 'machineType'],
  },
  {
    provider: 'EKS',
    prefix: 'aws',
    block: (type, instanceType) => ({
      eks: { instanceType, diskSizeGb: DISK_SIZE_GB, accelerator: acceleratorOf(type) },
    }),
    typePath: ['eks', 'instanceType'],
  },
];

/** The cloud of an instance type. Nothing for machines of a house. */
export function cloudOf({ name }: Pick<InstanceType, 'name'>): CatalogueCloud | undefined {
  return CLOUDS.find(({ prefix }) => name.startsWith(`${prefix}/`));
}

/** The name of an instance type on its cloud: without what stands before the slash. */
export function cloudTypeNameOf({ name }: Pick<InstanceType, 'name'>): string {
  return name.slice(name.indexOf('/') + 1);
}

/** The instance type, as a cloud calls it, of which `provisioning` makes nodes there. */
export function provisionedTypeOf(
  { provider }: CatalogueCloud,
  provisioning: DeclaredProvisioning,
): string | undefined {
  return provider === 'GKE' ? provisioning.gke?.machineType : provisioning.eks?.instanceType;
}

/** The name in the catalogue of the instance type of which `provisioning` makes nodes on a cloud. */
export function provisionedTypeNameOf(
  cloud: CatalogueCloud,
  provisioning: DeclaredProvisioning,
): string | undefined {
  const name = provisionedTypeOf(cloud, provisioning);
  return name === undefined ? undefined : `${cloud.prefix}/${name}`;
}

/** What GKE calls the GPUs of a machine, and how many a node has. */
export function acceleratorOf({ gpu, gpus, accelerator }: InstanceType): { type: string; count: number } {
  return { type: accelerator ?? `nvidia-${gpu}`, count: gpus };
}
