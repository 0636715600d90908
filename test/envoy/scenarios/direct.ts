import { EAST, EDGE_HOST, EGRESS_HOST, FLEET_AUTHORITY, WEST } from '../fleet/names';
import type { Row, Scenario } from '../scenario';
import { atEdge, chat, type Site } from '../site';
import { asker } from '../traffic/asker';
import { same } from './rows';

/** Gateways that take traffic from fronts only refuse everyone else. */
export const direct: Scenario = { name: 'direct', run };

const CALLERS: Readonly<Record<string, string | undefined>> = {
  'no certificate': undefined,
  "a certificate of the fleet that is not the front's": 'someone',
  "the front's name in a certificate of somebody else": 'stranger',
};

async function run(site: Site): Promise<Row[]> {
  const rows: Row[] = [];
  for (const host of [EDGE_HOST(EAST), EDGE_HOST(WEST), EGRESS_HOST]) {
    for (const [caller, name] of Object.entries(CALLERS)) {
      const measured = await call(site, host, name);
      const what = `${host.split('.').slice(0, 2).join('.')} called with ${caller}`;
      rows.push({ what, wanted: 'no connection', measured, holds: !/^\d+$/.test(measured) });
    }
  }
  const { status } = await atEdge(site, EAST);
  return [...rows, same('the same call with the certificate of the front', '200', String(status))];
}

/** The status, or how the connection failed. */
async function call({ certificate, hostOf }: Site, host: string, name: string | undefined): Promise<string> {
  const client = name === undefined ? {} : { client: certificate(name) };
  const ask = asker({ host, port: 443, ca: certificate(FLEET_AUTHORITY).cert, ...client });
  const { status, error = '' } = await ask({ ...chat('chat'), headers: { host: hostOf(EAST, 'llama') } });
  if (status !== undefined) return String(status);
  return /alert [a-z ]+|hang up|ECONNRESET/.exec(error)?.[0] ?? error;
}
