import { textAt } from '../live-object';
import type { Answer } from './ask';

/** What gateways and engines mean by codes that have one cause more often than not. */
const CAUSES: Readonly<Record<number, string>> = {
  403: 'the key is not for this service',
  404: 'no route or no such model',
  429: 'a rate limit',
  500: 'an engine fails, or a part of its route is missing: see fleetwright status',
  503: 'no replica serves',
  504: 'no answer in the time that the gateway allows',
};

/** What a key has to do with 401, whether one was shown or not. */
const UNKNOWN_KEY = 'it does not take the key';
const NO_KEY = 'it asks for a key: name the variable that holds one with --key-env';

/** Says what a refusal at a path comes to, as a clause: in the words of who refuses, and what they mean. */
export function refusalText(path: string, { status, body }: Answer, keyShown: boolean): string {
  const refused = `${path} answers ${status}`;
  const message = shortened(messageIn(body));
  if (message !== '') return `${refused}: ${message}`;
  const text = shortened(plainText(body));
  const cause = status === 401 ? (keyShown ? UNKNOWN_KEY : NO_KEY) : CAUSES[status];
  return [refused, text && ` (${text})`, cause && `: ${cause}`].join('');
}

/** Whether a request is refused in words that name a field of it. */
export function refusalNames({ status, body }: Answer, field: string): boolean {
  return status === 400 && messageIn(body).includes(field);
}

/** Where engines and providers say what is wrong. */
const MESSAGES = [['error', 'message'], ['message'], ['detail'], ['error']] as const;

function messageIn(body: unknown): string {
  return MESSAGES.map((path) => textAt(body, path)).find((text) => text !== '') ?? '';
}

/** What is no JSON, as gateways say it; nothing of a page for people. */
function plainText(body: unknown): string {
  return typeof body === 'string' && !body.trimStart().startsWith('<') ? body : '';
}

/** More of what a service says is cut. */
const MOST_SAID = 200;

function shortened(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_SAID).replace(/\.$/, '');
}
