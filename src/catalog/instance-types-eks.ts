import type { InstanceType } from './row-types';

const row = { source: 'aws/karpenter-provider-aws, zz_generated.describe_instance_types.go', asOf: '2026-07-20' };

const SIZES = ['cpu', 'memoryGiB'];

const g4dn = { ...row, gpu: 't4', interconnect: 'PCIe' } as const;
const g5 = { ...row, gpu: 'a10g', interconnect: 'PCIe' } as const;
const g6 = { ...row, gpu: 'l4', interconnect: 'PCIe' } as const;
const g6e = { ...row, gpu: 'l40s', interconnect: 'PCIe' } as const;
const g7e = { ...row, gpu: 'rtx-pro-6000', interconnect: 'PCIe' } as const;
const p4 = {
  ...row,
  gpus: 8,
  cpu: 96,
  memoryGiB: 1152,
  interconnect: 'NVSwitch',
  interconnectGBs: 600,
  fabric: 'EFA',
  nics: 4,
  nicGbps: 400,
  localDiskGiB: 7450,
  secondHand: ['localDiskGiB'],
} as const;
const p5 = { ...row, gpu: 'h100', fabric: 'EFA' } as const;
const p5e = {
  ...row,
  gpu: 'h200',
  gpus: 8,
  cpu: 192,
  memoryGiB: 2048,
  interconnect: 'NVSwitch',
  interconnectGBs: 900,
  fabric: 'EFA',
  nicGbps: 3200,
  localDiskGiB: 28610,
  secondHand: ['localDiskGiB'],
} as const;
const p6 = { ...row, gpus: 8, cpu: 192, interconnect: 'NVSwitch', interconnectGBs: 1800, fabric: 'EFA' } as const;
const p6e = { ...row, gpu: 'gb200', interconnect: 'NVL72', interconnectGBs: 1800 } as const;

/** A machine with Neuron devices. The driver publishes the instance type, which no attribute of the chip replaces. */
function neuronType(name: string, gpu: string, facts: NeuronFacts): InstanceType {
  return {
    ...row,
    ...facts,
    name: `aws/${name}`,
    gpu,
    accelerator: gpu,
    attributes: { instanceType: { string: name } },
  };
}

type NeuronFacts = Omit<InstanceType, keyof typeof row | 'name' | 'gpu' | 'accelerator' | 'attributes'>;

/** Instance types of EC2 with GPUs and Neuron devices that EKS supports, except fractional GPUs (g6f, gr6f), whose driver publishes less. */
export const EKS_INSTANCE_TYPES: readonly InstanceType[] = [
  { ...g4dn, name: 'aws/g4dn.xlarge', gpus: 1, cpu: 4, memoryGiB: 16, fabric: 'Ethernet', nicGbps: 5 },
  { ...g4dn, name: 'aws/g4dn.12xlarge', gpus: 4, cpu: 48, memoryGiB: 192, fabric: 'EFA', nics: 1, nicGbps: 50 },
  { ...g5, name: 'aws/g5.xlarge', gpus: 1, cpu: 4, memoryGiB: 16, fabric: 'Ethernet', nicGbps: 10 },
  { ...g5, name: 'aws/g5.2xlarge', gpus: 1, cpu: 8, memoryGiB: 32, fabric: 'Ethernet' },
  { ...g5, name: 'aws/g5.4xlarge', gpus: 1, cpu: 16, memoryGiB: 64, fabric: 'Ethernet' },
  { ...g5, name: 'aws/g5.8xlarge', gpus: 1, cpu: 32, memoryGiB: 128, fabric: 'EFA', nics: 1 },
  { ...g5, name: 'aws/g5.12xlarge', gpus: 4, cpu: 48, memoryGiB: 192, fabric: 'EFA', nics: 1, nicGbps: 40 },
  { ...g5, name: 'aws/g5.48xlarge', gpus: 8, cpu: 192, memoryGiB: 768, fabric: 'EFA', nics: 1, nicGbps: 100 },
  { ...g6, name: 'aws/g6.xlarge', gpus: 1, cpu: 4, memoryGiB: 16, fabric: 'Ethernet', nicGbps: 10 },
  { ...g6, name: 'aws/g6.2xlarge', gpus: 1, cpu: 8, memoryGiB: 32, fabric: 'Ethernet' },
  { ...g6, name: 'aws/g6.4xlarge', gpus: 1, cpu: 16, memoryGiB: 64, fabric: 'Ethernet' },
  { ...g6, name: 'aws/g6.8xlarge', gpus: 1, cpu: 32, memoryGiB: 128, fabric: 'EFA', nics: 1 },
  { ...g6, name: 'aws/g6.12xlarge', gpus: 4, cpu: 48, memoryGiB: 192, fabric: 'EFA', nics: 1, nicGbps: 40 },
  {
    ...g6,
    name: 'aws/g6.24xlarge',
    gpus: 4,
    cpu: 96,
    memoryGiB: 384,
    fabric: 'EFA',
    nics: 1,
    nicGbps: 50,
    secondHand: SIZES,
  },
  { ...g6, name: 'aws/g6.48xlarge', gpus: 8, cpu: 192, memoryGiB: 768, fabric: 'EFA', nics: 1, nicGbps: 100 },
  { ...g6, name: 'aws/gr6.4xlarge', gpus: 1, cpu: 16, memoryGiB: 128, fabric: 'Ethernet' },
  { ...g6e, name: 'aws/g6e.xlarge', gpus: 1, cpu: 4, memoryGiB: 32, fabric: 'Ethernet', nicGbps: 20 },
  { ...g6e, name: 'aws/g6e.2xlarge', gpus: 1, cpu: 8, memoryGiB: 64, fabric: 'Ethernet', secondHand: SIZES },
  { ...g6e, name: 'aws/g6e.4xlarge', gpus: 1, cpu: 16, memoryGiB: 128, fabric: 'Ethernet', secondHand: SIZES },
  { ...g6e, name: 'aws/g6e.8xlarge', gpus: 1, cpu: 32, memoryGiB: 256, fabric: 'EFA', nics: 1, secondHand: SIZES },
  { ...g6e, name: 'aws/g6e.12xlarge', gpus: 4, cpu: 48, memoryGiB: 384, fabric: 'EFA', nics: 1, nicGbps: 100 },
  { ...g6e, name: 'aws/g6e.24xlarge', gpus: 4, cpu: 96, memoryGiB: 768, fabric: 'EFA', nics: 2, nicGbps: 200 },
  { ...g6e, name: 'aws/g6e.48xlarge', gpus: 8, cpu: 192, memoryGiB: 1536, fabric: 'EFA', nics: 4, nicGbps: 400 },
  { ...g7e, name: 'aws/g7e.2xlarge', gpus: 1, cpu: 8, memoryGiB: 64, fabric: 'Ethernet', nicGbps: 50 },
  {
    ...g7e,
    name: 'aws/g7e.12xlarge',
    gpus: 2,
    cpu: 48,
    memoryGiB: 512,
    fabric: 'EFA',
    nics: 1,
    nicGbps: 400,
    secondHand: SIZES,
  },
  {
    ...g7e,
    name: 'aws/g7e.24xlarge',
    gpus: 4,
    cpu: 96,
    memoryGiB: 1024,
    fabric: 'EFA',
    nics: 2,
    nicGbps: 800,
    secondHand: SIZES,
  },
  { ...g7e, name: 'aws/g7e.48xlarge', gpus: 8, cpu: 192, memoryGiB: 2048, fabric: 'EFA', nics: 4, nicGbps: 1600 },
  { ...p4, name: 'aws/p4d.24xlarge', gpu: 'a100-40gb' },
  { ...p4, name: 'aws/p4de.24xlarge', gpu: 'a100-80gb' },
  { ...p5, name: 'aws/p5.4xlarge', gpus: 1, cpu: 16, memoryGiB: 256, nics: 1, nicGbps: 100 },
  {
    ...p5,
    name: 'aws/p5.48xlarge',
    gpus: 8,
    cpu: 192,
    memoryGiB: 2048,
    interconnect: 'NVSwitch',
    interconnectGBs: 900,
    nics: 32,
    nicGbps: 3200,
    localDiskGiB: 28610,
    secondHand: ['localDiskGiB'],
  },
  { ...p5e, name: 'aws/p5e.48xlarge', nics: 32 },
  { ...p5e, name: 'aws/p5en.48xlarge', nics: 16 },
  { ...p6, name: 'aws/p6-b200.48xlarge', gpu: 'b200', memoryGiB: 2048, nics: 8, nicGbps: 3200 },
  { ...p6, name: 'aws/p6-b300.48xlarge', gpu: 'b300', memoryGiB: 4096, nics: 16, nicGbps: 6400 },
  {
    ...p6e,
    name: 'aws/p6e-gb200.36xlarge',
    gpus: 4,
    cpu: 144,
    memoryGiB: 960,
    cpuArchitecture: 'arm64',
    nicGbps: 1600,
    secondHand: ['interconnect', 'nicGbps'],
  },
  neuronType('inf2.xlarge', 'inferentia2', { gpus: 1, cpu: 4, memoryGiB: 16, fabric: 'Ethernet' }),
  neuronType('inf2.8xlarge', 'inferentia2', { gpus: 1, cpu: 32, memoryGiB: 128, fabric: 'Ethernet' }),
  neuronType('inf2.24xlarge', 'inferentia2', { gpus: 6, cpu: 96, memoryGiB: 384, fabric: 'Ethernet', nicGbps: 50 }),
  neuronType('inf2.48xlarge', 'inferentia2', { gpus: 12, cpu: 192, memoryGiB: 768, fabric: 'Ethernet', nicGbps: 100 }),
  neuronType('trn1.2xlarge', 'trainium', { gpus: 1, cpu: 8, memoryGiB: 32, fabric: 'Ethernet' }),
  neuronType('trn1.32xlarge', 'trainium', { gpus: 16, cpu: 128, memoryGiB: 512, fabric: 'EFA', nics: 8, nicGbps: 800 }),
  neuronType('trn1n.32xlarge', 'trainium', {
    gpus: 16,
    cpu: 128,
    memoryGiB: 512,
    fabric: 'EFA',
    nics: 16,
    nicGbps: 1600,
  }),
  neuronType('trn2.48xlarge', 'trainium2', {
    gpus: 16,
    cpu: 192,
    memoryGiB: 2048,
    fabric: 'EFA',
    nics: 16,
    nicGbps: 3200,
  }),
];
