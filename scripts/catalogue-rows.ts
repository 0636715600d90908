import { isMap, listAt, valueAt } from '../src/base/json';
import type { InstanceType } from '../src/catalog/row-types';

/** What a cloud says about a machine type. Fields that its export does not have are absent. */
interface ListedMachine {
  /** `aws/p5.48xlarge`. */
  readonly name: string;
  readonly gpus: number;
  readonly cpu: number;
  readonly memoryGiB: number;
  readonly cpuArchitecture?: string | undefined;
  readonly accelerator?: string | undefined;
  readonly nics?: number | undefined;
  readonly quotaFamily?: string | undefined;
}

interface Export {
  readonly provider: string;
  readonly command: string;

  /** The machines with GPUs. Undefined if the value is the output of another command. */
  readonly read: (value: unknown) => ListedMachine[] | undefined;
}

/** The exports of clouds, by the commands that write them. */
const EXPORTS: readonly Export[] = [
  { provider: 'aws', command: 'aws ec2 describe-instance-types', read: readAws },
  { provider: 'gcp', command: 'gcloud compute machine-types list --format=json', read: readGcp },
  { provider: 'azure', command: 'az vm list-skus --resource-type virtualMachines', read: readAzure },
];

/** The commands whose output can be compared. */
export const EXPORT_COMMANDS: readonly string[] = EXPORTS.map(({ command }) => command);

/**
 * Compares rows with the export of a cloud. Returns a line for each difference, each machine with GPUs that no row
 * names, and each row that the export lacks. Undefined if the value is no export.
 */
export function compareWithExport(rows: readonly InstanceType[], value: unknown): string[] | undefined {
  for (const { provider, read } of EXPORTS) {
    const listed = read(value);
    const own = rows.filter(({ name }) => name.startsWith(`${provider}/`));
    if (listed) return compareRows(own, listed);
  }
  return undefined;
}

function compareRows(rows: readonly InstanceType[], listed: readonly ListedMachine[]): string[] {
  const machines = new Map(listed.map((machine) => [machine.name, machine]));
  const known = new Set(rows.map(({ name }) => name));
  const differences = rows.flatMap((row) => {
    const machine = machines.get(row.name);
    return machine ? compareRow(row, machine) : [`${row.name}: the export does not have it`];
  });
  const missing = [...machines.keys()].filter((name) => !known.has(name)).sort();
  return [...differences, ...missing.map((name) => `${name}: the catalog does not have it`)];
}

const DEFAULT_ARCHITECTURE = 'amd64';

function compareRow(row: InstanceType, machine: ListedMachine): string[] {
  const stated: Partial<ListedMachine> = {
    ...row,
    cpuArchitecture: row.cpuArchitecture ?? DEFAULT_ARCHITECTURE,
    accelerator: row.accelerator ?? `nvidia-${row.gpu}`,
    nics: row.fabric === 'EFA' ? (row.nics ?? 1) : 0,
  };
  const fields = ['gpus', 'cpu', 'memoryGiB', 'cpuArchitecture', 'accelerator', 'nics', 'quotaFamily'] as const;
  return fields
    .filter((field) => machine[field] !== undefined && machine[field] !== stated[field])
    .map(
      (field) =>
        `${row.name}: ${field} is ${String(stated[field])} in the catalog and ${String(machine[field])} in the export`,
    );
}

function readAws(value: unknown): ListedMachine[] | undefined {
  if (!isMap(value) || !Array.isArray(value['InstanceTypes'])) return undefined;
  return listAt(value, ['InstanceTypes']).flatMap((one) => {
    const devices = [...listAt(one, ['GpuInfo', 'Gpus']), ...listAt(one, ['NeuronInfo', 'NeuronDevices'])];
    const gpus = devices.reduce((sum: number, device) => sum + Number(valueAt(device, ['Count'])), 0);
    if (gpus === 0) return [];
    const isArm = listAt(one, ['ProcessorInfo', 'SupportedArchitectures']).includes('arm64');
    return {
      name: `aws/${String(valueAt(one, ['InstanceType']))}`,
      gpus,
      cpu: Number(valueAt(one, ['VCpuInfo', 'DefaultVCpus'])),
      memoryGiB: Number(valueAt(one, ['MemoryInfo', 'SizeInMiB'])) / 1024,
      cpuArchitecture: isArm ? 'arm64' : DEFAULT_ARCHITECTURE,
      nics: Number(valueAt(one, ['NetworkInfo', 'EfaInfo', 'MaximumEfaInterfaces']) ?? 0),
    };
  });
}

function readGcp(value: unknown): ListedMachine[] | undefined {
  if (!Array.isArray(value) || !value.every((one) => isMap(one) && 'guestCpus' in one)) return undefined;
  return value.flatMap((one: unknown) => {
    const [accelerator] = listAt(one, ['accelerators']);
    if (accelerator === undefined) return [];
    return {
      name: `gcp/${String(valueAt(one, ['name']))}`,
      gpus: Number(valueAt(accelerator, ['guestAcceleratorCount'])),
      cpu: Number(valueAt(one, ['guestCpus'])),
      memoryGiB: Number(valueAt(one, ['memoryMb'])) / 1024,
      accelerator: String(valueAt(accelerator, ['guestAcceleratorType'])),
    };
  });
}

function readAzure(value: unknown): ListedMachine[] | undefined {
  if (!Array.isArray(value) || !value.every((one) => isMap(one) && 'resourceType' in one)) return undefined;
  return value.flatMap((one: unknown) => {
    const capabilities = new Map(
      listAt(one, ['capabilities']).map((each) => [valueAt(each, ['name']), valueAt(each, ['value'])]),
    );
    const gpus = Number(capabilities.get('GPUs') ?? 0);
    if (gpus === 0) return [];
    const family = valueAt(one, ['family']);
    return {
      name: `azure/${String(valueAt(one, ['name']))}`,
      gpus,
      cpu: Number(capabilities.get('vCPUs')),
      memoryGiB: Number(capabilities.get('MemoryGB')),
      cpuArchitecture: capabilities.get('CpuArchitectureType') === 'Arm64' ? 'arm64' : DEFAULT_ARCHITECTURE,
      ...(family !== undefined && { quotaFamily: String(family) }),
    };
  });
}
