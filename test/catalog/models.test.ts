import { readFileSync } from 'node:fs';
import { modelRow } from '../../src/api/model-catalogue-file';
import { MODELS } from '../../src/catalog/models/models';
import { validateAgainst } from '../../src/api/schema/validate';
import { RUNS } from '../sizing/truth';

/** A model of the table, as its `config.json` states it. */
interface TruthRow {
  readonly model: string;
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
const truth = new Map(models.map((row) => [row.model, row]));
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

test.each(checked)('$repository is as its config.json states', ({ row, known }) => {
  const { attention } = row;
  const numbers = {
    ...attention,
    ...('linear' in attention && attention.linear),
    ...('mamba' in attention && attention.mamba),
  };
  const has = (value: Readonly<Record<string, unknown>>): void => expect({ ...numbers, ...row }).toMatchObject(value);
  has({ layers: known.layers });
  if (known.vocab !== undefined) has({ vocabulary: known.vocab });
  if (known.hidden !== undefined) has({ hidden: known.hidden });
  if (known.heads !== undefined) has({ heads: known.heads });
  if (known.maxPositions !== undefined) has({ positions: known.maxPositions });
  if (known.mla) has({ kvLoraRank: known.mla.kvLoraRank, qkRopeHeadDim: known.mla.qkRopeHeadDim });
  if (known.sparseIndexer && known.mla) has({ indexHeadDim: known.sparseIndexer.headDim });
  if (known.layerTypes?.linear_attention) {
    has({ attentionLayers: known.layerTypes.full_attention, linearLayers: known.layerTypes.linear_attention });
  }
  if (known.layerTypes?.sliding_attention) {
    has({ fullLayers: known.layerTypes.full_attention, slidingLayers: known.layerTypes.sliding_attention });
    has({ slidingWindow: known.slidingWindow });
  }
  if (known.hybridPattern)
    has({ attentionLayers: known.hybridPattern.attention, mambaLayers: known.hybridPattern.mamba });
  if (known.experts)
    has({ experts: expect.objectContaining({ routed: known.experts.routed, perToken: known.experts.perToken }) });
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
