import { EAST, SEEN } from '../fleet/names';
import { availableParallelism } from 'node:os';
import { sleep } from '../../kubernetes/harness/concurrently';
import type { Engine } from '../engines/engine';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import type { Answer } from '../traffic/ask';
import { byEngine, failed, steady } from '../traffic/load';
import { atMost, same } from './rows';
import { settled } from './settled';

/** One of three replicas of a cluster is ready: it gets what it can take, and other clusters the rest. */
export const partlyReady: Scenario = { name: 'partly-ready', when: 'Disturbs', run };

/** Less than the engines that are left can answer, and more than the one can that is left of three. */
const RATE = 100;

/** As long as answers of language models take: many requests are open at once. */
const LATENCY = 3000;

/**
 * The most requests that an edge has open at one pod. What comes beyond waits, and then goes to other clusters. Each
 * thread of Envoy may have one more, so that none is left without.
 */
const BOUND = 128 + availableParallelism();

async function run(site: Site): Promise<Row[]> {
  const { engines, chatEngines } = site;
  const [one, ...others] = engines(EAST, 'llama');
  if (!one) throw new Error('nobody serves');
  for (const engine of chatEngines) engine.latency = LATENCY;
  try {
    const before = await measured(site, one, 8);
    for (const engine of others) engine.becomeUnready();
    await sleep(SEEN);
    const after = await measured(site, one, 18);
    const early = others.reduce((sum, engine) => sum + engine.early, 0);
    return [
      atMost('with 3 of 3 replicas of a cluster ready', 0, failed(before.answers), before.answers),
      atMost('with 1 of 3 replicas of a cluster ready', 0, failed(after.answers), after.answers),
      same('requests to the two that are not', 0, early),
      {
        what: 'requests at once at the one that is',
        wanted: `at most ${BOUND}`,
        measured: `${after.peak} (${before.peak} when all three were ready)`,
        holds: after.peak <= BOUND,
      },
      {
        what: 'share of the one that is, and the longest wait',
        wanted: 'stated',
        measured: `${after.share.toFixed(1)} % (${before.share.toFixed(1)} % before), ${after.longest} s (${before.longest} s before)`,
        holds: true,
      },
    ];
  } finally {
    for (const engine of chatEngines) engine.latency = 0;
    for (const engine of others) engine.becomeReady();
    await settled(site);
  }
}

interface Measured {
  readonly answers: readonly Answer[];

  /** Requests at one engine: the most at once, and how many of a hundred. */
  readonly peak: number;
  readonly share: number;

  /** The longest time that a user waited, in seconds. */
  readonly longest: string;
}

async function measured({ ask, forget }: Site, one: Engine, seconds: number): Promise<Measured> {
  forget();
  const answers = await steady(RATE, seconds, () => ask(chat('chat')));
  const share = ((byEngine(answers).get(one.name) ?? 0) / answers.length) * 100;
  const longest = Math.max(...answers.map(({ asked, answered }) => answered - asked));
  return { answers, peak: one.peak, share, longest: (longest / 1000).toFixed(1) };
}
