import { readFileSync } from 'node:fs';
import { modelRow } from '../../src/api/model-catalogue-file';
import { MODELS } from '../../src/catalog/models/models';
import { validateAgainst } from '../../src/api/schema/validate';
import { RUNS } from '../sizing/truth';

/** A model of the table, as its `config.json` states it. */
interface TruthRow {
  readonly model: string;
  readonly sameShapeAs?: string;
  readonly layers?: number;
  readonly hidden?: number;
  readonly heads?: number;
  readonly kvHeads?: number;
  readonly headDim?: number;
  readonly vocab?: number;
  readonly maxPositions?: number;
  readonly layerTypes?: Readonly<Record<string, number>>;
  readonly slidingWindow?: number;
  readonly mla?: { readonly kvLoraRank: number; readonly qkRopeHeadDim: number };
  readonly sparseIndexer?: { readonly headDim: number };
  readonly linear?: Readonly<Record<string, number | string>>;
  readonly mamba?: Readonly<Record<string, number | string>>;
  readonly hybridPattern?: { readonly attention: number; readonly mamba: number };
  readonly experts?: { readonly routed: number; readonly perToken: number };
  readonly paramsComputed?: number;
  readonly activeComputed?: number;
  readonly safetensorsGiB?: number;
  readonly loadedGiB?: unknown;
}

const { models } = JSON.parse(readFileSync('test/truth/model-configs.json', 'utf8')) as { models: TruthRow[] };
const byName = new Map(models.map((row) => [row.model, row]));
const truth = new Map(models.map((row) => [row.model, { ...shapeOf(byName.get(row.sameShapeAs ?? '')), ...row }]));

/** The shape of the layers of another model, which fine-tuned models share. */
function shapeOf({ layers, hidden, heads, kvHeads, headDim }: Partial<TruthRow> = {}): Partial<TruthRow> {
  const stated = Object.entries({ layers, hidden, heads, kvHeads, headDim }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated);
}

const checked = MODELS.flatMap((row) => {
  const known = truth.get(row.repository);
  return known ? [{ repository: row.repository, row, known }] : [];
});

test('at least 100 models are checked against the table', () => {
  expect(checked.length).toBeGreaterThanOrEqual(100);
});

test('each model has one row, which its schema accepts', () => {
  expect(new Set(MODELS.map(({ repository }) => repository)).size).toBe(MODELS.length);
  const bad = MODELS.map((row) => validateAgainst(modelRow, row)).filter((read) => 'findings' in read);
  expect(bad).toEqual([]);
});

/** Where the table has more than `config.json` (vllm-project/vllm#16757, QwenLM/QwQ#26). */
const POSITIONS = new Map([
  ...['1.5B', '7B', '14B', '32B', '72B'].map((size): [string, number] => [`Qwen/Qwen2.5-${size}-Instruct`, 32_768]),
  ['Qwen/QwQ-32B', 40_960],
]);

/** The fields of a row that the table states, with its attention in one map. */
function statedFacts(known: TruthRow): Readonly<Record<string, unknown>> {
  const { layerTypes, mla, sparseIndexer, hybridPattern, experts } = known;
  const facts = {
    layers: known.layers,
    vocabulary: known.vocab,
    hidden: known.hidden,
    heads: known.heads,
    positions: POSITIONS.get(known.model) ?? known.maxPositions,
    ...(mla && { kvLoraRank: mla.kvLoraRank, qkRopeHeadDim: mla.qkRopeHeadDim }),
    ...(mla && sparseIndexer && { indexHeadDim: sparseIndexer.headDim }),
    ...(layerTypes?.linear_attention && {
      attentionLayers: layerTypes.full_attention,
      linearLayers: layerTypes.linear_attention,
    }),
    ...(layerTypes?.sliding_attention && {
      fullLayers: layerTypes.full_attention,
      slidingLayers: layerTypes.sliding_attention,
      slidingWindow: known.slidingWindow,
    }),
    ...(hybridPattern && { attentionLayers: hybridPattern.attention, mambaLayers: hybridPattern.mamba }),
    ...(experts && { experts: { routed: experts.routed, perToken: experts.perToken } }),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

test.each(checked)('$repository is as its config.json states', ({ row, known }) => {
  const { attention } = row;
  const states = { ...('linear' in attention && attention.linear), ...('mamba' in attention && attention.mamba) };
  expect({ ...states, ...attention, ...row }).toMatchObject(statedFacts(known));
});

test.each(checked.filter(({ row }) => row.attention.kind === 'gqa'))(
  '$repository has the KV heads of its config.json',
  ({ row, known }) => {
    const { kvHeads, hidden = 0, heads = 1, headDim = hidden / heads } = known;
    expect(row.attention).toEqual({ kind: 'gqa', kvHeads, headDim });
  },
);

test.each(checked.filter(({ known }) => known.paramsComputed !== undefined))(
  '$repository has the parameters that its shape gives',
  ({ row, known }) => {
    expect(row.parameters).toEqual({ total: known.paramsComputed, active: known.activeComputed });
  },
);

test.each(checked.filter(({ known }) => typeof (known.loadedGiB ?? known.safetensorsGiB) === 'number'))(
  '$repository has the weights that were loaded, or of its files',
  ({ row, known }) => {
    const logged = RUNS.filter(({ model }) => model === row.repository).map(({ tp, reported }) => {
      return tp * (reported.weightsGiBPerGpu ?? 0);
    });
    const errors = [(known.loadedGiB ?? known.safetensorsGiB) as number, ...logged].map((weights) =>
      Math.abs((row.weightsGiB ?? 0) / weights - 1),
    );
    expect(Math.min(...errors)).toBeLessThan(0.01);
  },
);
