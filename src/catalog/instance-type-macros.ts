import type { HardwareMacro } from './row-types';

const row = { source: 'the instance types of this catalog', asOf: '2026-11-01' };

/** Names for the same GPUs on several clouds. A class that uses a name can be created on each of them. */
export const INSTANCE_TYPE_MACROS: readonly HardwareMacro[] = [
  { ...row, name: 'T4-1x', aliases: ['aws/g4dn.xlarge'] },
  { ...row, name: 'L4-1x', aliases: ['gcp/g2-standard-8', 'aws/g6.2xlarge'] },
  { ...row, name: 'L4-4x', aliases: ['gcp/g2-standard-48', 'aws/g6.12xlarge'] },
  { ...row, name: 'L4-8x', aliases: ['gcp/g2-standard-96', 'aws/g6.48xlarge'] },
  { ...row, name: 'L40S-1x', aliases: ['aws/g6e.xlarge'] },
  { ...row, name: 'L40S-4x', aliases: ['aws/g6e.12xlarge'] },
  { ...row, name: 'L40S-8x', aliases: ['aws/g6e.48xlarge'] },
  { ...row, name: 'RTX-PRO-6000-8x', aliases: ['gcp/g4-standard-384', 'aws/g7e.48xlarge'] },
  { ...row, name: 'A100-40GB-8x', aliases: ['gcp/a2-highgpu-8g', 'aws/p4d.24xlarge'] },
  { ...row, name: 'A100-80GB-8x', aliases: ['gcp/a2-ultragpu-8g', 'aws/p4de.24xlarge'] },
  { ...row, name: 'H100-8x', aliases: ['gcp/a3-highgpu-8g', 'aws/p5.48xlarge'] },
  { ...row, name: 'H200-8x', aliases: ['gcp/a3-ultragpu-8g', 'aws/p5en.48xlarge'] },
  { ...row, name: 'B200-8x', aliases: ['gcp/a4-highgpu-8g', 'aws/p6-b200.48xlarge'] },
  { ...row, name: 'B300-8x', aliases: ['aws/p6-b300.48xlarge'] },
  { ...row, name: 'GB200-4x', aliases: ['gcp/a4x-highgpu-4g', 'aws/p6e-gb200.36xlarge'] },
];
