import { EAST, WEST } from '../fleet/names';
import { sleep } from '../../kubernetes/harness/concurrently';
import type { Row, Scenario } from '../scenario';
import { until } from '../../kubernetes/harness/until';
import { atEdge, chat, type Site } from '../site';
import { byEngine, failed, Load, steady } from '../traffic/load';
import { atMost } from './rows';
import { after, settled } from './settled';

/** What dies under load is missed by few requests, and comes back by itself. */
export const death: Scenario = { name: 'death', when: 'Disturbs', run };

const RATE = 200;

/** Until the checks have seen it: twice the interval that the fleet declares, and a second to reach all workers. */
const CHECKED = 3000;

async function run(site: Site): Promise<Row[]> {
  const { engines, gateway } = site;
  const engine = engines(EAST, 'llama')[0]!;
  const edge = gateway(`${WEST}.fleetwright-edge`);
  return [
    ...(await dies(site, 'an engine', engine.name, {
      die: () => engine.die(),
      comeBack: () => engine.start(),
    })),
    ...(await dies(site, 'the edge of a cluster', `${WEST}/llama/0`, {
      die: () => edge.kill(),
      comeBack: async () => {
        edge.start();
        await until('the edge answers again', async () => (await atEdge(site, WEST)).status === 200);
      },
    })),
  ];
}

interface Mortal {
  readonly die: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
}

async function dies(site: Site, what: string, name: string, { die, comeBack }: Mortal): Promise<Row[]> {
  const ask = (): ReturnType<Site['ask']> => site.ask(chat('chat'));
  const load = new Load(RATE, ask);
  await sleep(2000);
  const died = performance.now();
  await die();
  await sleep(8000);
  const answers = (await load.stop()).filter(({ asked }) => asked >= died);
  const later = answers.filter(({ asked }) => asked >= died + CHECKED);
  const returning = new Load(RATE, ask);
  await comeBack();
  const seconds = await settled(site, [name]);
  await sleep(2000);
  const back = await returning.stop();
  return [
    atMost(`${what} dies under ${RATE} requests a second`, 1, failed(answers), answers),
    atMost(`more than ${CHECKED / 1000} s after its death`, 0, failed(later), later),
    atMost('while it comes back', 0, failed(back), back),
    await returned(site, name, seconds),
  ];
}

const SHARE = 20;

/** Both that die had a fifth of the requests. */
async function returned({ ask }: Site, name: string, seconds: number | undefined): Promise<Row> {
  const answers = await steady(RATE, 4, () => ask(chat('chat')));
  const share = ((byEngine(answers).get(name) ?? 0) / answers.length) * 100;
  return {
    what: 'it comes back by itself',
    wanted: `${SHARE} % of requests, within 5 points`,
    measured: `its first answer ${after(seconds)}, then ${share.toFixed(1)} %`,
    holds: Math.abs(share - SHARE) <= 5,
  };
}
