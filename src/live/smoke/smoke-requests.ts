import { listAt, textAt } from '../../base/json';

/** One way to ask a model for something small, as OpenAI's API has it. */
export interface SmokeRequest {
  /** What is asked for, in words. */
  readonly wanted: 'a chat completion' | 'a completion' | 'an embedding';

  /** Below the URL of a service. */
  readonly path: string;
  readonly body: (model: string) => object;

  /** What to ask instead where a refusal names this field: models that reason take a limit under another name. */
  readonly otherLimit?: { readonly field: string; readonly body: (model: string) => object };

  /** Whether an answer holds what was asked for. */
  readonly isAnswered: (body: unknown) => boolean;
}

/** Asked for one token alone: it is the first that shows that an engine serves. */
const MAX_TOKENS = 1;

/** What is thought counts as well, and OpenAI refuses a limit that thinking reaches. */
const MAX_REASONING_TOKENS = 1_000;

function chatBody(model: string): object {
  return { model, messages: [{ role: 'user', content: 'Say yes.' }], stream: false };
}

/**
 * What models are asked, in this order: one that is no chat model refuses the first, one that only embeds the second.
 */
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

/** Where a service lists its models. */
export const MODELS_PATH = 'v1/models';

/** The first model that a service lists. */
export function parseFirstModel(body: unknown): string | undefined {
  const id = textAt(body, ['data', 0, 'id']);
  return id === '' ? undefined : id;
}

/** What engines say to a question of a kind that their model does not take: vLLM 400 or 404, SGLang 400, others 501. */
const UNSUPPORTED_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

/** Whether the next question may be answered where this one was refused. */
export function isUnsupportedStatus(status: number): boolean {
  return UNSUPPORTED_STATUSES.has(status);
}
