import type { Row, Scenario } from '../scenario';
import type { Site } from '../site';
import { same } from './rows';

/** What engines have for their operators is not there for clients, however they spell its path. */
export const hidden: Scenario = { name: 'hidden', run };

/** Ways to write the path of metrics that some server on the way may take for it. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'as they are': '/metrics',
  'with a query': '/metrics?x=1',
  'with a slash at the end': '/metrics/',
  'with two slashes': '//metrics',
  'over a detour': '/v1/../metrics',
  'over a detour in escapes': '/v1/%2e%2e/metrics',
  'with the first letter in escapes': '/%6Detrics',
  'with the last letter in escapes': '/metric%73',
  'with backslashes': '/v1\\..\\metrics',
};

/** With a slash in escapes, Envoy first sends the client to what it means. */
const REDIRECTED: Readonly<Record<string, string>> = {
  'with a slash in escapes': '/%2Fmetrics',
  'over a detour with slashes in escapes': '/v1%2F..%2Fmetrics',
};

async function run({ ask, forget, chatEngines }: Site): Promise<Row[]> {
  forget();
  const rows: Row[] = [];
  for (const [wanted, spellings] of [
    ['404', SPELLINGS],
    ['307 /team-a/adapters/metrics', REDIRECTED],
  ] as const) {
    for (const [how, path] of Object.entries(spellings)) {
      const { status, headers } = await ask({ path: `/team-a/adapters${path}` });
      rows.push(same(`metrics ${how}`, wanted, [status, headers.location ?? ''].join(' ').trim()));
    }
  }
  const seen = chatEngines.flatMap((engine) => engine.seen);
  return [...rows, same('requests for them that reach an engine', 0, seen.length)];
}
