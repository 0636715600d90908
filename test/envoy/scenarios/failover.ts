import { EAST, SEEN } from '../fleet/names';
import { sleep } from '../../kubernetes/harness/concurrently';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import { failed, Load, steady } from '../traffic/load';
import { atMost, same } from './rows';
import { after, settled } from './settled';

/** The second tier, a provider, gets requests only while the whole first one is down. */
export const failover: Scenario = { name: 'failover', when: 'Disturbs', run };

const RATE = 100;
const HOST = 'api.openai.com';

function none(count: number): boolean {
  return count === 0;
}

async function run(site: Site): Promise<Row[]> {
  const { ask, chatEngines, engines, provider, forget } = site;
  const served = (): number => provider(HOST).seen.length;
  const rows: Row[] = [];
  const phase = async (what: string, holds: (served: number, of: number) => boolean, wanted: string): Promise<void> => {
    await sleep(SEEN);
    forget();
    const answers = await steady(RATE, 4, () => ask(chat('chat')));
    const measured = `${served()} of ${answers.length}`;
    rows.push({
      what: `${what}: requests to the provider`,
      wanted,
      measured,
      holds: holds(served(), answers.length),
    });
    rows.push(atMost(what, 0, failed(answers), answers));
  };
  await phase('all of tier 0 is healthy', none, '0');
  const last = engines(EAST, 'llama-next');
  for (const engine of chatEngines) if (!last.includes(engine)) engine.becomeUnready();
  await phase('one member of tier 0 is healthy', none, '0');
  for (const engine of last) engine.becomeUnready();
  const falling = new Load(RATE, () => ask(chat('chat')));
  await sleep(SEEN);
  const during = await falling.stop();
  rows.push(atMost('the last member goes', 5, failed(during), during));
  await phase('nobody in tier 0 is healthy', (count, of) => count === of, 'all');
  const { headers, sni, body } = provider(HOST).seen[0] ?? { headers: {}, sni: '', body: '{}' };
  const { model = '' } = JSON.parse(body) as { model?: string };
  const shown = [sni, headers.host, headers.authorization, model].join(', ');
  rows.push(same('what the provider sees', `${HOST}, ${HOST}, Bearer sk-openai, gpt-4o-mini`, shown));
  for (const engine of chatEngines) engine.becomeReady();
  const back = await settled(site);
  rows.push({ what: 'it gives back', wanted: 'by itself', measured: after(back), holds: back !== undefined });
  await phase('tier 0 is back', none, '0');
  return rows;
}
