import { NEURON_DRIVER } from './neuron';
import type { Gpu } from './row-types';
import { TPU_DRIVER } from './tpus';

const SLICES = "public output of 'kubectl get resourceslice' and nvidia-smi";
const row = { source: SLICES, asOf: '2026-11-01' };

const turing = { architecture: 'Turing', cudaComputeCapability: '7.5.0' };
const ampere80 = { brand: 'Nvidia', architecture: 'Ampere', cudaComputeCapability: '8.0.0' };
const ampere86 = { architecture: 'Ampere', cudaComputeCapability: '8.6.0' };
const ada = { architecture: 'Ada Lovelace', cudaComputeCapability: '8.9.0' };
const hopper = { brand: 'Nvidia', architecture: 'Hopper', cudaComputeCapability: '9.0.0' };
const blackwell = { architecture: 'Blackwell', cudaComputeCapability: '10.0.0' };

const AMD_DEMO = { ...row, source: 'ROCm/k8s-gpu-dra-driver at 2622427, docs/demo.md', asOf: '2026-11-23' };
const MI300_UNITS = { computeUnits: { value: '304' }, simdUnits: { value: '1216' } };
const amd = { driver: 'gpu.amd.com', attributes: { type: { string: 'amdgpu' } } };

const NEURON_EC2 = {
  source: 'aws/karpenter-provider-aws, zz_generated.describe_instance_types.go',
  asOf: '2026-07-20',
};
const neuron = { driver: NEURON_DRIVER, attributes: { resourceType: { string: 'neuron_device' } } };

const TPU_PAGES = {
  source: 'docs.cloud.google.com/tpu, pages on v5e and v6e; dra-driver-google-tpu at f5a9d8c, hardware.go',
  asOf: '2026-11-24',
};
const tpu = { driver: TPU_DRIVER, attributes: { brand: { string: 'Google' } } };

/**
 * GPUs as their drivers publish them. `memory` is the published value, which is less than the advertised size
 * for most GPUs. `nominal` is the advertised size, read as GiB. The drivers of TPUs and Neuron devices publish no memory.
 */
export const GPUS: readonly Gpu[] = [
  { ...row, name: 't4', productName: 'Tesla T4', brand: 'Tesla', ...turing, memory: '15360Mi', nominal: '16Gi' },
  { ...row, name: 'l4', productName: 'NVIDIA L4', ...ada, memory: '23034Mi', nominal: '24Gi' },
  {
    ...row,
    name: 'a10',
    productName: 'NVIDIA A10',
    ...ampere86,
    memory: '24564Mi',
    nominal: '24Gi',
    source: 'the class pages of modelplane.ai',
    secondHand: ['productName', 'memory'],
  },
  { ...row, name: 'a10g', productName: 'NVIDIA A10G', ...ampere86, memory: '23028Mi', nominal: '24Gi' },
  { ...row, name: 'a100-40gb', productName: 'NVIDIA A100-SXM4-40GB', ...ampere80, memory: '40Gi', nominal: '40Gi' },
  { ...row, name: 'a100-80gb', productName: 'NVIDIA A100-SXM4-80GB', ...ampere80, memory: '80Gi', nominal: '80Gi' },
  {
    ...row,
    name: 'a100-40gb-pcie',
    productName: 'NVIDIA A100-PCIE-40GB',
    ...ampere80,
    memory: '40Gi',
    nominal: '40Gi',
  },
  {
    ...row,
    name: 'a100-80gb-pcie',
    productName: 'NVIDIA A100 80GB PCIe',
    ...ampere80,
    memory: '80Gi',
    nominal: '80Gi',
  },
  { ...row, name: 'l40s', productName: 'NVIDIA L40S', ...ada, memory: '46068Mi', nominal: '48Gi' },
  {
    ...row,
    name: 'rtx-pro-6000',
    productName: 'NVIDIA RTX PRO 6000 Blackwell Server Edition',
    ...blackwell,
    cudaComputeCapability: '12.0.0',
    memory: '97887Mi',
    nominal: '96Gi',
  },
  { ...row, name: 'h100', productName: 'NVIDIA H100 80GB HBM3', ...hopper, memory: '81559Mi', nominal: '80Gi' },
  { ...row, name: 'h100-pcie', productName: 'NVIDIA H100 PCIe', ...hopper, memory: '81559Mi', nominal: '80Gi' },
  { ...row, name: 'h100-nvl', productName: 'NVIDIA H100 NVL', ...hopper, memory: '95830Mi', nominal: '94Gi' },
  { ...row, name: 'h200', productName: 'NVIDIA H200', ...hopper, memory: '143771Mi', nominal: '141Gi' },
  { ...row, name: 'b200', productName: 'NVIDIA B200', ...blackwell, memory: '183359Mi', nominal: '180Gi' },
  { ...row, name: 'gb200', productName: 'NVIDIA GB200', ...blackwell, memory: '189471Mi', nominal: '186Gi' },
  {
    ...row,
    name: 'b300',
    productName: 'NVIDIA B300 SXM6 AC',
    ...blackwell,
    cudaComputeCapability: '10.3.0',
    memory: '275040Mi',
    nominal: '288Gi',
    secondHand: ['nominal'],
  },
  {
    ...row,
    name: 'gb300',
    productName: 'NVIDIA GB300',
    ...blackwell,
    cudaComputeCapability: '10.3.0',
    memory: '284160Mi',
    nominal: '288Gi',
    source: 'ai-dynamo/aiconfigurator at 095f58a, systems',
    asOf: '2026-11-22',
    secondHand: ['productName', 'nominal'],
  },
  {
    ...AMD_DEMO,
    ...amd,
    name: 'mi300x',
    productName: 'AMD_Instinct_MI300X_OAM',
    memory: '196592Mi',
    nominal: '192Gi',
    capacity: MI300_UNITS,
  },
  {
    ...AMD_DEMO,
    ...amd,
    name: 'mi325x',
    productName: 'AMD_Instinct_MI325_OAM',
    memory: '262128Mi',
    nominal: '256Gi',
    capacity: MI300_UNITS,
    source: 'public ResourceSlice of a validation of the AMD GPU Operator on OpenShift',
  },
  { ...NEURON_EC2, ...neuron, name: 'inferentia2', nominal: '32Gi' },
  { ...NEURON_EC2, ...neuron, name: 'trainium', nominal: '32Gi' },
  {
    ...NEURON_EC2,
    ...neuron,
    name: 'trainium2',
    nominal: '96Gi',
    source: 'awsdocs-neuron.readthedocs-hosted.com 2.29, Amazon EC2 Trn2 architecture',
    asOf: '2026-11-24',
  },
  {
    ...TPU_PAGES,
    ...tpu,
    name: 'tpu-v5e',
    nominal: '16Gi',
    attributes: { ...tpu.attributes, tpuGen: { string: 'v5litepod' }, accelerator: { string: 'tpu-v5-lite-podslice' } },
  },
  {
    ...TPU_PAGES,
    ...tpu,
    name: 'tpu-v6e',
    nominal: '32Gi',
    attributes: { ...tpu.attributes, tpuGen: { string: 'v6e' }, accelerator: { string: 'tpu-v6e-slice' } },
  },
];
