import { locateAll } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { findGatedModels } from '../../../src/plan/warnings/gated-models';
import { findDenseExpertWarnings, findMisspelledModels } from '../../../src/plan/warnings/model-warnings';
import { aCache, byPath, type Doc } from '../../api/build';
import { CONTAINER, serving } from '../../engine/build';

const EP = '--enable-expert-parallel';

interface Row {
  args: string[];
  repo?: string;
  want: string[];
}

const rows: Record<string, Row> = {
  'a known model is fine': { args: ['Qwen/Qwen3-8B'], want: [] },
  'a model like none is left alone': { args: ['acme/house-model'], want: [] },
  'experts of a mixture of experts can be distributed': { args: ['Qwen/Qwen3-30B-A3B', EP], want: [] },
  'a model of unknown shape may have experts': { args: ['acme/house-model', EP], want: [] },
  'a dense model has no experts to distribute': {
    args: ['Qwen/Qwen3-8B', EP],
    want: [`${CONTAINER}.args.1: Qwen/Qwen3-8B has no experts, so vLLM does not start with ${EP}. Remove the flag.`],
  },
  'nor has one that a cache stages': {
    args: [EP],
    repo: 'Qwen/Qwen3-8B',
    want: [`${CONTAINER}.args.0: Qwen/Qwen3-8B has no experts, so vLLM does not start with ${EP}. Remove the flag.`],
  },
  'a name with a misspelled word gets that of the catalog': {
    args: ['meta-llama/Llama-3.1-8B-Instuct'],
    want: [
      `${CONTAINER}.args.0: the model catalog has no 'meta-llama/Llama-3.1-8B-Instuct', so the memory and parallelism of its engines are not checked. Did you mean 'meta-llama/Llama-3.1-8B-Instruct'?`,
    ],
  },
  'a name with other separators gets that of the catalog': {
    args: ['Qwen/Qwen-3_8B'],
    want: [
      `${CONTAINER}.args.0: the model catalog has no 'Qwen/Qwen-3_8B', so the memory and parallelism of its engines are not checked. Did you mean 'Qwen/Qwen3-8B'?`,
    ],
  },
  'a misspelled name in a cache is found there': {
    args: [],
    repo: 'Quen/Qwen3-8B',
    want: [
      "ModelCache ml/weights spec.huggingFace.repo: the model catalog has no 'Quen/Qwen3-8B', so the memory and parallelism of its engines are not checked. Did you mean 'Qwen/Qwen3-8B'?",
    ],
  },
  'a name with another size is another model': { args: ['Qwen/Qwen3-9B'], want: [] },
  'a name with another short word is another model': { args: ['google/gemma-3-27b-pt'], want: [] },
};

test.each(Object.entries(rows))('%s', (_, { args, repo, want }) => {
  const cache = repo === undefined ? [] : [aCache('ml/weights', { huggingFace: { repo } })];
  const spec: Doc = repo === undefined ? {} : { cache: 'weights' };
  const fleet = assemble([...cache, serving({ args }, {}, spec)]);
  const found = [...findDenseExpertWarnings(fleet), ...findMisspelledModels(fleet)];
  expect(locateAll(found, byPath).map(formatDiagnostic)).toEqual(want);
});

const GATED =
  'the engines do not start: they cannot download meta-llama/Llama-3.1-8B-Instruct, which is gated, because they have no HF_TOKEN';
const UNSTAGED =
  'the cache is never staged: it cannot download meta-llama/Llama-3.1-8B-Instruct, which is gated, because it has no authSecret';
const LLAMA = { args: ['meta-llama/Llama-3.1-8B-Instruct'] };
const SECRET = { secretKeyRef: { name: 'hugging-face', key: 'HF_TOKEN' } };

const gated: Record<string, { container: Doc; huggingFace?: Doc; want: string[] }> = {
  'a gated model needs a token': { container: LLAMA, want: [`${CONTAINER}.args.0: ${GATED}`] },
  'a variable may have it': { container: { ...LLAMA, env: [{ name: 'HF_TOKEN', valueFrom: SECRET }] }, want: [] },
  'so may variables from a Secret': {
    container: { ...LLAMA, envFrom: [{ secretRef: { name: 'hugging-face' } }] },
    want: [],
  },
  'an open model needs none': { container: { args: ['Qwen/Qwen3-8B'] }, want: [] },
  'a cache of a gated model needs a Secret': {
    container: { args: ['Qwen/Qwen3-8B'] },
    huggingFace: { repo: LLAMA.args[0] },
    want: [`ModelCache ml/weights spec.huggingFace.repo: ${UNSTAGED}`],
  },
  'one with a Secret is fine': {
    container: { args: ['Qwen/Qwen3-8B'] },
    huggingFace: { repo: LLAMA.args[0], authSecret: { name: 'hugging-face' } },
    want: [],
  },
};

test.each(Object.entries(gated))('%s', (_, { container, huggingFace, want }) => {
  const cache = huggingFace ? [aCache('ml/weights', { huggingFace })] : [];
  const found = findGatedModels(assemble([...cache, serving(container)]), []);
  expect(locateAll(found, byPath).map(({ at, message }) => `${at}: ${message}`)).toEqual(want);
});
