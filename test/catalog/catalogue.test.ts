import { gpuRow, instanceTypeRow, macroRow } from '../../src/api/catalogue-file';
import { PROVIDER_BLOCK } from '../../src/api/cloud-providers';
import { priceFile } from '../../src/api/price-file';
import type { Provisioning } from '../../src/api/provisioning';
import { validateAgainst } from '../../src/api/schema/validate';
import { DEVICE_CLASSES } from '../../src/catalog/device-classes';
import { DRIVERS } from '../../src/catalog/drivers';
import { GPU_FIGURES } from '../../src/catalog/gpu-figures';
import { GPU_ARCHITECTURES, NUMBER_FORMATS } from '../../src/catalog/gpu-architectures';
import { GPUS } from '../../src/catalog/gpus';
import { INSTANCE_TYPE_MACROS } from '../../src/catalog/instance-type-macros';
import { AKS_INSTANCE_TYPES } from '../../src/catalog/instance-types-aks';
import { EKS_INSTANCE_TYPES } from '../../src/catalog/instance-types-eks';
import { GKE_INSTANCE_TYPES } from '../../src/catalog/instance-types-gke';
import {
  COREWEAVE_INSTANCE_TYPES,
  LAMBDA_INSTANCE_TYPES,
  NEBIUS_INSTANCE_TYPES,
  OCI_INSTANCE_TYPES,
  VULTR_INSTANCE_TYPES,
} from '../../src/catalog/instance-types-others';
import { EKS_PRICES, GKE_PRICES } from '../../src/catalog/node-prices';
import { AKS_PRICES } from '../../src/catalog/node-prices-aks';
import { OTHER_PRICES } from '../../src/catalog/node-prices-others';
import { REGIONS } from '../../src/catalog/regions';
import { ZONES } from '../../src/catalog/zones';
import type { SourcedRow } from '../../src/catalog/row-types';
import { STORAGE_PRICES } from '../../src/catalog/storage-prices';
import { parseQuantity } from '../../src/cel/values/quantity';
import { parseSemver } from '../../src/cel/values/semver';
import { buildGpuDevice } from '../../src/fleet/hardware/catalogue-devices';
import { cloudOf } from '../../src/fleet/hardware/cloud-instance-types';
import { BUILT_IN_CATALOGUE, BUILT_IN_HARDWARE } from '../../src/fleet/hardware/hardware';
import { findCatalogueEntries, toInferenceClass } from '../../src/fleet/hardware/search-catalogue';
import { FILE_SYSTEMS } from '../../src/fleet/hardware/shared-storage';

const TYPES_BY_CLOUD = {
  GKE: GKE_INSTANCE_TYPES,
  EKS: EKS_INSTANCE_TYPES,
  AKS: AKS_INSTANCE_TYPES,
  Nebius: NEBIUS_INSTANCE_TYPES,
  Vultr: VULTR_INSTANCE_TYPES,
  CoreWeave: COREWEAVE_INSTANCE_TYPES,
  Lambda: LAMBDA_INSTANCE_TYPES,
  OCI: OCI_INSTANCE_TYPES,
};

/** The clouds whose machines a class cannot provision: their clusters are declared with `from` alone. */
const WITHOUT_BLOCK = new Set(['CoreWeave', 'Lambda', 'OCI']);
const TYPES = Object.values(TYPES_BY_CLOUD).flat();
const PRICES = [...GKE_PRICES, ...EKS_PRICES, ...AKS_PRICES, ...OTHER_PRICES];
const TABLES: Record<string, readonly (SourcedRow | object)[]> = {
  ARCHITECTURES: GPU_ARCHITECTURES,
  DEVICE_CLASSES,
  DRIVERS,
  GPUS,
  GPU_FIGURES,
  INSTANCE_TYPES: TYPES,
  MACROS: INSTANCE_TYPE_MACROS,
  NUMBER_FORMATS,
  PRICES,
  REGIONS,
  STORAGE_PRICES,
  ZONES,
};

/** What the driver was seen to publish, for the GPUs that public outputs show. */
const PUBLISHED: Record<string, string> = {
  'Tesla T4': '15360Mi',
  'NVIDIA L4': '23034Mi',
  'NVIDIA A10G': '23028Mi',
  'NVIDIA A100-SXM4-40GB': '40Gi',
  'NVIDIA A100-SXM4-80GB': '80Gi',
  'NVIDIA L40S': '46068Mi',
  'NVIDIA RTX PRO 6000 Blackwell Server Edition': '97887Mi',
  'NVIDIA H100 80GB HBM3': '81559Mi',
  'NVIDIA H100 NVL': '95830Mi',
  'NVIDIA H200': '143771Mi',
  'NVIDIA B200': '183359Mi',
  'NVIDIA GB200': '189471Mi',
  'NVIDIA B300 SXM6 AC': '275040Mi',
  'NVIDIA A100-PCIE-40GB': '40Gi',
  'NVIDIA A100 80GB PCIe': '80Gi',
  'NVIDIA H100 PCIe': '81559Mi',
  AMD_Instinct_MI300X_OAM: '196592Mi',
  AMD_Instinct_MI325_OAM: '262128Mi',
};

describe.each(Object.entries(TABLES))('%s', (_, rows) => {
  test('says of every row where it comes from and of which day it is', () => {
    for (const row of rows) {
      expect(row).toMatchObject({
        source: expect.stringMatching(/.{10}/),
        asOf: expect.stringMatching(/^202\d-\d\d-\d\d$/),
      });
    }
  });

  test('marks as second-hand only fields that the row has', () => {
    for (const row of rows) {
      const { secondHand = [] } = row as SourcedRow;
      const known = new Set(['name', ...Object.keys(row), ...OPTIONAL_FACTS]);
      expect(secondHand.filter((field) => !known.has(field))).toEqual([]);
    }
  });

  test('has no two rows for the same thing', () => {
    const keys = rows.map((row) =>
      JSON.stringify([
        NAMES.map((field) => Reflect.get(row, field)).find((name) => name !== undefined),
        Reflect.get(row, 'region'),
      ]),
    );
    expect(new Set(keys).size).toBe(rows.length);
  });
});

/** What rows of the tables are called by. */
const NAMES = ['name', 'instanceType', 'fileSystem', 'provider'];

/** Facts of instance types that some rows of a table with one mark for all leave out. */
const OPTIONAL_FACTS = ['interconnect', 'interconnectGBs', 'fabric', 'nics', 'nicGbps', 'localDiskGiB'];

const SCHEMAS = { GPUS: gpuRow, INSTANCE_TYPES: instanceTypeRow, MACROS: macroRow } as const;

test.each(Object.entries(SCHEMAS))('%s are what a file of a user may say', (table, schema) => {
  for (const row of TABLES[table] ?? []) expect(validateAgainst<object>(schema, row)).toEqual({ value: row });
});

test('prices are what a file of a user may say', () => {
  const ours = { prices: PRICES, storage: STORAGE_PRICES };
  expect(validateAgainst(priceFile, ours)).toMatchObject({ value: ours });
});

test('prices of storage are of file systems and regions that are known', () => {
  const known = new Set(REGIONS.flatMap(({ regions }) => regions));
  for (const { fileSystem, region } of STORAGE_PRICES) {
    expect(FILE_SYSTEMS).toContain(fileSystem);
    if (region !== undefined) expect(known).toContain(region);
  }
});

/** The GPUs whose driver publishes their memory. */
const PUBLISHING = GPUS.flatMap((row) => (row.memory === undefined ? [] : [{ ...row, memory: row.memory }]));

/** The GPUs on which an engine runs one rank on each. */
const SIZED = GPUS.filter(({ driver }) => driver !== 'neuron.aws.com');

describe('GPUs', () => {
  test('publish the memory that the driver was seen to publish', () => {
    const found = Object.fromEntries(PUBLISHING.map(({ productName, memory }) => [productName, memory]));
    expect(found).toMatchObject(PUBLISHED);
  });

  test.each(GPUS.filter(({ driver }) => driver === undefined))(
    '$name has an architecture that has its compute capability',
    (row) => {
      const found = GPU_ARCHITECTURES.find(({ name }) => name === row.architecture);
      expect(found?.computeCapabilities).toContain(row.cudaComputeCapability);
    },
  );

  test.each(PUBLISHING)('$name publishes within a tenth of what the box says', ({ memory, nominal = memory }) => {
    const ratio = parseQuantity(memory).asApproximateFloat() / parseQuantity(nominal).asApproximateFloat();
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.02);
  });

  test.each(SIZED)('$name has figures for sizing, within a tenth of its memory', (row) => {
    const figures = GPU_FIGURES.find(({ name }) => name === row.name);
    const known = parseQuantity(row.memory ?? row.nominal ?? '').asApproximateFloat() / 2 ** 30;
    expect(figures?.memoryGiB).toBeGreaterThan(known * 0.9);
    expect(figures?.memoryGiB).toBeLessThanOrEqual(known);
    expect(figures?.bandwidthTBs).toBeGreaterThan(0);
  });

  test('publish memory, or their driver is known to publish none and the row says how much there is', () => {
    for (const { driver = 'gpu.nvidia.com', memory, nominal } of GPUS) {
      const facts = DRIVERS.find(({ name }) => name === driver)?.facts ?? [];
      expect(memory !== undefined).toBe(facts.some(({ name }) => name === 'memory'));
      expect(memory ?? nominal).toBeDefined();
    }
  });

  test.each(GPUS)('$name publishes what its driver is known to publish, with the same types', (row) => {
    const { driver, attributes, capacity } = buildGpuDevice(row, 1);
    const facts = DRIVERS.find(({ name }) => name === driver)?.facts ?? [];
    for (const [name, value] of Object.entries(attributes)) {
      expect(facts).toContainEqual(expect.objectContaining({ name, type: Object.keys(value)[0] }));
    }
    for (const name of Object.keys(capacity)) {
      expect(facts).toContainEqual(expect.objectContaining({ name, type: 'quantity' }));
    }
  });

  test('are all in some instance type, but for those that only others sell', () => {
    const used = new Set(TYPES.map((type) => type.gpu));
    expect(GPUS.filter(({ name }) => !used.has(name)).map(({ name }) => name)).toEqual(['a100-40gb-pcie', 'mi325x']);
  });
});

describe('architectures', () => {
  test('list their compute capabilities in ascending order', () => {
    for (const { computeCapabilities: all } of GPU_ARCHITECTURES) {
      expect([...all].sort((a, b) => parseSemver(a).compare(parseSemver(b)))).toEqual(all);
    }
  });
});

/** The GPUs that the name of a machine type of Compute Engine ends with: `-8g`. */
const COUNT_IN_NAME = /-(\d+)g$/;

describe('instance types', () => {
  test.each(TYPES)('$name has a GPU of the catalog', (type) => {
    expect(BUILT_IN_CATALOGUE.gpus.has(type.gpu)).toBe(true);
  });

  test.each(TYPES.filter(({ name }) => COUNT_IN_NAME.test(name)))('$name has as many GPUs as it says', (type) => {
    expect(COUNT_IN_NAME.exec(type.name)?.[1]).toBe(String(type.gpus));
  });

  test.each(TYPES)('$name is of a cloud that can make it', (type) => {
    const clouds = Object.entries(TYPES_BY_CLOUD).filter(([, types]) => types.includes(type));
    expect(clouds).toHaveLength(1);
    const [cloud = ''] = clouds[0]!;
    expect(REGIONS.find(({ provider }) => provider === cloud)?.prefix).toBe(type.name.split('/')[0]);
    expect(cloudOf(type)?.provider).toBe(WITHOUT_BLOCK.has(cloud) ? undefined : cloud);
  });

  test.each(GKE_INSTANCE_TYPES)('$name says what GKE calls its GPUs', ({ accelerator }) => {
    expect(accelerator).toMatch(/^(nvidia|tpu)-/);
  });

  test.each(NEBIUS_INSTANCE_TYPES)('$name has the GPUs, CPUs and memory that its preset says', (type) => {
    const [, gpus, cpu, memoryGiB] = /_(\d+)gpu-(\d+)vcpu-(\d+)gb$/.exec(type.name) ?? [];
    expect([type.gpus, type.cpu, type.memoryGiB].map(String)).toEqual([gpus, cpu, memoryGiB]);
  });

  test.each(VULTR_INSTANCE_TYPES)('$name has the CPUs and memory that its plan says', (type) => {
    const [, cpu, memoryGiB] = /-(\d+)c-(\d+)g-\d+vram$/.exec(type.name) ?? [];
    expect([type.cpu, type.memoryGiB].map(String)).toEqual([cpu, memoryGiB]);
  });

  test.each(LAMBDA_INSTANCE_TYPES)('$name has as many GPUs as Lambda says', (type) => {
    expect(type.name.startsWith(`lambda/gpu_${type.gpus}x_`)).toBe(true);
  });

  test.each(AKS_INSTANCE_TYPES)('$name says the family of its quota', ({ quotaFamily }) => {
    expect(quotaFamily).toMatch(/Family$/);
  });

  test.each(findCatalogueEntries('', BUILT_IN_HARDWARE).map((entry) => [entry.type.name, entry] as const))(
    'a class from %s has its GPUs, as the driver publishes them',
    (_, entry) => {
      const { devices, node, provisioning } = toInferenceClass(entry, BUILT_IN_CATALOGUE).spec;
      const [gpus] = devices;
      const driver = DRIVERS.find(({ name }) => name === gpus?.driver);
      expect(gpus).toMatchObject({
        count: entry.type.gpus,
        capacity: entry.gpu.memory === undefined ? {} : { memory: { value: entry.gpu.memory } },
        attributes: entry.type.attributes ?? {},
      });
      for (const device of devices) {
        const facts = DRIVERS.find(({ name }) => name === device.driver)?.facts ?? [];
        const known = Object.fromEntries(facts.map(({ name, type }) => [name, type]));
        for (const [name, value] of Object.entries(device.attributes)) {
          expect({ [name]: known[name] }).toEqual({ [name]: Object.keys(value)[0] });
        }
        for (const name of Object.keys(device.capacity)) expect(known[name]).toBe('quantity');
      }
      expect(driver).toBeDefined();
      const isManaged = ['GKE', 'EKS', 'AKS'].includes(entry.provider ?? '');
      expect(Object.keys(node.allocatable)).toEqual(isManaged ? ['cpu', 'memory'] : []);
      expect(countAccelerators(provisioning)).toEqual(entry.provider ? [entry.type.gpus] : []);
    },
  );
});

/** The GPUs of the machine of each cloud in a class. */
function countAccelerators(provisioning: Provisioning | undefined): unknown[] {
  const blocks = Object.values(PROVIDER_BLOCK).map((block) => provisioning?.[block]);
  return blocks.flatMap((block) => block?.accelerator?.count ?? []);
}

describe('macros', () => {
  test.each(INSTANCE_TYPE_MACROS)(
    '$name stands for the same GPUs on every cloud, at most once a cloud',
    ({ name, aliases }) => {
      const types = aliases.map((alias) => BUILT_IN_CATALOGUE.instanceTypes.get(alias));
      expect(new Set(types.map((type) => `${type?.gpu} ${type?.gpus}`)).size).toBe(1);
      expect(new Set(types.map((type) => type && cloudOf(type))).size).toBe(aliases.length);
      expect(name.endsWith(`-${types[0]?.gpus}x`)).toBe(true);
    },
  );
});

describe('prices', () => {
  test.each(PRICES)('$instanceType in $region are of a known type, in a region of its cloud', (row) => {
    expect(BUILT_IN_CATALOGUE.instanceTypes.has(row.instanceType)).toBe(true);
    const cloud = REGIONS.find(({ prefix }) => row.instanceType.startsWith(`${prefix}/`));
    if (row.region !== undefined) expect(cloud?.regions).toContain(row.region);
    expect(row.perHour).toBeGreaterThan(row.spotPerHour ?? 0);
  });
});

describe('drivers', () => {
  test.each(DEVICE_CLASSES)('the DeviceClass $name is of a known driver', ({ driver }) => {
    expect(DRIVERS.map(({ name }) => name)).toContain(driver);
  });

  test.each(DRIVERS)('$name publishes nothing twice', ({ facts }) => {
    const names = facts.map(({ name, domain, type }) => `${type === 'quantity'} ${domain}/${name}`);
    expect(new Set(names).size).toBe(facts.length);
  });
});
