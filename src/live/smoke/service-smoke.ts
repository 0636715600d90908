import type { Level } from '../finding';
import type { Ask, Reply } from './ask';
import type { AskedService } from './asked-services';
import { firstModel, mayBeAnotherKind, MODELS_PATH, type Question, QUESTIONS } from './questions';
import { refusalNames, refusalText } from './refusal';

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

/** Asks a service for one completion, or for what its model gives instead. */
export async function smokeService(asked: AskedService, ask: Ask): Promise<ServiceSmoke> {
  const named = asked.model === undefined ? await modelOf(asked, ask) : { model: asked.model };
  if ('what' in named) return { level: 'failure', ...asked, ...named };
  const { model } = named;
  return { ...asked, model, ...(await firstAnswer(model, ask)) };
}

/** A service that no gateway has. */
export function withoutDoor(service: string): ServiceSmoke {
  return { level: 'unknown', service, doors: [], what: 'no gateway has it, so nobody can ask it' };
}

/**
 * The first model that a service lists. Where none are listed its endpoints write their own name over whatever a request
 * has, or it has no model at all: its own name does.
 */
async function modelOf(
  { service }: AskedService,
  { send, keyShown }: Ask,
): Promise<{ readonly model: string } | { readonly what: string }> {
  const reply = await send(MODELS_PATH);
  if ('failed' in reply) return { what: reply.failed };
  if (reply.status === 404) return { model: service.slice(service.indexOf('/') + 1) };
  if (reply.status !== 200) return { what: refusalText(MODELS_PATH, reply, keyShown) };
  const model = firstModel(reply.body);
  return model === undefined ? { what: `${MODELS_PATH} lists no model` } : { model };
}

type Verdict = Pick<ServiceSmoke, 'level' | 'what'>;

/** What the first question came to, unless a later one is answered. */
async function firstAnswer(model: string, ask: Ask): Promise<Verdict> {
  let first: Verdict | undefined;
  for (const question of QUESTIONS) {
    const reply = await replyTo(question, model, ask);
    const verdict = judge(question, reply, ask.keyShown);
    if (verdict.level === 'ok') return verdict;
    first ??= verdict;
    if ('failed' in reply || !mayBeAnotherKind(reply.status)) return first;
  }
  return first ?? { level: 'unknown', what: 'it was not asked' };
}

async function replyTo({ path, body, otherLimit }: Question, model: string, { send }: Ask): Promise<Reply> {
  const reply = await send(path, body(model));
  if (!otherLimit || 'failed' in reply || !refusalNames(reply, otherLimit.field)) return reply;
  return send(path, otherLimit.body(model));
}

function judge({ wanted, path, isAnswered }: Question, reply: Reply, keyShown: boolean): Verdict {
  if ('failed' in reply) return { level: 'failure', what: reply.failed };
  if (reply.status !== 200) return { level: 'failure', what: refusalText(path, reply, keyShown) };
  if (isAnswered(reply.body)) return { level: 'ok', what: `it answers with ${wanted}` };
  return { level: 'failure', what: `${path} answers 200 without ${wanted}` };
}
