import type { Gpu } from './row-types';

const SLICES = "public output of 'kubectl get resourceslice' and nvidia-smi";
const row = { source: SLICES, asOf: '2026-11-01' };

const turing = { ...row, architecture: 'Turing', cudaComputeCapability: '7.5.0' };
const ampere80 = { ...row, architecture: 'Ampere', cudaComputeCapability: '8.0.0', brand: 'Nvidia' };
const ampere86 = { ...row, architecture: 'Ampere', cudaComputeCapability: '8.6.0' };
const ada = { ...row, architecture: 'Ada Lovelace', cudaComputeCapability: '8.9.0' };
const hopper = { ...row, architecture: 'Hopper', cudaComputeCapability: '9.0.0', brand: 'Nvidia' };
const blackwell = { ...row, architecture: 'Blackwell', cudaComputeCapability: '10.0.0' };

/**
 * NVIDIA GPUs as their driver publishes them. `memory` is the published value, which is less than the advertised size
 * for most GPUs. `nominal` is the advertised size, read as GiB.
 */
export const GPUS: readonly Gpu[] = [
  { ...turing, name: 't4', productName: 'Tesla T4', brand: 'Tesla', memory: '15360Mi', nominal: '16Gi' },
  { ...ada, name: 'l4', productName: 'NVIDIA L4', memory: '23034Mi', nominal: '24Gi' },
  {
    ...ampere86,
    name: 'a10',
    productName: 'NVIDIA A10',
    memory: '24564Mi',
    nominal: '24Gi',
    source: 'the class pages of modelplane.ai',
    secondHand: ['productName', 'memory'],
  },
  { ...ampere86, name: 'a10g', productName: 'NVIDIA A10G', memory: '23028Mi', nominal: '24Gi' },
  { ...ampere80, name: 'a100-40gb', productName: 'NVIDIA A100-SXM4-40GB', memory: '40Gi', nominal: '40Gi' },
  { ...ampere80, name: 'a100-80gb', productName: 'NVIDIA A100-SXM4-80GB', memory: '80Gi', nominal: '80Gi' },
  { ...ada, name: 'l40s', productName: 'NVIDIA L40S', memory: '46068Mi', nominal: '48Gi' },
  {
    ...blackwell,
    name: 'rtx-pro-6000',
    productName: 'NVIDIA RTX PRO 6000 Blackwell Server Edition',
    cudaComputeCapability: '12.0.0',
    memory: '97887Mi',
    nominal: '96Gi',
  },
  { ...hopper, name: 'h100', productName: 'NVIDIA H100 80GB HBM3', memory: '81559Mi', nominal: '80Gi' },
  { ...hopper, name: 'h100-nvl', productName: 'NVIDIA H100 NVL', memory: '95830Mi', nominal: '94Gi' },
  { ...hopper, name: 'h200', productName: 'NVIDIA H200', memory: '143771Mi', nominal: '141Gi' },
  { ...blackwell, name: 'b200', productName: 'NVIDIA B200', memory: '183359Mi', nominal: '180Gi' },
  { ...blackwell, name: 'gb200', productName: 'NVIDIA GB200', memory: '189471Mi', nominal: '186Gi' },
  {
    ...blackwell,
    name: 'b300',
    productName: 'NVIDIA B300 SXM6 AC',
    cudaComputeCapability: '10.3.0',
    memory: '275040Mi',
    nominal: '288Gi',
    secondHand: ['nominal'],
  },
];
