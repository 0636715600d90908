import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frontNameOf } from '../../../src/manifest/kubernetes/object-names';
import { concurrently } from '../../kubernetes/harness/concurrently';
import { until } from '../../kubernetes/harness/until';
import { EAST, PROVIDERS, USER_KEY, WEST } from '../fleet/names';
import { fleetwright } from '../harness/command-line';
import { HERE } from '../harness/paths';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import { Load } from '../traffic/load';
import { same } from './rows';
import { asked, type Came, clause, smokeOnce, type Trial } from './smoke-trial';

/** `fleetwright smoke` asks every service at the front as clients do, and says what they meet there. */
export const smoke: Scenario = { name: 'smoke', run };

type Try = (trial: Trial) => Promise<Came>;

async function run(site: Site): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-smoke-'));
  try {
    cpSync(join(HERE, 'fleet'), folder, { recursive: true });
    const { code, error } = await fleetwright(['lock', folder]);
    if (code !== 0) throw new Error(`the fleet has no lock: ${error}`);
    const tried: Came[] = [];
    const attempt: Try = async (trial) => {
      const came = await smokeOnce(folder, trial);
      tried.push(came);
      return came;
    };
    const rows = [...(await good(site, attempt)), ...(await refused(site, attempt)), ...(await down(site, attempt))];
    return [...rows, same('runs that print a key', 0, tried.filter(({ reported }) => reported).length)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those that the key of the user opens, and which models each is asked for. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  adapters: ['llama', 'sql'],
  cached: ['llama'],
  chat: ['llama'],
  crowd: ['llama'],
  gpt: ['gpt'],
  headed: ['llama'],
  named: ['llama'],
  openai: ['openai'],
  plain: ['llama'],
  sessions: ['llama'],
};

/** All that is well: one request for each model of each service, of which no one behind the front sees the key. */
async function good(site: Site, attempt: Try): Promise<Row[]> {
  site.forget();
  const services = Object.keys(OPEN);
  const { code, said } = await attempt({ services, key: USER_KEY });
  const subjects = Object.entries(OPEN).flatMap(([name, models]) => models.map((model) => asked(name, model)));
  const seen = [...site.allEngines, ...Object.keys(PROVIDERS).map(site.provider)].flatMap((one) => one.seen);
  const completions = seen.filter(({ body }) => body.includes('"Say yes."'));
  const shown = completions.filter((one) => JSON.stringify(one).includes(USER_KEY));
  const tuned = site.engines(WEST, 'tuned').flatMap((one) => one.seen);
  return [
    ...subjects.map((one, i) => same(one, `0, ok       ${ANSWERED}`, clause(code, said[i], one))),
    same('all of them', `0, ${services.length} of ${services.length} services answering.`, `${code}, ${said.at(-1)}`),
    same('requests for a completion', subjects.length, completions.length),
    same('those with the key of the user', 0, shown.length),
    same('those for the adapter at who holds it', 1, tuned.filter(({ body }) => body.includes('"sql"')).length),
  ];
}

/** What the front refuses is reported in its words, and with what to do. */
async function refused(site: Site, attempt: Try): Promise<Row[]> {
  const flood = new Load(10, () => site.ask(chat('small')));
  const { address } = site.gateway(`${EAST}.${frontNameOf('public')}`).settings.node;
  const token = (claims = {}): Trial => ({ services: ['tokens'], key: site.issuer.token(claims) });
  const trials: Readonly<Record<string, Trial & { readonly want: string }>> = {
    'no key': {
      services: ['chat'],
      want: `6, FAILURE  ${REFUSED} 401 (Client authentication failed): it requires a key: set --key-env to the environment variable with the key.`,
    },
    'a wrong key': {
      services: ['chat'],
      key: 'key-of-nobody',
      want: `6, FAILURE  ${REFUSED} 401 (Client authentication failed): it rejects the key.`,
    },
    'the key of a user where tokens are asked for': {
      services: ['tokens'],
      key: USER_KEY,
      want: `6, FAILURE  ${REFUSED} 401 (Jwt is not in the form of Header.Payload.Signature with two dots and 3 sections): it rejects the key.`,
    },
    'a token that is over': {
      ...token({ exp: 1_000_000_000 }),
      want: `6, FAILURE  ${REFUSED} 401 (Jwt is expired): it rejects the key.`,
    },
    'a token for others': {
      ...token({ aud: 'others' }),
      want: `6, FAILURE  ${REFUSED} 403 (Audiences in Jwt are not allowed): the key is not for this service.`,
    },
    'a token': { ...token(), want: `0, ok       ${ANSWERED}` },
    'more than is allowed': {
      services: ['small'],
      key: USER_KEY,
      want: `6, FAILURE  ${REFUSED} 429 (local_rate_limited): a rate limit.`,
    },
    'an authority that nobody trusts': {
      services: ['chat'],
      key: USER_KEY,
      trusting: false,
      want: `6, FAILURE  ${UNTRUSTED}`,
    },
    'the address of the front, by the certificate of its name': {
      services: ['chat'],
      key: USER_KEY,
      via: `https://${address}`,
      want: `0, ok       ${ANSWERED}`,
    },
    'the address of another gateway, whose certificate is of another authority': {
      services: ['chat'],
      key: USER_KEY,
      via: `https://${site.gateway(`${WEST}.fleetwright-edge`).settings.node.address}`,
      want: `6, FAILURE  ${UNTRUSTED}`,
    },
  };
  const rows = await concurrently(3, Object.entries(trials), async ([what, { want, ...trial }]) => {
    const { code, said } = await attempt(trial);
    const [service = ''] = trial.services;
    return same(what, want, clause(code, said[0], asked(service, 'llama')));
  });
  await flood.stop();
  return rows;
}

const ANSWERED = 'it answers with a chat completion.';
const REFUSED = 'v1/chat/completions answers';
const UNTRUSTED =
  'its certificate is not trusted (unable to verify the first certificate): set NODE_EXTRA_CA_CERTS to the file of its authority.';

/** An engine that only embeds, and one that is gone, which both services for it notice and no other. */
async function down(site: Site, attempt: Try): Promise<Row[]> {
  const engine = site.engines(WEST, 'plain')[0]!;
  const services = ['chat', 'named', 'plain'];
  engine.embeds = true;
  const embedded = await attempt({ services: ['plain'], key: USER_KEY });
  engine.embeds = false;
  await engine.die();
  // The front checks the targets of each service on its own.
  await until('the front knows that an engine is gone', async () => {
    const answers = await Promise.all(['named', 'plain'].map((service) => site.ask(chat(service))));
    return answers.every(({ body }) => body === 'no healthy upstream');
  });
  const { code, said } = await attempt({ services, key: USER_KEY });
  await engine.start();
  return [
    same(
      'a model that embeds',
      '0, ok       it answers with an embedding.',
      clause(embedded.code, embedded.said[0], asked('plain', 'llama')),
    ),
    same(
      'a service whose engines are all gone',
      `6, FAILURE  ${REFUSED} ${GONE}`,
      clause(code, said[1], asked('named', 'llama')),
    ),
    same(
      'one that has to be asked for its models',
      `6, FAILURE  v1/models answers ${GONE}`,
      clause(code, said[2], asked('plain')),
    ),
    same('another beside them', '1 of 3 services answering.', said.at(-1) ?? ''),
  ];
}

const GONE = '503 (no healthy upstream): no replica serves.';
