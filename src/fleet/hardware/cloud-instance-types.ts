import type { Provider } from '../../api/cloud-providers';
import type { DeclaredProvisioning } from '../../api/provisioning';
import type { InstanceType } from '../../catalog/row-types';

/** A cloud of the catalog, and how Fleetwright names and provisions its machines. */
interface CatalogueCloud {
  readonly provider: Provider;

  /** The part before the slash in the names of its instance types. */
  readonly prefix: string;

  /** Builds the block of `provisioning` that creates a node of an instance type. */
  readonly block: (type: InstanceType, name: string) => Omit<DeclaredProvisioning, 'provider'>;

  /** The path of the instance type in `provisioning`. */
  readonly typePath: readonly [block: string, field: string];

  /** The instance type that `provisioning` sets. */
  readonly typeIn: (provisioning: DeclaredProvisioning) => string | undefined;
}

/** The clouds whose nodes a class can provision. Machines of other clouds have no block: only `from` names them. */
export const CLOUDS: readonly CatalogueCloud[] = [
  {
    provider: 'GKE',
    prefix: 'gcp',
    block: (type, machineType) => ({ gke: { machineType, ...machinePartsOf(type) } }),
    typePath: ['gke', 'machineType'],
    typeIn: ({ gke }) => gke?.machineType,
  },
  {
    provider: 'EKS',
    prefix: 'aws',
    block: (type, instanceType) => ({ eks: { instanceType, ...machinePartsOf(type) } }),
    typePath: ['eks', 'instanceType'],
    typeIn: ({ eks }) => eks?.instanceType,
  },
  {
    provider: 'AKS',
    prefix: 'azure',
    block: (type, vmSize) => ({ aks: { vmSize, ...machinePartsOf(type) } }),
    typePath: ['aks', 'vmSize'],
    typeIn: ({ aks }) => aks?.vmSize,
  },
  {
    provider: 'Nebius',
    prefix: 'nebius',
    block: (type, name) => ({ nebius: { ...platformAndPresetOf(name), ...machinePartsOf(type) } }),
    typePath: ['nebius', 'preset'],
    typeIn: ({ nebius }) => nebius?.platform && nebius.preset && `${nebius.platform}_${nebius.preset}`,
  },
  {
    provider: 'Vultr',
    prefix: 'vultr',
    block: (type, plan) => ({ vultr: { plan, accelerator: acceleratorOf(type) } }),
    typePath: ['vultr', 'plan'],
    typeIn: ({ vultr }) => vultr?.plan,
  },
];

/** Names of Nebius are a platform, an underscore and a preset. */
function platformAndPresetOf(name: string): { platform: string; preset: string } {
  const [platform = '', preset = ''] = name.split('_');
  return { platform, preset };
}

function machinePartsOf(type: InstanceType) {
  return { diskSizeGb: 100, accelerator: acceleratorOf(type) };
}

/** The cloud of an instance type. Undefined for on-premises machines. */
export function cloudOf({ name }: Pick<InstanceType, 'name'>): CatalogueCloud | undefined {
  return CLOUDS.find(({ prefix }) => name.startsWith(`${prefix}/`));
}

/** The name of an instance type on its cloud, without the prefix and the slash. */
export function cloudTypeNameOf({ name }: Pick<InstanceType, 'name'>): string {
  return name.slice(name.indexOf('/') + 1);
}

/** The instance type, as the cloud names it, that `provisioning` sets for a cloud. */
export function provisionedTypeOf({ typeIn }: CatalogueCloud, provisioning: DeclaredProvisioning): string | undefined {
  return typeIn(provisioning);
}

/** The catalog name of the instance type that `provisioning` sets for a cloud. */
export function provisionedTypeNameOf(cloud: CatalogueCloud, provisioning: DeclaredProvisioning): string | undefined {
  const name = provisionedTypeOf(cloud, provisioning);
  return name === undefined ? undefined : `${cloud.prefix}/${name}`;
}

/** The accelerator type of a machine, as GKE names it, and the number of GPUs. */
export function acceleratorOf({ gpu, gpus, accelerator }: InstanceType): { type: string; count: number } {
  return { type: accelerator ?? `nvidia-${gpu}`, count: gpus };
}
