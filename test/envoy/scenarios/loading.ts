import { sleep } from '../../kubernetes/harness/concurrently';
import { EAST, SEEN, WEST } from '../fleet/names';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import { byEngine, failed, Load, steady } from '../traffic/load';
import { atMost, same } from './rows';
import { after, settled } from './settled';

/** An engine gets no request before its weights are loaded, and its share once they are. */
export const loading: Scenario = { name: 'loading', when: 'Disturbs', run };

async function run(site: Site): Promise<Row[]> {
  return [...(await oneEngine(site)), ...(await wholeCluster(site))];
}

/** One of three engines of a deployment starts again, and takes a while to load. */
async function oneEngine(site: Site): Promise<Row[]> {
  const { ask, engines, forget } = site;
  const engine = engines(EAST, 'llama')[0]!;
  engine.becomeUnready();
  await sleep(SEEN);
  await engine.die();
  forget();
  const load = new Load(RATE, () => ask(chat('chat')));
  await sleep(2000);
  await engine.start(false);
  await sleep(3000);
  engine.becomeReady();
  const joined = await settled(site, [engine.name]);
  const answers = await load.stop();
  return [
    same('requests to an engine that is still loading', 0, engine.early),
    atMost('meanwhile', 0, failed(answers), answers),
    joins('it gets requests once it is ready', joined),
  ];
}

/** The only engine of a cluster loads: the cluster gets no request. */
async function wholeCluster(site: Site): Promise<Row[]> {
  const { ask, engines, forget } = site;
  const engine = engines(WEST, 'llama')[0]!;
  engine.becomeUnready();
  await sleep(SEEN);
  forget();
  const during = await steady(RATE, 3, () => ask(chat('chat')));
  const early = engine.seen.length;
  engine.becomeReady();
  const joined = await settled(site, [engine.name]);
  const later = await steady(RATE, 5, () => ask(chat('chat')));
  const share = ((byEngine(later).get(engine.name) ?? 0) / later.length) * 100;
  return [
    same('requests to a cluster whose only engine is loading', 0, early),
    atMost('meanwhile', 0, failed(during), during),
    joins('the cluster gets requests once it is ready', joined),
    {
      what: 'its share then',
      wanted: '20 %, within 3 points',
      measured: `${share.toFixed(1)} %`,
      holds: Math.abs(share - 20) <= 3,
    },
  ];
}

const RATE = 100;

function joins(what: string, seconds: number | undefined): Row {
  return { what, wanted: 'by itself', measured: after(seconds), holds: seconds !== undefined };
}
