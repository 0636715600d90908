import type { AMI_TYPES } from '../api/provisioning';

/** An image of EKS. */
export type AmiType = (typeof AMI_TYPES)[number];

/** The image of EKS for each kind of processor. */
export const AMI_FOR = {
  amd64: 'AL2023_x86_64_NVIDIA',
  arm64: 'AL2023_ARM_64_NVIDIA',
} as const satisfies Readonly<Record<string, AmiType>>;
