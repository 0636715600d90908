import type { Resource } from '../../src/api/kinds';
import { aCache, aMember } from '../api/build';
import { aSplit, to } from '../routing/build';
import { canary, findings, headed, NAMED, RENAMED, split, sql, sqlFiles, stable, TWICE_NAMED } from './gate-fleet';

const BUCKET = aCache('ml/weights', {
  source: 'S3',
  s3: { uri: 's3://models/chat', region: 'us-east-1' },
  huggingFace: undefined,
});

/** Engines that load the files of the cache, and name neither a model nor the name that they serve. */
const unnamed = (image: string, ...args: string[]) => ({
  modelCacheRef: { name: 'weights' },
  engines: [
    {
      name: 'main',
      members: [aMember({ gpus: 1, template: { spec: { containers: [{ name: 'engine', image, args }] } } })],
    },
  ],
});
const VLLM = 'vllm/vllm-openai:v0.23.0';
const NOT_SERVED =
  "ModelService ml/chat: 5 % of the requests for the model 'chat' fail: ml/next does not serve it. Let its engine serve 'chat' too (vLLM: --served-model-name chat /mnt/models) until no client requests it; if no client does, add --accept-removals to plan --gate";

/** A service all of whose requests go to engines that serve `chat`, and then 5 % to others. */
const rollOut = (change: object, cache: Resource, spec: Record<string, unknown> = {}) => ({
  before: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })], spec)],
  after: [stable(NAMED), cache, canary(change), split([95, 5], spec)],
});

const cached: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
  'refuses that requests for a model reach an engine that is to load the files of a bucket, and answers to their path':
    {
      ...rollOut(unnamed(VLLM), BUCKET),
      want: [NOT_SERVED],
    },
  'refuses them for the files of a repository, which the engine finds at the same path': {
    ...rollOut(unnamed(VLLM), aCache('ml/weights')),
    want: [NOT_SERVED],
  },
  'refuses them where the service declares the model': {
    ...rollOut(unnamed(VLLM), BUCKET, { servedModelName: 'chat' }),
    want: [NOT_SERVED],
  },
  'names the path at which the cache is mounted': {
    ...rollOut(unnamed(VLLM), aCache('ml/weights', { mountPath: '/models/chat' })),
    want: [expect.stringContaining('--served-model-name chat /models/chat) ')],
  },
  'passes an engine that serves the model under its name from the files of a cache': {
    ...rollOut(unnamed(VLLM, '--served-model-name=chat'), BUCKET),
    want: [],
  },
  'passes an engine of SGLang, which answers requests for any model': {
    ...rollOut(unnamed('lmsysorg/sglang:v0.5.4'), BUCKET),
    want: [],
  },
  'passes an engine whose program finds the files by itself, so that its names are unknown': {
    ...rollOut(unnamed(VLLM, '--config=/etc/engine.yaml'), BUCKET),
    want: [],
  },
  'refuses that engines move to the files of a cache and no longer answer to the repository': {
    before: [stable(NAMED), canary({ replicas: 2 }), split([95, 5])],
    after: [stable(NAMED), BUCKET, canary({ replicas: 2, ...unnamed(VLLM) }), split([95, 5])],
    want: [expect.stringContaining("the model 'Qwen/Qwen3-8B' is no longer served")],
  },
};

const cases: Record<string, { before: Resource[]; after: Resource[]; accept?: boolean; want: string[] }> = {
  'refuses that a part of the requests for a model reaches engines that no longer serve it': {
    before: [stable(NAMED), canary(NAMED), split([95, 5])],
    after: [stable(RENAMED), canary(NAMED), split([95, 5])],
    want: [
      "ModelService ml/chat: 95 % of the requests for the model 'chat' fail: ml/chat no longer serves it. Let its engine serve 'chat' too (vLLM: --served-model-name chat talk) until no client requests it; if no client does, add --accept-removals to plan --gate",
    ],
  },
  'refuses that engines of a service no longer serve the model that it declares': {
    before: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    after: [stable(RENAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    want: [expect.stringContaining("all requests for the model 'chat' fail: ml/chat no longer serves it. ")],
  },
  'refuses that engines no longer serve another name of their model': {
    before: [stable(TWICE_NAMED), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })])],
    want: [expect.stringContaining("all requests for the model 'talk' fail: ml/chat no longer serves it. ")],
  },
  'refuses that a new entry takes requests for a model that its engines do not serve': {
    before: [stable(NAMED), canary(RENAMED), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [stable(NAMED), canary(RENAMED), split([95, 5])],
    want: [expect.stringContaining("5 % of the requests for the model 'chat' fail: ml/next does not serve it. ")],
  },
  'refuses that requests with a header reach engines that no longer serve the model, and names the header': {
    before: [stable(NAMED), canary({ ...NAMED, replicas: 2 }), headed()],
    after: [stable(NAMED), canary({ ...RENAMED, replicas: 2 }), headed()],
    want: [expect.stringContaining("all requests for the model 'chat' with x-track: next fail: ml/next no longer")],
  },
  'passes other weights of engines that served different names before': {
    before: [stable(NAMED), canary(RENAMED), split([95, 5])],
    after: [stable(NAMED), canary(RENAMED), split([50, 50])],
    want: [],
  },
  'refuses that more requests for the model that a service declares reach engines that do not serve it': {
    before: [stable(NAMED), canary(RENAMED), split([95, 5], { servedModelName: 'chat' })],
    after: [stable(NAMED), canary(RENAMED), split([50, 50], { servedModelName: 'chat' })],
    want: [expect.stringContaining("50 % of the requests for the model 'chat' fail: ml/next does not serve it. ")],
  },
  'passes requests that fail because engines no longer serve a model, where that is accepted': {
    before: [stable(NAMED), canary(NAMED), split([95, 5])],
    after: [stable(RENAMED), canary(NAMED), split([95, 5])],
    accept: true,
    want: [],
  },
  'says once that an adapter is gone, and does not say that its requests fail': {
    before: [sqlFiles, sql('sql', 'text'), canary(), split([95, 5])],
    after: [sqlFiles, sql('text'), canary(), split([95, 5])],
    want: [expect.stringContaining("the model 'sql' is no longer served. Keep the name")],
  },
  'says when clients can use the name that engines serve instead': {
    before: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    after: [stable(RENAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'talk' })],
    want: [
      "ModelService ml/chat: the model 'chat' is no longer served. Serve both names until no client requests 'chat'. 1. In this change, let the engines serve both (vLLM: --served-model-name chat talk), and keep 'servedModelName' of ml/chat as it was. 2. When all replicas have restarted, clients can use 'talk': set 'servedModelName: talk' in a change of its own, which restarts nothing. 3. When no client requests 'chat', remove it from the engines in a later change, which restarts the replicas again: for that change, add --accept-removals to plan --gate",
    ],
  },
  'keeps a name next to one that engines serve already': {
    before: [stable(TWICE_NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    after: [stable(RENAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'talk' })],
    want: [expect.stringContaining('Keep the name next to the new one')],
  },
};

describe('of models that engines no longer serve, the gate', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, accept, want }) => {
    expect(findings(before, after, accept)).toEqual(want);
  });

  test.each(Object.entries(cached))('with a cache, %s', (_, { before, after, want }) => {
    expect(findings(before, after)).toEqual(want);
  });
});
