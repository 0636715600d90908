import type { Level } from '../finding';
import { textAt } from '../live-object';
import { firstModel, mayBeAnotherKind, MODELS_PATH, type Question, QUESTIONS } from './questions';

/** What a service said to one question. */
export interface ServiceSmoke {
  readonly level: Level;

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

/** What came of a request. */
export type Reply = { readonly status: number; readonly body: unknown } | { readonly failed: string };

/** Sends a request to a path below the URL of a service. */
export type Send = (path: string, body?: object) => Promise<Reply>;

/** Where a service is asked, and for which model. */
export interface AskedService extends Pick<ServiceSmoke, 'service' | 'url' | 'doors'> {
  /** The names of its models. Empty: it is asked for them. */
  readonly models: readonly string[];
}

/** Asks a service for one completion, or for what its model gives instead. */
export async function smokeService({ models, ...asked }: AskedService, send: Send): Promise<ServiceSmoke> {
  const named = models[0] === undefined ? await modelOf(send) : { model: models[0] };
  if ('what' in named) return { level: 'failure', ...asked, ...named };
  const { model } = named;
  return { ...asked, model, ...(await firstAnswer(model, send)) };
}

/** A service that no gateway has. */
export function withoutDoor(service: string): ServiceSmoke {
  return { level: 'unknown', service, doors: [], what: 'no gateway has it, so nobody can ask it' };
}

async function modelOf(send: Send): Promise<{ readonly model: string } | { readonly what: string }> {
  const reply = await send(MODELS_PATH);
  if ('failed' in reply) return { what: reply.failed };
  const model = firstModel(reply.body);
  if (reply.status !== 200) return { what: refusalText(MODELS_PATH, reply.status, reply.body) };
  return model === undefined ? { what: `${MODELS_PATH} lists no model` } : { model };
}

type Verdict = Pick<ServiceSmoke, 'level' | 'what'>;

/** What the first question came to, unless a later one is answered. */
async function firstAnswer(model: string, send: Send): Promise<Verdict> {
  let first: Verdict | undefined;
  for (const question of QUESTIONS) {
    const reply = await send(question.path, question.body(model));
    const verdict = judge(question, reply);
    if (verdict.level === 'ok') return verdict;
    first ??= verdict;
    if ('failed' in reply || !mayBeAnotherKind(reply.status)) return first;
  }
  return first ?? { level: 'unknown', what: 'it was not asked' };
}

function judge({ wanted, path, isAnswered }: Question, reply: Reply): Verdict {
  if ('failed' in reply) return { level: 'failure', what: reply.failed };
  const { status, body } = reply;
  if (status !== 200) return { level: 'failure', what: refusalText(path, status, body) };
  if (isAnswered(body)) return { level: 'ok', what: `it answers with ${wanted}` };
  return { level: 'failure', what: `${path} answers 200 without ${wanted}` };
}

/** More of what a service says is cut. */
const MOST_SAID = 200;

/** What gateways and engines say of codes that have one cause more often than not. */
const CAUSES: Readonly<Record<number, string>> = {
  401: 'the key is missing or not known: name the variable that holds one with --key-env',
  403: 'the key is not for this service',
  404: 'no route or no such model',
  429: 'a rate limit',
  500: 'a part of its route is missing: see fleetwright status',
  503: 'no replica serves',
  504: 'no answer in the time that the gateway allows',
};

function refusalText(path: string, status: number, body: unknown): string {
  const said = textAt(body, ['error', 'message']) || textAt(body, ['message']);
  const words = said.replaceAll(/\s+/g, ' ').slice(0, MOST_SAID) || CAUSES[status];
  return `${path} answers ${status}${words === undefined ? '' : `: ${words}`}`;
}
