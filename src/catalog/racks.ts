import type { SourcedRow } from './row-types';

/** A rack whose nodes share one NVLink domain. */
interface RackRow extends SourcedRow {
  readonly gpus: number;
}

/** The forms of racks that a pool can be. */
export const RACKS = {
  NVL72: { gpus: 72, source: 'NVIDIA GB200 NVL72 and GB300 NVL72, product pages', asOf: '2026-11-23' },
} as const satisfies Readonly<Record<string, RackRow>>;

export const RACK_NAMES = Object.keys(RACKS) as [keyof typeof RACKS];

/** The channel of a NVLink domain that a pod claims: the driver publishes one for each node. */
export const COMPUTE_DOMAIN = {
  apiVersion: 'resource.nvidia.com/v1beta1',
  kind: 'ComputeDomain',
  source: 'kubernetes-sigs/dra-driver-nvidia-gpu at 9593204, api/nvidia.com/resource/v1beta1 and Helm chart',
  asOf: '2026-11-23',
} as const;
