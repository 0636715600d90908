import type { Quantization } from '../catalog/models/model-row';

/** How weights of a quantization are stored. */
interface WeightFormat {
  /** Bytes of a parameter with its scales. */
  readonly bytes: number;

  /** Whether only the experts of a mixture are stored this way, and the rest in bf16. */
  readonly expertsOnly: boolean;
}

/** Bytes of a parameter in bf16, which embeddings keep. */
export const WIDE_BYTES = 2;

/**
 * Definitions of the formats. fp8 has scales of a block or a channel, which come to nothing. int4 is AWQ or GPTQ: groups
 * of 128 with a scale and a zero. mxfp8 and mxfp4 have a byte for 32 values, nvfp4 one for 16.
 */
export const WEIGHT_FORMATS: Readonly<Record<Quantization, WeightFormat>> = {
  bf16: { bytes: WIDE_BYTES, expertsOnly: false },
  fp8: { bytes: 1, expertsOnly: false },
  mxfp8: { bytes: 1 + 1 / 32, expertsOnly: false },
  int8: { bytes: 1, expertsOnly: false },
  int4: { bytes: 0.53, expertsOnly: true },
  mxfp4: { bytes: 0.5 + 1 / 32, expertsOnly: true },
  nvfp4: { bytes: 0.5 + 1 / 16, expertsOnly: true },
};

export const QUANTIZATIONS = Object.keys(WEIGHT_FORMATS) as readonly Quantization[];

/** Formats, and what engines call them. Undefined: as the model is stored, since the name says no more. */
export const FORMAT_NAMES: Readonly<Record<string, Quantization | undefined>> = {
  ...Object.fromEntries(QUANTIZATIONS.map((name) => [name, name])),
  awq: 'int4',
  gptq: 'int4',
  fbgemm_fp8: 'fp8',
  modelopt_fp4: 'nvfp4',
  'compressed-tensors': undefined,
  modelopt: undefined,
};

/** Bytes of a number in the KV cache, by what `--kv-cache-dtype` says. */
export const KV_DTYPES: Readonly<Record<string, number>> = {
  auto: 2,
  bf16: 2,
  bfloat16: 2,
  float16: 2,
  fp8: 1,
  fp8_e4m3: 1,
  fp8_e5m2: 1,
  nvfp4: 0.5 + 1 / 16,
};
