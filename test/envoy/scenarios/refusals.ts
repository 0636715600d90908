import { USER_KEY } from '../fleet/names';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import type { Answer } from '../traffic/ask';
import { same } from './rows';

/** Who may not ask is refused at the front, and so is what no one serves. */
export const refusals: Scenario = { name: 'refusals', run };

async function run(site: Site): Promise<Row[]> {
  const { ask, askBare, forget, chatEngines } = site;
  forget();
  const wrong = { ...chat('chat'), headers: { authorization: 'Bearer nobody' } };
  const asHeader = { ...chat('chat'), headers: { 'x-api-key': USER_KEY } };
  const rows = [
    same('no key', '401', await status(askBare(chat('chat')))),
    same('a wrong key', '401', await status(askBare(wrong))),
    same('the key as x-api-key', '200', await status(askBare(asHeader))),
    same('an unknown service', '404', await status(ask(chat('nothing')))),
    same('a path of no service', '404', await status(ask({ path: '/admin' }))),
    same('a model that the service has not', '404', await status(ask(chat('chat', {}, 'other')))),
    await overTheLimit(site),
  ];
  const shown = chatEngines.flatMap(({ seen }) => seen).map(({ headers }) => JSON.stringify(headers));
  const keys = shown.filter((headers) => headers.includes(USER_KEY)).length;
  return [...rows, same('requests that reach an engine with the key of a user', 0, keys)];
}

async function status(answer: Promise<Answer>): Promise<string> {
  return String((await answer).status);
}

/** The service takes 5 requests a minute. */
async function overTheLimit({ ask }: Site): Promise<Row> {
  const statuses: unknown[] = [];
  for (let i = 0; i < 8; i++) statuses.push((await ask(chat('small'))).status);
  const wanted = '200 200 200 200 200 429 429 429';
  return same('8 requests to a service that takes 5 a minute', wanted, statuses.join(' '));
}
