import { EAST, WEST } from '../fleet/names';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import { burst, byEngine, failed, steady } from '../traffic/load';
import { atMost, same } from './rows';

/** A service with more members than a rule takes: several are one backend, and each has its share. */
export const crowd: Scenario = { name: 'crowd', when: 'Disturbs', run };

const REQUESTS = 4000;

/** The first replica of each cluster, and the 17 others, which share a half. */
const ALONE = [`${EAST}/crowd/0`, `${WEST}/crowd/0`];
const OTHERS = 17;

async function run({ ask, engines }: Site): Promise<Row[]> {
  const answers = await burst(REQUESTS, 16, () => ask(chat('crowd')));
  const counts = byEngine(answers);
  const percent = (name: string): number => ((counts.get(name) ?? 0) / REQUESTS) * 100;
  const others = [...counts.keys()].filter((name) => !ALONE.includes(name)).map(percent);
  const [least, most] = [Math.min(...others), Math.max(...others)];
  const dead = engines(WEST, 'crowd')[3]!;
  const load = steady(RATE, 8, () => ask(chat('crowd')));
  await dead.die();
  const meanwhile = await load;
  await dead.start();
  return [
    ...ALONE.map((name): Row => within(`share of ${name} over ${REQUESTS} requests`, 25, percent(name))),
    same('others that answer', OTHERS, others.length),
    {
      what: `share of each of ${OTHERS} others`,
      wanted: '2.9 %, within 1 point',
      measured: `${least.toFixed(1)} to ${most.toFixed(1)} %`,
      holds: least >= 1.9 && most <= 3.9,
    },
    atMost(`one of them dies under ${RATE} requests a second`, 1, failed(meanwhile), meanwhile),
  ];
}

const RATE = 100;

function within(what: string, wanted: number, measured: number): Row {
  const holds = Math.abs(measured - wanted) <= 3;
  return { what, wanted: `${wanted} %, within 3 points`, measured: `${measured.toFixed(1)} %`, holds };
}
