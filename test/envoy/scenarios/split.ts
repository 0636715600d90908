import { EAST, WEST } from '../fleet/names';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import { burst, byEngine } from '../traffic/load';
import { same } from './rows';

const REQUESTS = 2000;

/** What the service declares: 80 to 20 over two deployments, and the 80 over clusters by replicas, 3 to 1. */
const DECLARED: Readonly<Record<string, number>> = {
  [`${EAST}/llama`]: 60,
  [`${WEST}/llama`]: 20,
  [`${EAST}/llama-next`]: 20,
};

/** Requests reach clusters, and deployments on one cluster, as the service declares. */
export const split: Scenario = { name: 'split', run };

async function run({ ask }: Site): Promise<Row[]> {
  const answers = await burst(REQUESTS, 16, () => ask(chat('chat')));
  const engines = byEngine(answers);
  const rows = Object.entries(DECLARED).map(([place, declared]): Row => {
    const count = [...engines].filter(([name]) => name.startsWith(`${place}/`)).reduce((sum, [, n]) => sum + n, 0);
    const share = (count / REQUESTS) * 100;
    return {
      what: `share of ${place} over ${REQUESTS} requests`,
      wanted: `${declared} %, within 3 points`,
      measured: `${share.toFixed(1)} %`,
      holds: Math.abs(share - declared) <= 3,
    };
  });
  const good = answers.filter(({ status }) => status === 200).length;
  return [...rows, same('answers 200', REQUESTS, good)];
}
