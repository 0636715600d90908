import type { SourcedRow } from './row-types';

/** A number format that engines compute in. */
export type NumberFormat = 'FP16' | 'INT8' | 'BF16' | 'TF32' | 'FP8' | 'FP4';

/** A number format, and the first compute capability whose tensor cores support it. All later ones do too. */
interface NumberFormatRow extends SourcedRow {
  readonly name: NumberFormat;
  readonly since: string;
}

const guide = {
  source: 'NVIDIA CUDA C++ Programming Guide, tensor core data types by compute capability',
  asOf: '2026-11-01',
  secondHand: ['since'],
};

/** The number formats that tensor cores of NVIDIA GPUs support, by compute capability. */
export const NUMBER_FORMATS: readonly NumberFormatRow[] = [
  { ...guide, name: 'FP16', since: '7.0.0' },
  { ...guide, name: 'INT8', since: '7.2.0' },
  { ...guide, name: 'BF16', since: '8.0.0' },
  { ...guide, name: 'TF32', since: '8.0.0' },
  { ...guide, name: 'FP8', since: '8.9.0' },
  { ...guide, name: 'FP4', since: '10.0.0' },
];

/**
 * The formats that stand for two compute capabilities, where the second is the first with a format: a request may say
 * `supports: FP4` for it. Undefined where it is another number.
 */
export function formatsOfCapabilities(
  capability: string,
  required: string,
): { readonly has: NumberFormat; readonly needs: NumberFormat } | undefined {
  const needs = NUMBER_FORMATS.find(({ since }) => since === required);
  const has = NUMBER_FORMATS.filter(({ since }) => isAtLeast(capability, since));
  const newest = has.find(({ since }) => since === has.at(-1)?.since);
  return needs && newest ? { has: newest.name, needs: needs.name } : undefined;
}

function isAtLeast(capability: string, since: string): boolean {
  const [[major = 0, minor = 0], [least = 0, leastMinor = 0]] = [capability, since].map((one) =>
    one.split('.').map(Number),
  ) as [number[], number[]];
  return major > least || (major === least && minor >= leastMinor);
}

/** The architectures as the NVIDIA driver publishes them. */
export type Architecture = 'Turing' | 'Ampere' | 'Ada Lovelace' | 'Hopper' | 'Blackwell';

/** An architecture, and the compute capabilities of its GPUs. */
interface ArchitectureRow extends SourcedRow {
  readonly name: Architecture;

  /** In ascending order. A higher capability can lack instructions: 12.0 lacks some that 10.0 has. */
  readonly computeCapabilities: readonly string[];
}

const NAMES = 'kubernetes-sigs/dra-driver-nvidia-gpu, deviceinfo.go and resourceslice-attributes.md';
const row = { source: NAMES, asOf: '2026-11-01' };

/** The architectures of NVIDIA GPUs for data centres. 'Ada Lovelace' has a space. */
export const GPU_ARCHITECTURES: readonly ArchitectureRow[] = [
  { ...row, name: 'Turing', computeCapabilities: ['7.5.0'] },
  { ...row, name: 'Ampere', computeCapabilities: ['8.0.0', '8.6.0'] },
  { ...row, name: 'Ada Lovelace', computeCapabilities: ['8.9.0'] },
  { ...row, name: 'Hopper', computeCapabilities: ['9.0.0'] },
  { ...row, name: 'Blackwell', computeCapabilities: ['10.0.0', '10.3.0', '12.0.0'] },
];
