import type { Row, Scenario } from '../../envoy/scenario';
import { atMost, same } from '../../envoy/scenarios/rows';
import type { Answer } from '../../envoy/traffic/ask';
import { Load } from '../../envoy/traffic/load';
import { until } from '../../kubernetes/harness/until';
import type { Site } from '../harness/open-site';
import { loadOf } from './load-of-engine';
import { chat, completionIn, streamIn } from './questions';

/** A second copy joins under load, and the first one leaves while it has a request that is longer than proxies need. */
export const draining: Scenario<Site> = { name: 'draining', run };

/** Requests a second of the load, and the tokens of each. */
const RATE = 1;
const SHORT = 2;

/** Longer than the engine waits for proxies at least, in seconds. */
const LONG = 30;

async function run(site: Site): Promise<Row[]> {
  const { ask, pods } = site;
  const [first, second] = [pods[0]!, pods[1]!];
  const speed = completionIn(await ask(chat(20)))?.timings.predicted_per_second ?? 0;
  const load = new Load(RATE, () => ask(chat(SHORT)));
  const long = ask(chat(Math.ceil(speed * LONG), { stream: true }));
  await until('the first copy has it', async () => (await loadOf(first)).running > 0);

  second.start();
  await second.ready();
  site.serve([first, second]);
  await until('the second copy has requests', async () => (await loadOf(second)).tokensOut > 0);

  site.serve([second]);
  const removal = first.remove();
  const [{ hook, code }, stream] = await Promise.all([removal, long]);
  const answers = await load.stop();
  return [
    {
      what: 'a stream on the copy that leaves',
      wanted: 'whole',
      measured: `${streamIn(stream).events} texts, ${stream.error ?? 'no error'}`,
      holds: streamIn(stream).whole,
    },
    same('how that copy ended after the signal', 0, code ?? 'killed'),
    { what: 'its hook', wanted: 'at least 15 s', measured: `${hook.toFixed(0)} s`, holds: hook >= 14 },
    atMost('the load in that time', 0, answers.filter(isLost), answers),
  ];
}

function isLost({ status, error }: Answer): boolean {
  return status !== 200 || error !== undefined;
}
