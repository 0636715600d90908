import type { ModelService } from '../../api/model-service';
import { qualifiedNameOf } from '../../api/resource';
import { groupBy, sortedBy } from '../../base/order';
import type { Routing } from '../../routing/routing';
import { type RouteEntry, routingDocument } from '../../routing/routing-document';
import type { FindingLevel } from '../finding';
import { formatRefusal, isRefusedForField, type ServiceClient, type ServiceReply } from './service-response';
import {
  isUnsupportedStatus,
  MODELS_PATH,
  parseFirstModel,
  SMOKE_REQUESTS,
  type SmokeRequest,
} from './smoke-requests';

/** What a service said to one question. */
export interface SmokeResult {
  readonly level: FindingLevel;

  /** `namespace/name`. */
  readonly service: string;

  /** Absent: no gateway has the service. */
  readonly url?: string;

  /** Where gateways have it at this URL, as `gateway on cluster`: which of them answered, nobody can tell. */
  readonly doors: readonly string[];

  /** The model that was asked for. Absent: nobody knows its name. */
  readonly model?: string;

  /** As a clause: `it answers with a completion`, or what went wrong. */
  readonly what: string;
}

/** Asks a service for one completion, or for what its model gives instead. */
export async function testService(asked: SmokeTarget, ask: ServiceClient): Promise<SmokeResult> {
  const named = asked.model === undefined ? await findModel(asked, ask) : { model: asked.model };
  if ('what' in named) return { level: 'failure', ...asked, ...named };
  const { model } = named;
  return { ...asked, model, ...(await askModel(model, ask)) };
}

/** A service that no gateway has. */
export function reportUnrouted(service: string): SmokeResult {
  return { level: 'unknown', service, doors: [], what: 'no gateway has it, so nobody can ask it' };
}

/**
 * The first model that a service lists. Where none are listed its endpoints write their own name over whatever a request
 * has, or it has no model at all: its own name does.
 */
async function findModel(
  { service }: SmokeTarget,
  { send, keyShown }: ServiceClient,
): Promise<{ readonly model: string } | { readonly what: string }> {
  const reply = await send(MODELS_PATH);
  if ('failed' in reply) return { what: reply.failed };
  if (reply.status === 404) return { model: service.slice(service.indexOf('/') + 1) };
  if (reply.status !== 200) return { what: formatRefusal(MODELS_PATH, reply, keyShown) };
  const model = parseFirstModel(reply.body);
  return model === undefined ? { what: `${MODELS_PATH} lists no model` } : { model };
}

type SmokeVerdict = Pick<SmokeResult, 'level' | 'what'>;

/** What the first question came to, unless a later one is answered. */
async function askModel(model: string, ask: ServiceClient): Promise<SmokeVerdict> {
  let first: SmokeVerdict | undefined;
  for (const question of SMOKE_REQUESTS) {
    const reply = await sendSmokeRequest(question, model, ask);
    const verdict = judgeReply(question, reply, ask.keyShown);
    if (verdict.level === 'ok') return verdict;
    first ??= verdict;
    if ('failed' in reply || !isUnsupportedStatus(reply.status)) return first;
  }
  return first ?? { level: 'unknown', what: 'it was not asked' };
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

function judgeReply(
  { wanted, path, isAnswered }: SmokeRequest,
  reply: ServiceReply,
  keyShown: boolean,
): SmokeVerdict {
  if ('failed' in reply) return { level: 'failure', what: reply.failed };
  if (reply.status !== 200) return { level: 'failure', what: formatRefusal(path, reply, keyShown) };
  if (isAnswered(reply.body)) return { level: 'ok', what: `it answers with ${wanted}` };
  return { level: 'failure', what: `${path} answers 200 without ${wanted}` };
}

/** Where a service is asked, and for which model. */
export type SmokeTarget = Pick<SmokeResult, 'service' | 'url' | 'doors' | 'model'>;

/**
 * Every service at each of its URLs, as the routing document has them, for one model and for each that has a route of
 * its own; those without a URL too.
 */
export function listSmokeTargets(services: readonly ModelService[], routing: Routing): SmokeTarget[] {
  const { services: routed, routes } = routingDocument(routing);
  const routesOf = groupBy(routes.filter(isModelRoute), ({ service }) => service);
  const open = routed.flatMap(({ key: service, urls, models }) => {
    const apart = new Set((routesOf.get(service) ?? []).flatMap(({ match }) => match?.model ?? []));
    const asked = [models.find((model) => !apart.has(model)), ...apart];
    return [...groupBy(urls, ({ url }) => url)].flatMap(([url, same]) => {
      const doors = same.map(({ gateway, cluster }) => `${gateway} on ${cluster}`);
      return asked.map((model): SmokeTarget => ({ service, url, doors, ...(model && { model }) }));
    });
  });
  const known = new Set(open.map(({ service }) => service));
  const closed = services.map(qualifiedNameOf).filter((service) => !known.has(service));
  return sortedBy([...open, ...closed.map((service) => ({ service, doors: [] }))], ({ service }) => service);
}

/** Whether a route is for a model alone, whatever the headers of a request. */
function isModelRoute({ match }: RouteEntry): boolean {
  return match?.model !== undefined && Object.keys(match.headers).length === 0;
}
