import type { Experts, ModelRow, Quantization } from '../catalog/models/model-row';
import { ATTENTION_READERS } from './architectures';
import { ConfigFields, isRecord, textConfigOf } from './config-fields';
import { countParameters } from './parameters';
import { GIB } from './weights';

/** What a model is called, and what its weights weigh. */
interface Known {
  readonly repository: string;
  readonly source: string;
  readonly asOf: string;

  /** `metadata.total_size` of `model.safetensors.index.json`. */
  readonly weightBytes?: number | undefined;
}

/** The row of a model, or why there is none: an architecture that is not known, or names of missing fields. */
export type ConfigReading =
  | { readonly row: ModelRow }
  | { readonly architecture: string }
  | { readonly missing: readonly string[] };

/** Makes the row of a model from its `config.json`. Nothing is guessed. */
export function readModelConfig(config: Readonly<Record<string, unknown>>, known: Known): ConfigReading {
  const fields = new ConfigFields(textConfigOf(config));
  const architecture = new ConfigFields(config).texts('architectures')?.[0] ?? '';
  const attention = Object.hasOwn(ATTENTION_READERS, architecture)
    ? ATTENTION_READERS[architecture]?.(fields)
    : undefined;
  if (!attention) return { architecture };
  const quantization = quantizationOf(config);
  const row = { ...shapeOf(fields), attention, ...blocksOf(config), ...weightsOf(known) };
  const parameters = countParameters(fields, attention);
  if (!parameters && known.weightBytes === undefined)
    fields.addMissing('model.safetensors.index.json (metadata.total_size)');
  if (quantization === undefined) fields.addMissing('quantization_config.quant_method (none that is known is stated)');
  if (fields.missing.length > 0 || !quantization) return { missing: fields.missing };
  const { repository, source, asOf } = known;
  return { row: { repository, ...(parameters && { parameters }), ...row, quantization, source, asOf } };
}

function shapeOf(
  fields: ConfigFields,
): Omit<ModelRow, 'repository' | 'attention' | 'quantization' | 'source' | 'asOf'> {
  const [hidden, heads] = [fields.optional('hidden_size'), fields.optional('num_attention_heads')];
  const vocabulary = fields.optional('vocab_size');
  const experts = expertsOf(fields);
  return {
    layers: fields.number('num_hidden_layers'),
    ...(hidden !== undefined && { hidden }),
    ...(heads !== undefined && { heads }),
    ...(vocabulary !== undefined && { vocabulary }),
    ...(fields.flag('tie_word_embeddings') && { tied: true }),
    ...(experts && { experts }),
    ...denseWidthOf(fields, experts),
    positions: fields.number('max_position_embeddings'),
  };
}

/** The width of layers without experts: the first ones of a mixture, or all. */
function denseWidthOf(fields: ConfigFields, experts: Experts | undefined): Pick<ModelRow, 'intermediate'> {
  const intermediate = fields.optional('intermediate_size');
  const isKnown = !experts || fields.optional('first_k_dense_replace') !== undefined;
  return isKnown && intermediate !== undefined ? { intermediate } : {};
}

/** The side of square blocks of weights that share a scale: of the whole model, or of a group of compressed tensors. */
function blocksOf(config: Readonly<Record<string, unknown>>): Pick<ModelRow, 'weightBlock'> {
  const stated = quantizationConfigOf(config);
  const groups = [...listGroups(stated)].map((group) => group.block_structure);
  const size = [stated?.weight_block_size, ...groups].find((one) => Array.isArray(one));
  const [rows, columns] = (size ?? []) as readonly unknown[];
  return typeof rows === 'number' && Number.isInteger(rows) && rows > 1 && rows === columns
    ? { weightBlock: rows }
    : {};
}

function quantizationConfigOf(
  config: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  return [config.quantization_config, textConfigOf(config).quantization_config].find(isRecord);
}

function weightsOf({ weightBytes }: Known): Pick<ModelRow, 'weightsGiB'> {
  return weightBytes === undefined ? {} : { weightsGiB: weightBytes / GIB };
}

function expertsOf(fields: ConfigFields): Experts | undefined {
  const routed = fields.optional('num_experts', 'num_local_experts', 'n_routed_experts');
  if (routed === undefined) return undefined;
  const shared = fields.optional('n_shared_experts');
  const intermediate = fields.optional('moe_intermediate_size', 'intermediate_size');
  return {
    routed,
    perToken: fields.number('num_experts_per_tok', 'num_experts_per_token'),
    ...(shared !== undefined && { shared }),
    ...(intermediate !== undefined && { intermediate }),
  };
}

/** What `quant_method` says, where it says it alone. */
const METHODS: Readonly<Record<string, Quantization>> = {
  fp8: 'fp8',
  fbgemm_fp8: 'fp8',
  awq: 'int4',
  gptq: 'int4',
  mxfp4: 'mxfp4',
};

/** AWQ and GPTQ have four bits unless they state eight. */
const BITS_OF_INT8 = 8;

/** Words of other methods, in their algorithm or their groups: the narrowest first. */
const WORDS: readonly (readonly [RegExp, Quantization])[] = [
  [/nvfp4/i, 'nvfp4'],
  [/mxfp4/i, 'mxfp4'],
  [/mxfp8/i, 'mxfp8'],
];

/** What groups of compressed tensors are, by bits and type. */
const GROUPS: readonly { readonly bits: number; readonly isFloat: boolean; readonly quantization: Quantization }[] = [
  { bits: 4, isFloat: true, quantization: 'nvfp4' },
  { bits: 4, isFloat: false, quantization: 'int4' },
  { bits: 8, isFloat: true, quantization: 'fp8' },
  { bits: 8, isFloat: false, quantization: 'int8' },
];

/** Lists the maps in a value that state a number of bits, at any depth. */
function* listGroups(value: unknown): Iterable<Readonly<Record<string, unknown>>> {
  if (isRecord(value) && 'num_bits' in value) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) yield* listGroups(part);
}

function quantizationOfGroups(config: Readonly<Record<string, unknown>>, width: number): Quantization | undefined {
  const groups = [...listGroups(config)].filter((group) => group.num_bits === width);
  const isIn = ({ bits, isFloat }: (typeof GROUPS)[number]): boolean =>
    bits === width && groups.some((group) => (group.type === 'float') === isFloat);
  return GROUPS.find(isIn)?.quantization;
}

function quantizationOf(config: Readonly<Record<string, unknown>>): Quantization | undefined {
  const stated = quantizationConfigOf(config);
  if (!stated) return 'bf16';
  const fields = new ConfigFields(stated);
  const method = fields.text('quant_method') ?? '';
  if (fields.optional('bits') === BITS_OF_INT8) return 'int8';
  if (Object.hasOwn(METHODS, method)) return METHODS[method];
  const { ignore: _, ...rest } = stated;
  const text = JSON.stringify(rest);
  const named = WORDS.find(([word]) => word.test(text))?.[1] ?? quantizationOfGroups(rest, 4);
  return named ?? (/fp8/i.test(text) ? 'fp8' : quantizationOfGroups(rest, 8));
}

/** The sum of the tensors that an index of safetensors files states. */
export function totalSizeOf(index: unknown): number | undefined {
  const metadata = isRecord(index) && isRecord(index.metadata) ? index.metadata : undefined;
  return metadata && new ConfigFields(metadata).optional('total_size');
}
