import { sleep } from '../../kubernetes/harness/concurrently';
import { EAST } from '../fleet/names';
import type { Engine } from '../engines/engine';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import type { Answer, Question } from '../traffic/ask';
import { burst, byEngine, failed, Load } from '../traffic/load';
import { atMost, reasons, same } from './rows';

/** Requests follow their endpoint picker, and do without it while it is away. */
export const picking: Scenario = { name: 'picking', when: 'Disturbs', run };

const RATE = 40;

async function run(site: Site): Promise<Row[]> {
  return [...(await follows(site)), ...(await doesWithout(site))];
}

/** A request whose beginning is cached on the engine of this number. */
function beginning(number: number, more: object = {}): Question {
  return chat('cached', { messages: [{ role: 'user', content: `${number}: go on` }], ...more });
}

async function follows({ ask, converse, engines }: Site): Promise<Row[]> {
  const all = engines(EAST, 'llama');
  // Envoy Gateway gives questions to a picker 10 s, and answers last longer.
  const long = ask(beginning(0, { stream: true, events: 13, pause: 1000 }));
  const rows: Row[] = [];
  for (const [i, { name }] of all.entries()) {
    const answers = await burst(100, 8, () => ask(beginning(i)));
    rows.push(same(`of 100 requests with beginning ${i}, those to its engine`, 100, countOf(answers, name)));
  }
  const last = all.at(-1)?.name ?? '';
  const headers = { 'x-gateway-destination-endpoint': addressOf(all[0]) };
  const forged = await burst(20, 4, () => ask({ ...beginning(all.length - 1), headers }));
  rows.push(same('of 20 requests that name another engine themselves', 20, countOf(forged, last)));
  const large = await burst(5, 1, () => ask(beginning(1, { padding: 'x'.repeat(1_000_000) })));
  rows.push(same('of 5 requests of 1 MB, those to their engine', 5, countOf(large, all[1]?.name ?? '')));
  const talk = await converse({ path: '/team-a/cached/v1/realtime' }, ['hello', 'bye']);
  rows.push(same('a WebSocket, which no picker sees', 'hello bye', talk.heard.join(' ')));
  return [...rows, whole('a stream of 12 s that it picked', 13, await long)];
}

/** The picker dies under load, while a stream that it picked goes on; it comes back, and is asked again. */
async function doesWithout({ ask, engines, pickers }: Site): Promise<Row[]> {
  const all = engines(EAST, 'llama');
  const picked = all[0]?.name ?? '';
  const open = ask(beginning(0, { stream: true, events: 21, pause: 1000 }));
  await sleep(1000);
  const load = new Load(RATE, () => ask(beginning(0)));
  await sleep(2000);
  const died = performance.now();
  for (const picker of pickers) await picker.die();
  await sleep(12_000);
  for (const picker of pickers) await picker.start();
  const back = performance.now();
  await sleep(10_000);
  const answers = await load.stop();
  const between = (from: number, to: number): Answer[] => answers.filter(({ asked }) => asked > from && asked <= to);
  const without = between(died + 3000, back);
  return [
    lost(failed(answers).concat(refused(answers)), answers),
    atMost('from 3 s later on', 0, failed(without).concat(refused(without)), without),
    {
      what: 'engines that take requests meanwhile, which would all go to one',
      wanted: `${all.length}`,
      measured: [...byEngine(without)].map(([name, count]) => `${name}: ${count}`).join(', '),
      holds: all.every(({ name }) => byEngine(without).has(name)),
    },
    whole('a stream of 20 s, which began before', 21, await open),
    sameShare('requests that follow it once it is back for 8 s', picked, between(back + 8000, Infinity)),
  ];
}

/** A row that holds when a stream came to its end. */
function whole(what: string, events: number, { status, body, error = '' }: Answer): Row {
  const count = body.split('\n\n').filter((one) => one.startsWith('data: {')).length;
  const end = body.endsWith('data: [DONE]\n\n');
  return {
    what,
    wanted: `${events} events and the end`,
    measured: `${status} ${error}: ${count} events${end ? ' and the end' : ''}`,
    holds: error === '' && end && count === events,
  };
}

/** Until it is known that a picker is away, what it was asked and what it is asked still is lost. */
function lost(failures: readonly Answer[], answers: readonly Answer[]): Row {
  return {
    what: 'requests that are lost when a picker dies under load',
    wanted: `at most those of a second: ${RATE}`,
    measured: `${failures.length} of ${answers.length}${failures.length > 0 ? ` (${reasons(failures)})` : ''}`,
    holds: failures.length <= RATE,
  };
}

function sameShare(what: string, engine: string, answers: readonly Answer[]): Row {
  return same(what, answers.length, countOf(answers, engine));
}

/** Answers of gateways that had no one to ask, which are no failures of engines. */
function refused(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status !== undefined && status >= 400 && status < 500);
}

function countOf(answers: readonly Answer[], engine: string): number {
  return answers.filter((answer) => answer.status === 200 && answer.engine === engine).length;
}

function addressOf(engine: Engine | undefined): string {
  return `${engine?.settings.address}:${engine?.settings.port}`;
}
