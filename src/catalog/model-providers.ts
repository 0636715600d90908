import type { SourcedRow } from './row-types';

/** A provider of models with the API of OpenAI or Anthropic. An endpoint that names a provider uses these defaults. */
interface ModelProvider extends SourcedRow {
  /** The base URL, as OpenAI clients expect it. Its path replaces `/v1` of the service. */
  readonly url: string;

  /** The header that carries the credential. */
  readonly header: string;

  /** The scheme before the credential in the header. Absent if there is none. */
  readonly scheme?: string;

  /** What the list of models needs in addition to the credential. Default: nothing. */
  readonly list?: { readonly query: string; readonly headers: Readonly<Record<string, string>> };
}

const BEARER = { header: 'authorization', scheme: 'Bearer' } as const;

const ROW = { asOf: '2026-11-21', secondHand: ['url', 'header', 'scheme'] };
const BAML = { ...ROW, source: 'https://www.mintlify.com/BoundaryML/baml/reference/providers/openai-compatible' };
const AIKIT = { ...ROW, source: 'https://developer.4d.com/docs/ja/21-R3/aikit/compatible-openai' };
const FREE_LLM = { ...ROW, source: 'https://github.com/xyzs996/free-llm-api/discussions/4' };
const DOCKER = { ...ROW, source: 'https://github.com/docker/docker-agent/pull/3369' };

const PROVIDERS = {
  OpenAI: { url: 'https://api.openai.com/v1', ...BEARER, ...BAML },
  Anthropic: {
    url: 'https://api.anthropic.com/v1',
    header: 'x-api-key',
    // docs.anthropic.com, "List Models": pages of 20 by default and 1000 at most.
    list: { query: '?limit=1000', headers: { 'anthropic-version': '2023-06-01' } },
    ...AIKIT,
  },
  Cerebras: { url: 'https://api.cerebras.ai/v1', ...BEARER, ...BAML },
  DeepInfra: { url: 'https://api.deepinfra.com/v1/openai', ...BEARER, ...FREE_LLM },
  DeepSeek: { url: 'https://api.deepseek.com/v1', ...BEARER, ...AIKIT },
  Fireworks: { url: 'https://api.fireworks.ai/inference/v1', ...BEARER, ...DOCKER },
  Gemini: { url: 'https://generativelanguage.googleapis.com/v1beta/openai', ...BEARER, ...AIKIT },
  Groq: { url: 'https://api.groq.com/openai/v1', ...BEARER, ...BAML },
  Mistral: { url: 'https://api.mistral.ai/v1', ...BEARER, ...AIKIT },
  Nebius: { url: 'https://api.tokenfactory.nebius.com/v1', ...BEARER, ...FREE_LLM },
  OpenRouter: { url: 'https://openrouter.ai/api/v1', ...BEARER, ...BAML },
  Together: { url: 'https://api.together.xyz/v1', ...BEARER, ...BAML },
  xAI: { url: 'https://api.x.ai/v1', ...BEARER, ...AIKIT },
} satisfies Readonly<Record<string, ModelProvider>>;

type ModelProviderName = keyof typeof PROVIDERS;

/** The facts about each provider. */
export const MODEL_PROVIDERS: Readonly<Record<ModelProviderName, ModelProvider>> = PROVIDERS;

/** The provider names that an endpoint can use. */
export const MODEL_PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ModelProviderName[];
