import type { Sourced } from './sourced';

/** Number formats that engines compute in. */
export type NumberFormat = 'FP16' | 'INT8' | 'BF16' | 'TF32' | 'FP8' | 'FP4';

/** A number format, and the first compute capability whose tensor cores multiply it. Every later one does too. */
export interface NumberFormatRow extends Sourced {
  readonly name: NumberFormat;
  readonly since: string;
}

const GUIDE = 'NVIDIA CUDA C++ Programming Guide, tensor core data types by compute capability';

/** What NVIDIA GPUs multiply on tensor cores, by compute capability. */
export const NUMBER_FORMATS: readonly NumberFormatRow[] = [
  { name: 'FP16', since: '7.0.0', source: GUIDE, asOf: '2026-11-01', secondHand: ['since'] },
  { name: 'INT8', since: '7.2.0', source: GUIDE, asOf: '2026-11-01', secondHand: ['since'] },
  { name: 'BF16', since: '8.0.0', source: GUIDE, asOf: '2026-11-01', secondHand: ['since'] },
  { name: 'TF32', since: '8.0.0', source: GUIDE, asOf: '2026-11-01', secondHand: ['since'] },
  { name: 'FP8', since: '8.9.0', source: GUIDE, asOf: '2026-11-01', secondHand: ['since'] },
  { name: 'FP4', since: '10.0.0', source: GUIDE, asOf: '2026-11-01', secondHand: ['since'] },
];
