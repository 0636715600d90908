import type { Row, Scenario } from '../../envoy/scenario';
import { same } from '../../envoy/scenarios/rows';
import { until } from '../../kubernetes/harness/until';
import type { Site } from '../harness/open-site';
import { loadOf } from './load-of-engine';
import { chat, completionIn, streamIn } from './questions';

/** Requests through the public route, and the metrics that the profile names. */
export const requests: Scenario<Site> = { name: 'requests', run };

const TOKENS = 12;

async function run(site: Site): Promise<Row[]> {
  return [...(await completion(site)), ...(await stream(site)), ...(await waiting(site))];
}

/** One answer in one piece. Counters grow by what the answer says. */
async function completion({ ask, pods }: Site): Promise<Row[]> {
  const pod = pods[0]!;
  const before = await loadOf(pod);
  const answer = await ask(chat(TOKENS));
  const found = completionIn(answer);
  const after = await loadOf(pod);
  const tokensIn = after.tokensIn - before.tokensIn;
  return [
    same('a completion', 200, answer.status ?? String(answer.error)),
    same('its model', 'llama', found?.model ?? answer.body.slice(0, 100)),
    same('its tokens', TOKENS, found?.usage.completion_tokens ?? 'none'),
    {
      what: 'its text',
      wanted: 'some letters',
      measured: String(found?.choices[0]?.message.content),
      holds: /^[a-z ]+$/.test(found?.choices[0]?.message.content ?? ''),
    },
    same('metrics of the profile that the engine lacks', '', after.missing.join()),
    same('tokens out, by the metric of the profile', TOKENS, after.tokensOut - before.tokensOut),
    {
      what: 'tokens in, by the metric of the profile',
      wanted: `1 to ${found?.usage.prompt_tokens}, as some are cached`,
      measured: String(tokensIn),
      holds: tokensIn >= 1 && tokensIn <= (found?.usage.prompt_tokens ?? 0),
    },
  ];
}

async function stream({ ask }: Site): Promise<Row[]> {
  const answer = await ask(chat(TOKENS, { stream: true }));
  const { events, whole } = streamIn(answer);
  return [
    {
      what: 'a stream',
      wanted: `200, ${TOKENS} texts and the end, in more than one part`,
      measured: `${answer.status}, ${events} texts in ${answer.parts.length} parts, ${whole ? 'whole' : 'not whole'}`,
      holds: answer.status === 200 && events === TOKENS && whole && answer.parts.length > 1,
    },
  ];
}

/** More requests than the engine has slots: the metrics of the profile say how many wait. */
async function waiting({ ask, pods }: Site): Promise<Row[]> {
  const pod = pods[0]!;
  const stop = new AbortController();
  const some = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) await ask(chat(100));
  });
  const seen = await until('two requests run and two wait', async () => {
    const { running, waiting } = await loadOf(pod);
    return running === 2 && waiting === 2;
  })
    .then(() => 'yes')
    .catch(String);
  stop.abort();
  await Promise.all(some);
  const end = await loadOf(pod);
  return [
    same('4 requests at once for 2 slots: 2 run and 2 wait by the metrics of the profile', 'yes', seen),
    same('after them', '0 and 0', `${end.running} and ${end.waiting}`),
  ];
}
