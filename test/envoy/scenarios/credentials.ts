import { PROVIDERS } from '../fleet/names';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import { burst } from '../traffic/load';
import { same } from './rows';

/** A provider sees its own credential and names, and no one else's. */
export const credentials: Scenario = { name: 'credentials', run };

const REQUESTS = 200;

async function run({ ask, provider, chatEngines, forget }: Site): Promise<Row[]> {
  forget();
  const headers = { 'x-api-key': 'key-of-alice', cookie: 'a=b', 'x-goog-api-key': 'mine', 'api-key': 'mine' };
  const answers = await burst(REQUESTS, 8, () => ask({ ...chat('gpt'), headers }));
  await burst(REQUESTS, 8, () => ask(chat('chat')));
  const good = answers.filter(({ status }) => status === 200).length;
  const rows = Object.entries(PROVIDERS).flatMap(([host, { credential, model }]) => {
    const { seen } = provider(host);
    const wrong = seen.filter(
      ({ sni, headers, body }) =>
        sni !== host ||
        headers.host !== host ||
        headers.authorization !== credential ||
        (JSON.parse(body) as { model: string }).model !== model,
    );
    const others = seen.flatMap(({ headers }) => FOREIGN.filter((name) => headers[name] !== undefined));
    return [
      same(`${host}: SNI, Host, credential or model name is wrong`, '0 requests', `${wrong.length} requests`),
      same(`${host}: headers of the caller or of gateways`, 'none', [...new Set(others)].join(', ') || 'none'),
      share(host, seen.length),
    ];
  });
  const engines = chatEngines.flatMap(({ seen }) => seen);
  const leaked = engines.filter(({ headers }) => /sk-openai|sk-together/.test(JSON.stringify(headers)));
  return [
    same('answers 200 of two providers', REQUESTS, good),
    ...rows,
    same(`credentials of providers in ${engines.length} requests to engines`, 0, leaked.length),
  ];
}

/** What no provider has to know. */
const FOREIGN = [
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
  'x-fleetwright-client',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-envoy-external-address',
  'x-request-id',
];

function share(host: string, count: number): Row {
  const holds = Math.abs(count - REQUESTS / 2) <= REQUESTS * 0.03;
  return {
    what: `${host}: requests of ${REQUESTS} at 50 to 50`,
    wanted: 'half, within 3 points',
    measured: String(count),
    holds,
  };
}
