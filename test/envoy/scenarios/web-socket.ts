import { EAST } from '../fleet/names';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import { same } from './rows';

/** A WebSocket passes front and edge, and nothing else gets around the limit of bodies with its headers. */
export const webSocket: Scenario = { name: 'web-socket', run };

const PATH = '/team-a/headed/v1/realtime';

/** More than the 32 MiB that gateways take. */
const TOO_LARGE = 33 * 1024 * 1024;

async function run({ ask, askBare, converse, converseBare, forget, chatEngines }: Site): Promise<Row[]> {
  forget();
  const said = ['hello', 'x'.repeat(60_000), 'bye'];
  const plain = await converse({ path: PATH }, said, 500);
  const canary = await converse({ path: PATH, headers: { 'x-canary': '1' } }, said);
  const keys = chatEngines.flatMap(({ seen }) => seen).filter(({ headers }) => headers.authorization);
  const body = Array.from({ length: 33 }, () => 'x'.repeat(TOO_LARGE / 33));
  const upgrade = { upgrade: 'websocket', 'transfer-encoding': 'chunked' };
  return [
    same('WebSocket echo through front and edge', 'true', String(isEcho(plain.heard, said))),
    same('it is of a replica of the first entry', 'true', String(/\/llama\//.test(plain.engine ?? ''))),
    same('with the header of the canary, of that', `${EAST}/llama-next/0`, String(canary.engine)),
    same('without a key', '401', String((await converseBare({ path: PATH }, said)).status)),
    same('of a service that has none', '403', String((await converse(chat('chat'), said)).status)),
    same('with another method', '403', String((await converse({ path: PATH, method: 'POST' }, said)).status)),
    same('keys that engines see', 0, keys.length),
    await large('a body of 33 MiB', { ...chat('headed'), body: body.join('') }),
    await large('one in chunks', { ...chat('headed'), body }),
    await large('one that names WebSocket', { ...chat('headed'), method: 'GET', body, headers: upgrade }),
    same('a request after all that', '200', String((await ask(chat('headed'))).status)),
    same('one without a key', '401', String((await askBare(chat('headed'))).status)),
  ];

  async function large(what: string, question: Parameters<Site['ask']>[0]): Promise<Row> {
    return same(what, '413', String((await ask(question)).status));
  }
}

function isEcho(heard: readonly string[], said: readonly string[]): boolean {
  return JSON.stringify(heard) === JSON.stringify(said);
}
