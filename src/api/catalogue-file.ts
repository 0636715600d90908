import { z } from 'zod';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { shortenText } from '../base/describe-value';
import { DRIVERS } from '../catalog/drivers';
import type { Gpu, HardwareMacro, InstanceType } from '../catalog/row-types';
import { isSemver } from '../cel/values/semver';
import { attribute } from './device';
import { fields } from './schema/fields';
import { namedList } from './schema/list';
import { amount, integer, quantity } from './schema/quantity';
import { LEAST_MEMORY } from './schema/quantity-faults';
import type { Path } from './resource';
import { describeMissingField, rules } from './schema/rules';
import { date, dnsLabel, nonEmptyText, stringFormat } from './schema/string-formats';

/** The fields of every row that state its source. */
export const sourced = {
  source: nonEmptyText(253).describe('The source of the row: a page, a data set or the output of a command.'),
  asOf: date.describe('The day on which it was read: 2026-07-20.'),
  secondHand: z
    .array(nonEmptyText(63))
    .readonly()
    .optional()
    .describe('The fields that the source does not state, and that are inferred. Default: none.'),
};

const version = nonEmptyText(32).check(
  rules(function* goodVersion(value: string) {
    if (isSemver(value)) return;
    const what = `'${shortenText(value)}' is not a semantic version`;
    yield errorAt('bad-version', [], what, "Use three numbers, as in '9.0.0'");
  }),
);

const gpuFacts = {
  driver: nonEmptyText(253).optional().describe('The DRA driver. Default: gpu.nvidia.com.'),
  deviceClassName: nonEmptyText(253).optional().describe('The DeviceClass. Default: the name of the driver.'),
  productName: nonEmptyText(64)
    .optional()
    .describe('The exact value of the attribute productName. Default: the driver publishes none.'),
  brand: nonEmptyText(64).optional().describe('The attribute brand. Default: not stated.'),
  architecture: nonEmptyText(64).optional().describe('The attribute architecture. Default: not stated.'),
  cudaComputeCapability: version
    .optional()
    .describe('The attribute cudaComputeCapability: 9.0.0. Default: not stated.'),
  memory: quantity(32, LEAST_MEMORY)
    .optional()
    .describe('The capacity memory as the driver publishes it: 81559Mi. Default: the driver publishes none.'),
  nominal: quantity(32, LEAST_MEMORY)
    .optional()
    .describe('The nominal memory, in GiB: 80Gi. Required without memory. Default: what the driver publishes.'),
  attributes: z
    .record(z.string(), attribute)
    .optional()
    .describe('Further attributes that every such GPU publishes. Default: none.'),
  capacity: z
    .record(z.string(), fields({ value: amount.describe('A Kubernetes quantity: 304.') }))
    .optional()
    .describe('Further capacities that every such GPU publishes. Default: none.'),
};

/** The name of an instance type: the cloud, or a name for on-premises machines, then the name there. */
const typeName = stringFormat({
  noun: 'the name of an instance type',
  code: 'bad-name',
  pattern: /^[a-z0-9][-a-z0-9]*\/[A-Za-z0-9][-A-Za-z0-9._]*$/,
  max: 128,
  hint: "Use PROVIDER/NAME, as in 'aws/p5.48xlarge' or 'house/dgx-h100'",
});

const instanceFacts = {
  gpu: dnsLabel.describe('The name of a GPU of the catalog: h100.'),
  gpus: integer(1, 64).describe('GPUs of a node.'),
  cpu: integer(1, 4096).describe('Virtual CPUs of a node.'),
  memoryGiB: z.number().min(1).describe('Memory of a node, in GiB.'),
  allocatable: fields({ cpu: amount, memory: quantity(32, LEAST_MEMORY) })
    .optional()
    .describe('What nodes report as allocatable. Default: estimated from CPU and memory for GKE, EKS and AKS.'),
  cpuArchitecture: z.enum(['amd64', 'arm64']).optional().describe('Default: amd64.'),
  interconnect: z
    .enum(['PCIe', 'NVLink', 'NVSwitch', 'NVL72'])
    .optional()
    .describe('The connection between the GPUs of a node. Default: not stated.'),
  interconnectGBs: z.int().min(1).optional().describe('Its bandwidth, in GB/s for each GPU.'),
  fabric: z
    .enum(['EFA', 'TCPX', 'TCPXO', 'RoCE', 'InfiniBand', 'Ethernet'])
    .optional()
    .describe('The connection between nodes. Default: not stated.'),
  nics: z.int().min(1).optional().describe('Network devices of the fabric. Default: not stated.'),
  nicGbps: z.int().min(1).optional().describe('Bandwidth of all of them, in Gbit/s. Default: not stated.'),
  localDiskGiB: z.int().min(1).optional().describe('Local disks of a node, in GiB. Default: not stated.'),
  zones: z
    .array(nonEmptyText(63))
    .readonly()
    .optional()
    .describe('Zones that have it, where known. Default: not stated.'),
  accelerator: nonEmptyText(63)
    .optional()
    .describe('The name of its GPUs on GKE. Default: nvidia- and the name of the GPU.'),
  attributes: z
    .record(z.string(), attribute)
    .optional()
    .describe('Attributes that its GPUs publish because they are in this machine. Default: none.'),
  quotaFamily: nonEmptyText(63)
    .optional()
    .describe('The family of machines for which Azure grants a number of CPUs in a region. Default: not stated.'),
};

const macroFacts = {
  aliases: z
    .array(typeName)
    .min(1)
    .max(16)
    .readonly()
    .describe('The instance types that the macro stands for, at most one for each cloud.'),
};

/** Requires what the driver of a GPU is known to publish, and the nominal memory where it publishes none. */
function* statesMemory({ driver = DRIVERS[0]?.name, ...gpu }: Partial<Gpu>): Iterable<Diagnostic<Path>> {
  const facts = DRIVERS.find(({ name }) => name === driver)?.facts.map(({ name }) => name) ?? [];
  for (const field of ['productName', 'memory'] as const) {
    if (gpu[field] === undefined && facts.includes(field))
      yield describeMissingField([field], `The driver ${driver} publishes it`);
  }
  if (gpu.memory !== undefined || gpu.nominal !== undefined || facts.includes('memory')) return;
  yield describeMissingField(['nominal'], 'Without memory, it is the only known size');
}

export const gpuRow = fields({
  name: dnsLabel.describe('h100'),
  ...gpuFacts,
  ...sourced,
}).check(rules(statesMemory)) satisfies z.ZodType<Gpu>;

export const instanceTypeRow = fields({
  name: typeName.describe('aws/p5.48xlarge'),
  ...instanceFacts,
  ...sourced,
}) satisfies z.ZodType<InstanceType>;

const macroName = nonEmptyText(63).describe('H100-8x');

/** The schema of a macro: one name for equivalent instance types of several clouds. */
export const macroRow = fields({ name: macroName, ...macroFacts, ...sourced }) satisfies z.ZodType<HardwareMacro>;

/** The schema of a row that can override a built-in row. It then contains only the fields that differ. */
function overrideOf<S extends z.core.$ZodLooseShape>(name: z.ZodString, facts: S) {
  const optional = fields(facts).partial().shape;
  return fields({ name, ...optional, ...sourced });
}

/** The schema of the file that `Fleet.spec.catalogue` names: rows that extend or override the built-in catalog. */
export const catalogueFile = fields({
  gpus: namedList(overrideOf(dnsLabel, gpuFacts), { max: 1000 })
    .default([])
    .describe('GPUs. A row with the name of a built-in row overrides the fields that it sets. Default: none.'),
  instanceTypes: namedList(overrideOf(typeName, instanceFacts), { max: 1000 })
    .default([])
    .describe(
      'Instance types. A row with the name of a built-in row overrides the fields that it sets. Default: none.',
    ),
  macros: namedList(overrideOf(macroName, macroFacts), { max: 1000 })
    .default([])
    .describe('Macros. A row with the name of a built-in macro replaces its aliases. Default: none.'),
}).describe('Hardware that extends or corrects the catalog of Fleetwright.');
