import { Issuer } from '../engines/issuer';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import { same } from './rows';

/** A service that asks for tokens takes those of its issuer, for its audience, while they last. */
export const tokens: Scenario = { name: 'tokens', run };

async function run({ askBare, issuer, chatEngines, forget }: Site): Promise<Row[]> {
  const shared = await nameless(askBare, issuer);
  forget();
  const asked: Readonly<Record<string, { token?: string; want: string }>> = {
    'no token': { want: '401' },
    'a token': { token: issuer.token(), want: '200' },
    'a token for several audiences': { token: issuer.token({ aud: ['other', 'models'] }), want: '200' },
    'a token for another audience': { token: issuer.token({ aud: 'other' }), want: '403' },
    'a token of another issuer': { token: issuer.token({ iss: 'https://evil.example.test' }), want: '401' },
    'a token that is over': { token: issuer.token({ exp: 1_000_000_000 }), want: '401' },
    'a token signed by somebody else': { token: new Issuer().token(), want: '401' },
    'the key of a user': { token: 'key-of-alice', want: '401' },
  };
  const rows: Row[] = [shared];
  for (const [what, { token, want }] of Object.entries(asked)) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { status } = await askBare({ ...chat('tokens'), headers });
    rows.push(same(what, want, String(status)));
  }
  const seen = chatEngines.flatMap((engine) => engine.seen.map(({ headers }) => headers));
  const clients = new Set(seen.map((headers) => headers['x-fleetwright-client']));
  const shown = seen.filter(({ authorization }) => authorization !== undefined);
  return [
    ...rows,
    same('the client that limits and logs know', 'alice', [...clients].join(', ')),
    same('tokens that engines see', 0, shown.length),
  ];
}

/** Who has a token without the claim that names clients shares a limit with all others like that. */
async function nameless(askBare: Site['askBare'], issuer: Issuer): Promise<Row> {
  const statuses: unknown[] = [];
  for (const email of ['a', 'a', 'b', 'b', 'c', 'c']) {
    const headers = { authorization: `Bearer ${issuer.token({ sub: undefined, email })}` };
    statuses.push((await askBare({ ...chat('tokens-small'), headers })).status);
  }
  return same('6 without a name where 4 a minute are allowed', '200 200 200 200 429 429', statuses.join(' '));
}
