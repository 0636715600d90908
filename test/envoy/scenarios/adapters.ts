import { EAST, WEST } from '../fleet/names';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import { burst, byEngine } from '../traffic/load';
import { same } from './rows';

/** Requests that name an adapter reach the replicas that hold it; models and canaries are found as declared. */
export const adapters: Scenario = { name: 'adapters', run };

const REQUESTS = 60;
const TUNED = `${WEST}/tuned/0`;
const NEXT = `${EAST}/llama-next/0`;

async function run({ ask, forget, chatEngines }: Site): Promise<Row[]> {
  forget();
  const reached = async (question: Parameters<Site['ask']>[0]): Promise<string> => {
    const answers = await burst(REQUESTS, 4, () => ask(question));
    return [...byEngine(answers).keys()].sort().join(', ');
  };
  const long = JSON.stringify({ prompt: 'x'.repeat(300_000), model: 'sql' });
  const canary = { ...chat('headed'), headers: { 'x-canary': '1' } };
  const rows = [
    same('the adapter', TUNED, await reached(chat('adapters', {}, 'sql'))),
    same('the adapter, after 300 KB of prompt', TUNED, await reached({ ...chat('adapters'), body: long })),
    same('the model', [NEXT, TUNED].join(', '), await reached(chat('adapters'))),
    same(
      'the adapter in a header of the client alone',
      [NEXT, TUNED].join(', '),
      await reached({ ...chat('adapters'), headers: { 'x-fleetwright-model': 'sql' } }),
    ),
    same(
      'the adapter, named after the model: the last name counts',
      TUNED,
      await reached({ ...chat('adapters'), body: '{"model":"llama","model":"sql"}' }),
    ),
    same(
      'a model that hides the adapter behind an escape',
      [NEXT, TUNED].join(', '),
      await reached({ ...chat('adapters'), body: String.raw`{"model":"llama","mod\u0065l":"llama"}` }),
    ),
    same('models of the service', 'llama, sql', await modelsOf(ask)),
    same('a canary by its header', NEXT, await reached(canary)),
  ];
  const { status } = await ask({ path: '/team-a/adapters/metrics' });
  const seen = chatEngines.flatMap((engine) => engine.seen.map(({ path }) => path));
  const asked = seen.filter((path) => path.includes('metrics') || path === '/v1/models');
  return [
    ...rows,
    same('without it', 'never the canary', await withoutHeader(reached)),
    same('what is for operators', '404', String(status)),
    same('requests for that, and for the models, that reach an engine', 0, asked.length),
  ];
}

async function withoutHeader(reached: (question: Parameters<Site['ask']>[0]) => Promise<string>): Promise<string> {
  const names = await reached(chat('headed'));
  return names.includes('/llama/') && !names.includes(NEXT) ? 'never the canary' : names;
}

async function modelsOf(ask: Site['ask']): Promise<string> {
  const { body } = await ask({ path: '/team-a/adapters/v1/models' });
  const { data } = JSON.parse(body) as { data: { id: string }[] };
  return data.map(({ id }) => id).join(', ');
}
