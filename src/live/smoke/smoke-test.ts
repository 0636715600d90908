import type { ModelService } from '../../api/model-service';
import { qualifiedNameOf } from '../../api/resource';
import { listAt, textAt } from '../../base/json';
import { groupBy, sortedBy } from '../../base/order';
import type { Routing } from '../../routing/routing';
import { type RouteEntry, routingDocument } from '../../routing/routing-document';
import type { FindingLevel } from '../finding';
import { formatRefusal, isRefusedForField, type ServiceClient, type ServiceReply } from './service-response';

/** What a service said to one question. */
export interface SmokeResult {
  readonly level: FindingLevel;

  /** `namespace/name`. */
  readonly service: string;

  /** Absent: no gateway has the service. */
  readonly url?: string;

  /** Where gateways have it at this URL, as `gateway on cluster`. Which of them answered is unknown. */
  readonly gateways: readonly string[];

  /** The requested model. Absent if its name is unknown. */
  readonly model?: string;

  /** As a clause: `it answers with a completion`, or what went wrong. */
  readonly what: string;
}

/** Requests one completion from a service, or the result that its model supports instead. */
export async function testService(target: SmokeTarget, client: ServiceClient): Promise<SmokeResult> {
  const named = target.model === undefined ? await findModel(target, client) : { model: target.model };
  if ('what' in named) return { level: 'failure', ...target, ...named };
  const { model } = named;
  return { ...target, model, ...(await askModel(model, client)) };
}

/** Creates the result for a service that no gateway routes. */
export function reportUnrouted(service: string): SmokeResult {
  return { level: 'unknown', service, gateways: [], what: 'no gateway has a route to it' };
}

/**
 * Finds a model name for requests: the first model that the service lists. A service without a list has endpoints
 * that replace the model name of requests, or no model; then any name works and the name of the service is used.
 */
async function findModel(
  { service }: SmokeTarget,
  { send, keyShown }: ServiceClient,
): Promise<{ readonly model: string } | { readonly what: string }> {
  const reply = await send(MODELS_PATH);
  if ('failed' in reply) return { what: reply.failed };
  if (reply.status === 404) return { model: service.slice(service.indexOf('/') + 1) };
  if (reply.status !== 200) return { what: formatRefusal(MODELS_PATH, reply, keyShown) };
  const model = textAt(reply.body, ['data', 0, 'id']);
  if (model.length > MAX_MODEL_LENGTH) return { what: `${MODELS_PATH} lists a model whose name is too long` };
  return model === '' ? { what: `${MODELS_PATH} lists no model` } : { model };
}

/** The maximum length of names of models. They are printed and sent back. */
const MAX_MODEL_LENGTH = 1000;

type SmokeVerdict = Pick<SmokeResult, 'level' | 'what'>;

/** Sends the smoke requests until one succeeds. Returns the failure of the first request if none succeeds. */
async function askModel(model: string, client: ServiceClient): Promise<SmokeVerdict> {
  let first: SmokeVerdict | undefined;
  for (const request of SMOKE_REQUESTS) {
    const reply = await sendSmokeRequest(request, model, client);
    const verdict = judgeReply(request, reply, client.keyShown);
    if (verdict.level === 'ok') return verdict;
    first ??= verdict;
    if ('failed' in reply || !UNSUPPORTED_STATUSES.has(reply.status)) return first;
  }
  return first ?? { level: 'unknown', what: 'it was not checked' };
}

async function sendSmokeRequest(
  { path, body, otherLimit }: SmokeRequest,
  model: string,
  { send }: ServiceClient,
): Promise<ServiceReply> {
  const reply = await send(path, body(model));
  if (!otherLimit || 'failed' in reply || !isRefusedForField(reply, otherLimit.field)) return reply;
  return send(path, otherLimit.body(model));
}

function judgeReply({ wanted, path, isAnswered }: SmokeRequest, reply: ServiceReply, keyShown: boolean): SmokeVerdict {
  if ('failed' in reply) return { level: 'failure', what: reply.failed };
  if (reply.status !== 200) return { level: 'failure', what: formatRefusal(path, reply, keyShown) };
  if (isAnswered(reply.body)) return { level: 'ok', what: `it answers with ${wanted}` };
  return { level: 'failure', what: `${path} answers 200 without ${wanted}` };
}

/** A service to test, with its URL and model. */
export type SmokeTarget = Pick<SmokeResult, 'service' | 'url' | 'gateways' | 'model'>;

/**
 * Lists the test targets: each service at each of its URLs from the routing document, for one model without a
 * separate route and for each model with a separate route. Services without a URL are included.
 */
export function listSmokeTargets(services: readonly ModelService[], routing: Routing): SmokeTarget[] {
  const { services: routed, routes } = routingDocument(routing);
  const routesOf = groupBy(routes.filter(isModelRoute), ({ service }) => service);
  const routedTargets = routed.flatMap(({ key: service, urls, models }) => {
    const separate = new Set((routesOf.get(service) ?? []).flatMap(({ match }) => match?.model ?? []));
    const requested = [models.find((model) => !separate.has(model)), ...separate];
    return [...groupBy(urls, ({ url }) => url)].flatMap(([url, same]) => {
      const gateways = same.map(({ gateway, cluster }) => `${gateway} on ${cluster}`);
      return requested.map((model): SmokeTarget => ({ service, url, gateways, ...(model && { model }) }));
    });
  });
  const known = new Set(routedTargets.map(({ service }) => service));
  const unrouted = services.map(qualifiedNameOf).filter((service) => !known.has(service));
  return sortedBy(
    [...routedTargets, ...unrouted.map((service) => ({ service, gateways: [] }))],
    ({ service }) => service,
  );
}

/** Whether a route matches only a model, independent of request headers. */
function isModelRoute({ match }: RouteEntry): boolean {
  return match?.model !== undefined && Object.keys(match.headers).length === 0;
}

/** A minimal request to a model by OpenAI's API. */
interface SmokeRequest {
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
const SMOKE_REQUESTS: readonly SmokeRequest[] = [
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
const MODELS_PATH = 'v1/models';

/** The status codes for request types that a model does not support: vLLM 400 or 404, SGLang 400, others 501. */
const UNSUPPORTED_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);
