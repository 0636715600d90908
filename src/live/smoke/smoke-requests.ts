import { listAt, textAt } from '../../base/json';

/** A minimal request to a model by OpenAI's API. */
export interface SmokeRequest {
  /** The requested result, in words. */
  readonly wanted: 'a chat completion' | 'a completion' | 'an embedding';

  /** The path below the URL of a service. */
  readonly path: string;
  readonly body: (model: string) => object;

  /** The request to send instead if a refusal names this field. Reasoning models use another name for the limit. */
  readonly otherLimit?: { readonly field: string; readonly body: (model: string) => object };

  /** Whether a response contains the requested result. */
  readonly isAnswered: (body: unknown) => boolean;
}

/** The token limit of requests. The first token shows that an engine serves. */
const MAX_TOKENS = 1;

/** OpenAI rejects requests whose reasoning tokens reach the limit. */
const MAX_REASONING_TOKENS = 1_000;

function chatBody(model: string): object {
  return { model, messages: [{ role: 'user', content: 'Say yes.' }], stream: false };
}

/** The requests to a model, in order. A model that cannot chat refuses the first, an embedding model the second too. */
export const SMOKE_REQUESTS: readonly SmokeRequest[] = [
  {
    wanted: 'a chat completion',
    path: 'v1/chat/completions',
    body: (model) => ({ ...chatBody(model), max_tokens: MAX_TOKENS }),
    otherLimit: {
      field: 'max_completion_tokens',
      body: (model) => ({ ...chatBody(model), max_completion_tokens: MAX_REASONING_TOKENS }),
    },
    isAnswered: (body) => listAt(body, ['choices']).length > 0,
  },
  {
    wanted: 'a completion',
    path: 'v1/completions',
    body: (model) => ({ model, prompt: 'Say yes.', max_tokens: MAX_TOKENS, stream: false }),
    isAnswered: (body) => listAt(body, ['choices']).length > 0,
  },
  {
    wanted: 'an embedding',
    path: 'v1/embeddings',
    body: (model) => ({ model, input: 'yes' }),
    isAnswered: (body) => listAt(body, ['data', 0, 'embedding']).length > 0,
  },
];

/** The path of the model list of a service. */
export const MODELS_PATH = 'v1/models';

/** Parses the first model in the model list of a service. */
export function parseFirstModel(body: unknown): string | undefined {
  const id = textAt(body, ['data', 0, 'id']);
  return id === '' ? undefined : id;
}

/** The status codes for request types that a model does not support: vLLM 400 or 404, SGLang 400, others 501. */
const UNSUPPORTED_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

/** Whether a status means that the request type is not supported, so the next request may succeed. */
export function isUnsupportedStatus(status: number): boolean {
  return UNSUPPORTED_STATUSES.has(status);
}
